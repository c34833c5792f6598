import { expect, test } from 'vitest'
import type { AssistantMessage } from '../../../src/protocol/conversation/message.ts'
import { consultations } from '../../../src/protocol/models/model-fact.ts'
import type { Model, ModelRequest } from '../../../src/protocol/models/model.ts'
import { consultModel } from '../../../src/runtime/recovery/consult.ts'

const usage = { input: 0, output: 0, cache_read: 0, cache_write: 0 }
const answer: AssistantMessage = { role: 'assistant', model: 'm', content: [], stop: 'end', usage }

test('a server that says nothing is waited for only where the work waits for the answer', async () => {
  const asked: (boolean | undefined)[] = []
  const model: Model = {
    name: 'any/model',
    async *stream({ hurried }) {
      asked.push(hurried)
      yield { type: 'settled', message: answer }
    },
  }
  const parts = { clock: { now: () => 0 }, meter: null, price: async () => null, note: () => undefined }
  const request: ModelRequest = { agent: 'ana', system: '', messages: [], tools: [] }
  const { signal } = new AbortController()
  for (const purpose of consultations) await consultModel(parts, { model, request, purpose, signal })
  expect(Object.fromEntries(consultations.map((purpose, at) => [purpose, asked[at] === true]))).toMatchObject({
    summary: true,
    permission: true,
    advice: false,
    sampling: false,
  })
})
