import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Recorded } from '../../src/protocol/facts/entry.ts'
import { loadTeam } from '../../src/runtime/team-files/load-team.ts'
import { runTeam } from '../../src/runtime/run/run-team.ts'
import { tempDir } from '../runtime/support/stage.ts'

/** A whole team over each of the vendors' APIs, spoken by a mock that this project did not write. */
let mock: LLMock
let root: string
beforeEach(async () => {
  mock = new LLMock({ port: 0, strict: true })
  const lead = 'You are lead@census'
  const counter = 'You are counter@census'
  const subtasks = [{ worker: 'counter', task: 'Read herd.txt and report the number of sheep.' }]
  // Each vendor has its own words for the same counts.
  const usage = { input_tokens: 40, prompt_tokens: 40, output_tokens: 9, completion_tokens: 9 }
  mock.on(
    { systemMessage: lead, userMessage: 'How many sheep' },
    {
      usage,
      content: 'I ask.',
      toolCalls: [{ id: 'call_ask', name: 'Delegate', arguments: JSON.stringify({ subtasks }) }],
    },
  )
  mock.on(
    { systemMessage: lead, userMessage: 'herd.txt:2 says 17' },
    { usage, content: 'There are 17 sheep, as the second line of herd.txt says.' },
  )
  mock.on(
    { systemMessage: counter, hasToolResult: false },
    {
      usage,
      reasoning: 'The file will say.',
      reasoningSignature: 'SIG==',
      toolCalls: [{ id: 'call_read', name: 'Read', arguments: '{"file_path":"herd.txt"}' }],
    },
  )
  mock.on({ systemMessage: counter, toolResultContains: 'sheep: 17' }, { usage, content: 'herd.txt:2 says 17.' })
  root = await mock.start()
})
afterEach(() => mock.stop())

const team = `name: census
coordinator: { prompt: You lead a census. }
workers:
  counter: { description: Reads numbers from files., prompt: You read numbers., tools: [Read] }
`

const apis = [
  { api: 'Anthropic Messages', provider: 'anthropic', path: '/v1/messages' },
  { api: 'OpenAI Responses', provider: 'openai', path: '/v1/responses' },
  { api: 'OpenAI chat completions', provider: 'openai-compatible', path: '/v1/chat/completions' },
]

test.for(apis)('$api: the lead delegates, the worker reads, the lead answers', async ({ provider, path }) => {
  const cwd = tempDir()
  writeFileSync(join(cwd, 'herd.txt'), 'goats: 4\nsheep: 17\n')
  mkdirSync(join(cwd, 'teams'))
  writeFileSync(join(cwd, 'teams/census.yaml'), team)
  const env = {
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: root,
    OPENAI_API_KEY: 'k',
    OPENAI_BASE_URL: `${root}/v1`,
    OPENAI_COMPATIBLE_BASE_URL: `${root}/v1`,
  }
  const loaded = await loadTeam(join(cwd, 'teams/census.yaml'), { model: `${provider}/some-model`, env })
  const run = runTeam(loaded, { task: 'How many sheep are there?', cwd, home: join(cwd, 'home'), env })
  const facts: Recorded[] = []
  run.subscribe((recorded) => facts.push(recorded))
  const result = await run.result
  expect(result).toMatchObject({
    status: 'completed',
    result: 'There are 17 sheep, as the second line of herd.txt says.',
    members: [
      { id: 'lead@census', turns: 2, reason: 'completed' },
      { id: 'counter@census', turns: 2, reason: 'completed' },
    ],
  })
  const calls = facts.flatMap(({ owner, entry }) => (entry.type === 'call.finished' ? [{ owner, ...entry }] : []))
  expect(calls.map(({ owner, tool, is_error }) => ({ owner, tool, is_error }))).toEqual([
    { owner: 'lead', tool: 'Delegate', is_error: false },
    { owner: 'counter', tool: 'Read', is_error: false },
  ])
  expect(result.usage).toMatchObject({ input: 160, output: 36 })
  const requests = mock.getRequests()
  expect(requests.map((request) => request.path)).toEqual([path, path, path, path])
  expect(requests.every(({ response }) => response.status === 200)).toBe(true)
})
