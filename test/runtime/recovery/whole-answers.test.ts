import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../../src/adapters/tools/define/define-tool.ts'
import { createAgent } from '../../../src/runtime/agent/create-agent.ts'
import { modelServer, sendEvents, type Asked } from '../../adapters/models/support/model-server.ts'
import { tempDir } from '../support/stage.ts'

const needed = 60_000

/** The Messages API of a model that wants to write one file of 60,000 tokens, and the answers that it is cut at. */
async function writerOfAFile() {
  const server = await modelServer(({ body }, response) => {
    const most = Number(body['max_tokens'])
    const hasResults = JSON.stringify(body['messages']).includes('tool_result')
    const whole = hasResults || most >= needed
    const input = `{"text":"${'x'.repeat(50)}${whole ? '"}' : ''}`
    const call = [
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 't1', name: 'Write', input: {} },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: input } },
      ...(whole ? [{ type: 'content_block_stop', index: 0 }] : []),
    ]
    const text = [
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Written.' } },
      { type: 'content_block_stop', index: 0 },
    ]
    const called = whole ? 'tool_use' : 'max_tokens'
    const stop_reason = hasResults ? 'end_turn' : called
    sendEvents(response, [
      { type: 'message_start', message: { role: 'assistant', usage: { input_tokens: 100, output_tokens: 1 } } },
      ...(hasResults ? text : call),
      { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: Math.min(most, needed) } },
      { type: 'message_stop' },
    ])
  })
  onTestFinished(server.close)
  return server
}

async function writing(model: string, more: object = {}) {
  const server = await writerOfAFile()
  const written: string[] = []
  const write = defineTool({
    name: 'Write',
    description: 'Writes a file.',
    input: z.object({ text: z.string() }),
    effect: 'edit',
    async run({ text }) {
      written.push(text)
      return { content: [{ type: 'text', text: 'ok' }] }
    },
  })
  const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: server.root }
  const agent = createAgent({
    model,
    env,
    home: tempDir(),
    tools: [write],
    permissions: { mode: 'bypassPermissions' as const },
    ...more,
  })
  const result = await agent.run('Write the file.').result
  return { result, written, asked: server.asked.map(({ body }) => body['max_tokens']), server }
}

const lastSaid = ({ body }: Asked): string => JSON.stringify((body['messages'] as readonly unknown[]).at(-1))

test('an answer that the first limit cuts off is asked for again, as long as the model can', async () => {
  const { result, written, asked } = await writing('anthropic/claude-sonnet-4-5')
  expect(asked).toEqual([32_000, 64_000, 32_000])
  expect(written).toHaveLength(1)
  expect(result).toMatchObject({ reason: 'completed', text: 'Written.' })
})

test('where the model cannot, its call is told as cut off, and the run ends as cut', async () => {
  const { result, written, asked, server } = await writing('anthropic/claude-3-5-haiku-latest')
  expect(asked).toEqual([8_192, 8_192, 8_192, 8_192])
  expect(written).toEqual([])
  expect(result.reason).toBe('cut')
  expect(lastSaid(server.asked[1] as Asked)).toContain('Your call to Write was cut off at 8192 tokens')
})

test("a person's own limit is asked for at once", async () => {
  const { result, asked } = await writing('anthropic/claude-opus-5', { maxOutput: 61_000 })
  expect(asked).toEqual([61_000, 61_000])
  expect(result.reason).toBe('completed')
})

/** A local server whose model answers with these texts in turn, the last one for ever. */
async function sayingInTurn(...texts: readonly string[]) {
  let asked = 0
  const server = await modelServer((_, response) => {
    const content = texts[Math.min(asked++, texts.length - 1)]
    const choice = { index: 0, delta: { role: 'assistant', content }, finish_reason: 'stop' }
    sendEvents(response, [{ choices: [choice] }, '[DONE]'])
  })
  onTestFinished(server.close)
  const env = { OPENAI_COMPATIBLE_API_KEY: 'k', OPENAI_COMPATIBLE_BASE_URL: `${server.root}/v1` }
  const agent = createAgent({ model: 'openai-compatible/small', env, home: tempDir() })
  return { agent, server }
}

test('an answer without a word is asked for once more, then for its text, and then the run has failed', async () => {
  const { agent, server } = await sayingInTurn('', 'Here.', '')
  expect(await agent.run('Hello?').result).toMatchObject({ reason: 'completed', text: 'Here.' })
  expect(await agent.run('And now?').result).toMatchObject({
    reason: 'no_answer',
    text: '',
    failure: { code: 'no_answer' },
  })
  expect(server.asked).toHaveLength(6)
  expect(lastSaid(server.asked[5] as Asked)).toContain('Your turn ended without a text')
})
