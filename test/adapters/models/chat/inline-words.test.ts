import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../../../src/adapters/tools/define/define-tool.ts'
import { createAgent } from '../../../../src/runtime/agent/create-agent.ts'
import { environmentFor, faultyServer } from '../../../support/faulty-server.ts'
import { tempDir } from '../../../runtime/support/stage.ts'

/** A local server that tells nothing apart, and an agent with one tool. */
async function local(texts: readonly string[]) {
  const server = await faultyServer({ api: 'chat', speak: (turn) => ({ text: texts[turn] ?? 'Over.' }) })
  onTestFinished(server.close)
  const looked: string[] = []
  const look = defineTool({
    name: 'Look',
    description: 'Looks.',
    input: z.strictObject({ at: z.string() }),
    effect: 'none',
    isReadOnly: () => true,
    async run({ at }) {
      looked.push(at)
      return { content: [{ type: 'text', text: 'seen' }] }
    },
  })
  const place = { home: tempDir(), cwd: tempDir() }
  const agent = createAgent({ model: 'openai-compatible/m', env: environmentFor(server.root), tools: [look], ...place })
  return { server, looked, result: await agent.run('Go.').result }
}

const asked = (tool: string): string => `<tool_call>\n{"name": "${tool}", "arguments": {"at": "a"}}\n</tool_call>`

test('thinking and calls that a model wrote into its text are taken out of it', async () => {
  const { server, looked, result } = await local([
    `<think>\nI should look.\n</think>\n\nI look. ${asked('Look')}`,
    '<think>So.</think>Done.',
  ])
  expect(looked).toEqual(['a'])
  expect(result).toMatchObject({ reason: 'completed', text: 'Done.' })
  expect(server.asked[1]?.text).not.toMatch(/<think>|<tool_call>/)
  expect(server.complaints).toEqual([])
})

test('a call of a tool that nobody offered, and tags that are spoken of, stay text', async () => {
  const unknown = `Write ${asked('Nothing')} to call it.`
  expect((await local([unknown])).result.text).toBe(unknown)
  const quoted = `The file says ${asked('Look')} and no more.`
  const { result, looked } = await local([quoted])
  expect([result.text, looked]).toEqual([quoted, []])
  expect((await local(['The tag <think> begins it.'])).result.text).toBe('The tag <think> begins it.')
})
