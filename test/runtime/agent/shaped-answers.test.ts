import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../../src/adapters/tools/define/define-tool.ts'
import { createAgent } from '../../../src/runtime/agent/create-agent.ts'
import { environmentFor, faultyServer, providerOf, type FaultyServer } from '../../support/faulty-server.ts'
import type { Api, Speech } from '../../support/vendors/speech.ts'
import { tempDir } from '../support/stage.ts'

const apis: readonly Api[] = ['anthropic', 'chat', 'responses']
const schema = z.object({ lines: z.number().int() })
const look: Speech = { text: 'I look.', calls: [{ id: 'c1', name: 'Look', input: {} }] }

const tool = defineTool({
  name: 'Look',
  description: 'Looks.',
  input: z.strictObject({}),
  effect: 'none',
  isReadOnly: () => true,
  run: async () => ({ content: [{ type: 'text', text: '12 lines' }] }),
})

async function asking(api: Api, speech: readonly Speech[], shape: z.ZodType | object = schema) {
  const speak = (turn: number): Speech => speech[turn] ?? { text: 'and so on' }
  const server = await faultyServer({ api, speak, fault: () => null })
  onTestFinished(server.close)
  const place = { home: tempDir(), cwd: tempDir() }
  const agent = createAgent({ model: providerOf[api], env: environmentFor(server.root), tools: [tool], ...place })
  return { agent, server, run: () => agent.run('Count.', { schema: shape as z.ZodType }).result }
}

const bodies = ({ asked }: FaultyServer) => asked.map(({ body }) => JSON.stringify(body))

/** How each API is told of a shape: before tools were used, and when the answer is repaired. */
const told: Readonly<Record<Api, readonly [first: string, repair: string]>> = {
  anthropic: ['"format":{"type":"json_schema"', '"format":{"type":"json_schema"'],
  chat: ['"name":"answer"', '"response_format":{"type":"json_schema"'],
  responses: ['"format":{"type":"json_schema"', '"format":{"type":"json_schema"'],
}

test.for(apis)('%s: an agent with tools answers in the shape that it is asked for', async (api) => {
  const { run, server } = await asking(api, [look, { text: '{"lines": 12}' }])
  expect(await run()).toMatchObject({ reason: 'completed', text: '{"lines": 12}', value: { lines: 12 } })
  const [first = '', second = ''] = bodies(server)
  for (const body of [first, second]) expect(body).toContain(told[api][0])
  expect(first).not.toContain('"tool_choice"')
  expect(server.complaints).toEqual([])
})

test.for(apis)('%s: an answer without the shape is asked for once more, and nothing else is', async (api) => {
  const { run, server } = await asking(api, [look, { text: 'There are 12.' }, { text: '{"lines": 12}' }])
  expect(await run()).toMatchObject({ reason: 'completed', value: { lines: 12 } })
  const [, , repair = ''] = bodies(server)
  expect(repair).toContain('it is not one JSON value')
  expect(repair).toContain(told[api][1])
})

test.for(apis)('%s: a second wrong answer fails the run, saying what is wrong', async (api) => {
  const { run, server } = await asking(api, [{ text: '{"lines": "12"}' }, { text: '{"line": 12}' }])
  const result = await run()
  expect(result).toMatchObject({ reason: 'failed', failure: { code: 'broken_shape' } })
  expect(result.failure?.message).toContain("must have required property 'lines'")
  expect(result).not.toHaveProperty('value')
  expect(server.asked).toHaveLength(2)
})

test('a form that is offered as a tool is the answer, with words before it', async () => {
  const form = { id: 'c2', name: 'answer', input: { lines: 12 } }
  const { run } = await asking('chat', [look, { text: 'Here it is.', calls: [form] }])
  expect(await run()).toMatchObject({ reason: 'completed', value: { lines: 12 } })
})

test('the shape counts for its run alone', async () => {
  const { agent, run, server } = await asking('anthropic', [{ text: '{"lines": 1}' }, { text: 'Just words.' }])
  await run()
  expect(await agent.run('Say something.').result).toMatchObject({ reason: 'completed', text: 'Just words.' })
  expect(bodies(server)[1]).not.toContain('json_schema')
})

test('a schema that is none is refused before anybody is asked', async () => {
  const { run, server } = await asking('chat', [], { type: 'objekt' })
  await expect(run()).rejects.toThrow('schema: schema is invalid')
  expect(server.asked).toEqual([])
})
