import { expect, onTestFinished, test } from 'vitest'
import type { Asked } from '../adapters/models/support/model-server.ts'
import { llamaCppServer, ollamaServer, type LocalOptions } from '../support/vendors/local-servers.ts'
import { turnsIn, type Speech } from '../support/vendors/speech.ts'
import { research } from './scenes/research.ts'
import { playScene, setUp } from './support/play-scene.ts'

/** Each member by words that it alone was told: its prompt, or its part of the question. */
const members: readonly (readonly [name: string, words: string])[] = [
  ['lead', 'You lead research on a question'],
  ['skeptic', 'Try to break each of them'],
  ['researcher-1', 'Which HTTP requests are tried again'],
  ['researcher-2', 'Which jobs are run again'],
  ['researcher-3', 'Is mail tried again when'],
]

/** The next answer of the scene for the member that asks; with calls in its text where the model knows no tools. */
function speaker(inWords: boolean): LocalOptions['speak'] {
  return ({ body, text }: Asked): Speech => {
    const [name = ''] = members.find(([, words]) => text.includes(words)) ?? []
    const turn = turnsIn('chat', body)
    const { say = '', calls = [] } = research.answers[name]?.[turn] ?? { say: `No answer ${turn} of ${name}.` }
    const told = calls.map(({ tool, input }, index) => ({ id: `${name}-${turn}-${index}`, name: tool, input }))
    if (!inWords) return { text: say, calls: told }
    const spelled = told.map((call) => JSON.stringify({ name: call.name, arguments: call.input }))
    return { text: [say, ...spelled.map((json) => `<tool_call>\n${json}\n</tool_call>`)].join('\n') }
  }
}

const qwen = { model: 'qwen2.5-7b', window: 16_384, trained: 32_768 }

test.for([
  ['llama.cpp', 'llama-cpp', llamaCppServer, false],
  ['Ollama', 'ollama', ollamaServer, false],
  ['llama.cpp without --jinja', 'llama-cpp', llamaCppServer, true],
  ['Ollama with a model without tools', 'ollama', ollamaServer, true],
] as const)('the research team works on %s, one request at a time', async ([, provider, open, toolless]) => {
  const stage = setUp(research)
  onTestFinished(stage.remove)
  const server = await open({ ...qwen, toolless, speak: speaker(toolless) })
  onTestFinished(server.close)
  const model = `${provider}/${qwen.model}`
  const env = { [`${provider === 'ollama' ? 'OLLAMA' : 'LLAMA_CPP'}_BASE_URL`]: `${server.root}/v1` }
  const { result, facts } = await playScene(research, stage, { model, env })
  expect(result).toMatchObject({ status: 'completed', result: research.answers['lead']?.at(-1)?.say })
  expect(server.busiest()).toBe(1)
  const entries = facts.map(({ entry }) => entry)
  const described = entries.filter(({ type }) => type === 'model.described')
  expect(new Set(described.map((entry) => JSON.stringify({ ...entry, id: '', seq: 0, parent: '', at: 0 }))).size).toBe(
    1,
  )
  expect(described[0]).toMatchObject({ model, window: 16_384, slots: 1, trained: 32_768 })
  const conceded = entries.flatMap((entry) => (entry.type === 'model.conceded' ? [entry.feature] : []))
  expect(new Set(conceded)).toEqual(new Set(toolless ? ['tool calls of its own'] : []))
  const calls = entries.filter(({ type }) => type === 'call.finished')
  expect(calls.length).toBe(
    Object.values(research.answers)
      .flat()
      .flatMap(({ calls = [] }) => calls).length,
  )
})
