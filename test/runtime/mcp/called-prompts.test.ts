import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { promptsOf } from '../../../src/runtime/mcp/server-prompts.ts'
import { play } from '../support/stage.ts'

const everything = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
)
const every = { command: process.execPath, args: [everything], required: true }
const team = {
  name: 'support',
  partition: 'relaxed',
  mcp_servers: { every },
  coordinator: { prompt: 'You lead.', tools: ['mcp__every'] },
  workers: { clerk: { description: 'Works.', prompt: 'You work.', tools: ['LS'] } },
}

async function called(task: string, expected: readonly string[]) {
  const script = { lead: { steps: [{ expect: expected, say: 'Read.' }] } }
  const { cwd, result } = await play(team, script, { task, trusted: true })
  return { cwd, said: (await result).result }
}

test('a prompt of a server is a command, with its arguments in order', async () => {
  const { cwd, said } = await called('/mcp__every__args-prompt Paris "Île de France"', [
    '<command name="mcp__every__args-prompt"',
    'Paris, Île de France',
  ])
  expect(said).toBe('Read.')
  const offered = promptsOf({ every }, join(cwd, 'home'))
  expect(offered.find(({ name }) => name === 'mcp__every__args-prompt')?.hint).toBe('<city> [state]')
})

test('a prompt that is not there, or lacks an argument, is said to be so', async () => {
  const lacking = await called('/mcp__every__args-prompt', ['was not asked: it wants city: <city> [state].'])
  const absent = ['every has no such prompt; it offers', '/mcp__every__args-prompt']
  expect([lacking.said, (await called('/mcp__every__arg-prompt x', absent)).said]).toEqual(['Read.', 'Read.'])
})
