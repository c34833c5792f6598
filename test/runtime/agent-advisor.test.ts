import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { readJournal } from '../../src/adapters/sessions/read-journal.ts'
import { createAgent, type AgentOptions } from '../../src/index.ts'
import type { Entry } from '../../src/protocol/facts/entry.ts'
import { tempDir } from './support/stage.ts'

const ask = { calls: [{ tool: 'Advisor', input: { question: 'Which way?', context: 'Two ways.' } }] }
const advice = { expect: ['You advise an agent', 'Choose.', 'Two ways.', 'Which way?'], say: 'The left one.' }

/** An agent that may ask a strong model, each with its script. */
function advised(weak: readonly object[], strong: readonly object[], more: Partial<AgentOptions> = {}) {
  const cwd = tempDir()
  writeFileSync(join(cwd, 'weak.yaml'), stringify({ agents: { agent: { steps: weak } } }))
  writeFileSync(join(cwd, 'strong.yaml'), stringify({ agents: { 'agent-advisor': { steps: strong } } }))
  const common = { model: 'scripted/weak.yaml', advisor: 'scripted/strong.yaml' }
  const agent = createAgent({ ...common, cwd, home: cwd, env: {}, runDir: cwd, ...more })
  return { agent, facts: factsIn(cwd) }
}

function factsIn(dir: string) {
  return <Type extends Entry['type']>(type: Type): readonly Extract<Entry, { type: Type }>[] =>
    readJournal(join(dir, 'agent.jsonl')).entries.filter(
      (entry): entry is Extract<Entry, { type: Type }> => entry.type === type,
    )
}

test('an agent outside of a team asks its advisor, which sees its question and what the run is about', async () => {
  const { agent, facts } = advised([ask, { expect: ['It is advice', 'The left one.'], say: 'Left.' }], [advice])
  expect((await agent.run('Choose.').result).text).toBe('Left.')
  expect(facts('model.consulted')).toMatchObject([
    { purpose: 'advice', model: 'scripted/strong.yaml', call_id: 'agent-1-1' },
  ])
})

test('only so often in a run, and as often again in the next', async () => {
  const refused = { expect: 'may be called once in a run', say: 'Left.' }
  const again = [ask, { expect: 'The left one.', say: 'Left again.' }]
  const { agent, facts } = advised([ask, ask, refused, ...again], [advice], {
    advisor: { model: 'scripted/strong.yaml', max_uses: 1 },
  })
  expect((await agent.run('Choose.').result).text).toBe('Left.')
  expect(facts('model.consulted')).toHaveLength(1)
  expect((await agent.run('Choose.').result).text).toBe('Left again.')
  expect(facts('model.consulted')).toHaveLength(2)
  expect(facts('call.limited')).toMatchObject([{ tool: 'Advisor', limit: 1 }])
})

test('an advisor that fails is no reason to stop', async () => {
  const { agent } = advised([ask, { expect: 'The advisor could not be asked', say: 'Left.' }], [{ fail: 'overloaded' }])
  expect((await agent.run('Choose.').result).text).toBe('Left.')
})

test('without an advisor there is no such tool', async () => {
  const cwd = tempDir()
  writeFileSync(join(cwd, 'weak.yaml'), stringify({ agents: { agent: { steps: [ask, { say: 'Left.' }] } } }))
  const agent = createAgent({ model: 'scripted/weak.yaml', cwd, home: cwd, env: {}, runDir: cwd })
  expect((await agent.run('Choose.').result).text).toBe('Left.')
  const results = factsIn(cwd)('message.appended').flatMap(({ message }) =>
    message.role === 'tool' ? message.results.map(({ is_error }) => is_error) : [],
  )
  expect(results).toEqual([true])
  expect(factsIn(cwd)('call.started')).toEqual([])
})

test('where the server asks the advisor itself it is offered that instead, less what it has used in the run', async () => {
  const offers: unknown[] = []
  const used = { type: 'advisor_message', model: 'big', input_tokens: 1_000, output_tokens: 100 }
  const content = [
    { type: 'server_tool_use', id: 'srv_1', name: 'advisor', input: {} },
    { type: 'advisor_tool_result', tool_use_id: 'srv_1', content: { type: 'advisor_result', text: 'Left.' } },
    { type: 'tool_use', id: 'call_1', name: 'Gone', input: {} },
  ]
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { tools = [] } = (await json(request)) as { tools?: readonly { name: string; max_uses?: number }[] }
    offers.push(tools.map(({ name, max_uses }) => [name, max_uses]))
    const first = offers.length % 2 === 1
    const usage = { input_tokens: 10, output_tokens: 5, iterations: first ? [used] : [] }
    const said = first
      ? { content, stop_reason: 'tool_use' }
      : { content: [{ type: 'text', text: 'I went left.' }], stop_reason: 'end_turn' }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id: 'm', ...said, usage }))
  }
  const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1')
  onTestFinished(() => server.close().closeAllConnections())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const cwd = tempDir()
  const env = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: url }
  const advisor = { model: 'anthropic/big', max_uses: 2 }
  const agent = createAgent({ model: 'anthropic/small', advisor, cwd, home: cwd, runDir: cwd, env })
  expect((await agent.run('Choose.').result).text).toBe('I went left.')
  await agent.run('Choose again.').result
  expect(offers).toEqual([[['advisor', 2]], [['advisor', 1]], [['advisor', 2]], [['advisor', 1]]])
  expect(factsIn(cwd)('model.consulted')).toMatchObject([
    { purpose: 'advice', model: 'anthropic/big' },
    { purpose: 'advice', model: 'anthropic/big' },
  ])
})
