import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { textOf } from '../../../src/protocol/conversation/message.ts'
import { play } from '../support/stage.ts'

const program = fileURLToPath(new URL('../../support/mcp/odd-server-process.ts', import.meta.url))
const odd = { command: process.execPath, args: [program, 'plain'], required: true }

/** A lead with one MCP server, whose hook calls a tool of the server with the words of the person. */
async function prompted(tool: string) {
  const hook = { type: 'mcp_tool', server: 'odd', tool, input: { text: '${prompt}' }, on_failure: 'deny' }
  const team = {
    name: 'solo',
    partition: 'relaxed',
    mcp_servers: { odd },
    coordinator: { prompt: 'You lead.', tools: ['mcp__odd'] },
    workers: { ana: { description: 'Works.', prompt: 'You work.' } },
    hooks: { UserPromptSubmit: [{ hooks: [hook] }] },
  }
  const script = { lead: { steps: [{ say: 'Done.' }] } }
  const { recorded, result } = await play(team, script, { trusted: true })
  const { status } = await result
  const ran = recorded.flatMap(({ entry }) => (entry.type === 'hook.ran' ? [entry.outcome] : []))
  const told = recorded.flatMap(({ entry }) =>
    entry.type === 'message.appended' && entry.message.role === 'user' && entry.message.origin === 'hook'
      ? [textOf(entry.message)]
      : [],
  )
  return { status, ran, told }
}

test('a tool of an MCP server is called with fields of the event, and its words are told to the model', async () => {
  expect(await prompted('echo')).toEqual({ status: 'completed', ran: ['success'], told: ['plain: Begin. ä€😀'] })
})

test('a tool that the server does not have fails, and the hook says what a failure means', async () => {
  expect(await prompted('no-such-tool')).toMatchObject({ status: 'failed', told: [] })
})
