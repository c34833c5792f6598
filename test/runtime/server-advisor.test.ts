import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { loadTeam } from '../../src/runtime/team-files/load-team.ts'
import { runTeam } from '../../src/runtime/run/run-team.ts'
import type { Recorded } from '../../src/protocol/facts/entry.ts'
import { tempDir } from './support/stage.ts'
import { factsBy } from './support/two-models.ts'

interface Asked {
  readonly headers: IncomingHttpHeaders
  readonly body: {
    readonly tools?: readonly { readonly type?: string; readonly name: string; readonly max_uses?: number }[]
  }
}

const iteration = { type: 'advisor_message', model: 'big', input_tokens: 1_000, output_tokens: 100 }
const advised = [
  { type: 'server_tool_use', id: 'srv_1', name: 'advisor', input: {} },
  { type: 'advisor_tool_result', tool_use_id: 'srv_1', content: { type: 'advisor_result', text: 'Left.' } },
]
const calling = { type: 'tool_use', id: 'call_1', name: 'LS', input: { path: '.' } }
const text = { type: 'text', text: 'I went left.' }

/** Plays a worker whose model is this server, whose advisor is `anthropic/big`. */
async function playServed(
  answer: (asked: Asked, index: number) => readonly [status: number, body: object],
  more: object = {},
) {
  const asked: Asked[] = []
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const one = { headers: request.headers, body: (await json(request)) as Asked['body'] }
    asked.push(one)
    const [status, reply] = answer(one, asked.length)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  }
  const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1')
  onTestFinished(() => server.close().closeAllConnections())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const cwd = tempDir()
  const home = join(cwd, 'home')
  mkdirSync(join(home, '.troupe'), { recursive: true })
  writeFileSync(join(home, '.troupe', 'models.json'), JSON.stringify({ 'anthropic/big': { input: 10, output: 100 } }))
  const lead = [
    { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Choose.' }] } }] },
    { say: 'ana: {{mail.ana}}' },
  ]
  writeFileSync(join(cwd, 'lead.yaml'), stringify({ agents: { lead: { steps: lead } } }))
  const ana = {
    description: 'Works.',
    prompt: 'You work.',
    tools: ['LS'],
    model: 'anthropic/small',
    advisor: 'anthropic/big',
  }
  const team = {
    name: 'duo',
    model: 'scripted/lead.yaml',
    coordinator: { prompt: 'You lead.' },
    workers: { ana: { ...ana, ...more } },
  }
  writeFileSync(join(cwd, 'team.yaml'), stringify(team))
  const env = { PATH: process.env['PATH'], ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: url }
  const run = runTeam(await loadTeam(join(cwd, 'team.yaml'), { env }), { task: 'Begin.', cwd, home, env })
  const recorded: Recorded[] = []
  run.subscribe((fact) => recorded.push(fact))
  const result = await run.result
  return { asked, recorded, result }
}

const message = (content: readonly object[], stop_reason: string, iterations: readonly object[] = []) =>
  [200, { id: 'm', content, stop_reason, usage: { input_tokens: 10, output_tokens: 5, iterations } }] as const
const offered = ({ body }: Asked | { body: Asked['body'] }) => body.tools?.map(({ name }) => name)

test('a server that offers an advisor asks it itself, and what that costs is counted', async () => {
  const { asked, recorded, result } = await playServed((_, index) =>
    index === 1 ? message([...advised, calling], 'tool_use', [iteration]) : message([text], 'end_turn'),
  )
  expect(result).toMatchObject({ status: 'completed', result: 'ana: I went left.' })
  expect(asked[0]?.headers['anthropic-beta']).toBe('advisor-tool-2026-03-01')
  expect(asked.map(offered)).toEqual([
    ['LS', 'SendMessage', 'Wait', 'Report', 'advisor'],
    ['LS', 'SendMessage', 'Wait', 'Report', 'advisor'],
  ])
  expect(asked.map(({ body }) => body.tools?.at(-1)?.max_uses)).toEqual([3, 2])
  expect(factsBy(recorded, 'ana', 'model.consulted')).toMatchObject([
    { purpose: 'advice', model: 'anthropic/big', usage: { input: 1_000, output: 100 }, cost_usd: 0.02 },
  ])
  expect(JSON.stringify(factsBy(recorded, 'ana', 'message.appended'))).not.toContain('"advice"')
})

test('one that does not know it is asked without, and our own tool is there from the next turn on', async () => {
  const refusal = {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'tools.2: unknown type advisor_20260301' },
  }
  const { asked, result } = await playServed((each, index) => {
    if (offered(each)?.includes('advisor')) return [400, refusal]
    return index === 2 ? message([calling], 'tool_use') : message([text], 'end_turn')
  })
  expect(result.result).toBe('ana: I went left.')
  expect(asked.map(offered)).toEqual([
    ['LS', 'SendMessage', 'Wait', 'Report', 'advisor'],
    ['LS', 'SendMessage', 'Wait', 'Report'],
    ['LS', 'SendMessage', 'Wait', 'Report', 'Advisor'],
  ])
})

test('a member with a budget asks by our own tool: that can be set aside before', async () => {
  const { asked } = await playServed(() => message([text], 'end_turn'), { budget: { tokens: 1_000_000 } })
  expect(asked.map(offered)).toEqual([['LS', 'SendMessage', 'Wait', 'Report', 'Advisor']])
})
