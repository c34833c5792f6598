import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readJournal } from '../../../src/adapters/sessions/read-journal.ts'
import { createAgent } from '../../../src/runtime/agent/create-agent.ts'
import { modelServer, sendEvents, sendJson } from '../../adapters/models/support/model-server.ts'
import { tempDir } from '../support/stage.ts'

/** By the usual guess 133,000 tokens: close to where compaction starts in a window of 200,000. */
const closeText = 'word '.repeat(80_000)

const answer = [
  { type: 'message_start', message: { role: 'assistant', usage: { input_tokens: 100, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Yes.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
]

/** Runs prompts against a Messages server; `counts` are its counts in turn, null where it knows no such path. */
async function asking(prompts: readonly string[], ...counts: readonly (number | null)[]) {
  const left = [...counts]
  const server = await modelServer(({ path }, response) => {
    const isCount = path.endsWith('/count_tokens')
    const input_tokens = isCount ? (left.shift() ?? null) : null
    if (!isCount) sendEvents(response, answer)
    else if (input_tokens === null) sendJson(response, 404, { type: 'error', error: { type: 'not_found_error' } })
    else sendJson(response, 200, { input_tokens })
  })
  onTestFinished(server.close)
  const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: server.root }
  const runDir = tempDir()
  const agent = createAgent({ name: 'ann', model: 'anthropic/claude-sonnet-4-5', env, home: tempDir(), runDir })
  for (const prompt of prompts) expect((await agent.run(prompt).result).reason).toBe('completed')
  const { entries } = readJournal(join(runDir, 'ann.jsonl'))
  const told = entries.filter(({ type }) => type === 'model.counted' || type === 'context.compacted')
  return { paths: server.asked.map(({ path }) => path.split('/').at(-1)), told }
}

test('a request far from every bound is never counted', async () => {
  expect((await asking(['Hello.', 'Again.'])).paths).toEqual(['messages', 'messages'])
})

test('a request close to a bound is counted once, and the count goes before the guess', async () => {
  const { paths, told } = await asking([`${closeText}${closeText.slice(0, 9_000)}`], 90_000)
  expect(paths).toEqual(['count_tokens', 'messages'])
  expect(told).toMatchObject([{ type: 'model.counted', model: 'anthropic/claude-sonnet-4-5', turn: 1, tokens: 90_000 }])
})

test('a conversation that is longer than the guess is made shorter before it is asked', async () => {
  const { told } = await asking([closeText, closeText.slice(0, 390_000)], 90_000, 150_000)
  expect(told).toMatchObject([
    { type: 'model.counted', tokens: 90_000 },
    { type: 'model.counted', tokens: 150_000 },
    { type: 'context.compacted', trigger: 'auto' },
  ])
})

test('a server that does not count leaves it at the guess', async () => {
  const { paths, told } = await asking([closeText], null)
  expect(paths).toEqual(['count_tokens', 'messages'])
  expect(told).toEqual([])
})
