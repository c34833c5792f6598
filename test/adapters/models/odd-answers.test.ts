import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { anthropicRequests } from '../../../src/adapters/models/anthropic/request.ts'
import { chatRequests } from '../../../src/adapters/models/chat/request.ts'
import { responsesRequests } from '../../../src/adapters/models/openai/request.ts'
import {
  assistantMessageSchema,
  callsOf,
  errorResult,
  userMessage,
  type AssistantMessage,
  type Message,
} from '../../../src/protocol/conversation/message.ts'
import { request } from '../../contracts/model.ts'
import { anthropicComplaints } from '../../support/vendors/anthropic.ts'
import { chatComplaints } from '../../support/vendors/chat.ts'
import { responsesComplaints } from '../../support/vendors/responses.ts'
import { anthropicOdd } from './odd/anthropic.ts'
import { chatOdd } from './odd/chat.ts'
import { dialectsOdd } from './odd/dialects.ts'
import { anthropicGateways, responsesGateways } from './odd/gateways.ts'
import { responsesMisplaced } from './odd/misplaced.ts'
import { responsesOdd } from './odd/responses.ts'
import { framed, hearOdd, meaningOf } from './support/odd-answer.ts'

/** Answers as servers should not give them and do: what they mean must not hang on how they are cut. */
const all = {
  anthropic: [...anthropicOdd, ...anthropicGateways],
  responses: [...responsesOdd, ...responsesGateways, ...responsesMisplaced],
  chat: [...chatOdd, ...dialectsOdd],
}
const wires = Object.keys(all) as (keyof typeof all)[]

/** The conversation goes on after it, with whichever vendor. */
function complaintsAfter(message: AssistantMessage): readonly string[] {
  const results = callsOf(message).map(({ id, name }) => errorResult(id, name, 'no'))
  const reply: Message = results.length > 0 ? { role: 'tool', results } : userMessage('And?')
  const messages = [userMessage('Go.'), message, reply, userMessage('Well?')]
  const asked = { ...request, messages }
  const nothing = new Set<never>()
  return [
    ...anthropicComplaints(anthropicRequests('m')(asked, nothing)),
    ...chatComplaints(chatRequests('m')(asked, nothing)),
    ...responsesComplaints(responsesRequests('m')(asked, nothing)),
  ]
}

describe.for(wires)('%s', (wire) => {
  test.for(all[wire])('%s', async ([, sent, means]) => {
    for (const size of [1e9, 7, 1]) {
      const message = await hearOdd(wire, sent, { size })
      expect(meaningOf(message, means)).toEqual(means)
      expect(complaintsAfter(message)).toEqual([])
    }
  })

  test('cut after any event, none makes a call that the whole one does not make', async () => {
    for (const [name, sent, means] of all[wire]) {
      const whole = [...(means.calls ?? []).map(([, input]) => input), ...(means.malformed ?? [])]
      for (const end of typeof sent === 'string' ? [] : sent.keys()) {
        if (means.stop === 'error' && end === sent.length - 1) continue
        const calls = callsOf(await hearOdd(wire, sent.slice(0, end)))
        for (const { input, malformed } of calls)
          expect({ name, whole }).toMatchObject({
            name,
            whole: expect.arrayContaining([malformed ?? input]) as unknown,
          })
      }
    }
  })

  test('an id that the conversation has had is given to no other call', async () => {
    const [, sent] = all[wire].find(([, , { calls }]) => calls?.length === 1) ?? []
    const first = await hearOdd(wire, sent ?? '')
    const again = await hearOdd(wire, sent ?? '', { asked: { ...request, messages: [userMessage('Go.'), first] } })
    expect(callsOf(again)).toHaveLength(1)
    expect(callsOf(again)[0]?.id).not.toBe(callsOf(first)[0]?.id)
  })

  const events = all[wire].flatMap(([, sent]) => (typeof sent === 'string' ? [] : sent)) as object[]
  const odd = fc.oneof(fc.constantFrom(null, {}, [], '', 7, true, 'x'), fc.jsonValue({ maxDepth: 2 }))
  const path = fc.array(fc.nat(9), { minLength: 1, maxLength: 6 })
  const mutated = fc.tuple(fc.constantFrom(...events), path, odd).map((given) => changed(...given))

  property.prop([fc.array(fc.oneof(fc.constantFrom(...events), mutated), { maxLength: 12 }), fc.constantFrom(1e9, 9)])(
    'whatever fields hold, there is one settled message that is one',
    async (sent, size) => {
      const message = await hearOdd(wire, framed(sent), { size })
      expect(assistantMessageSchema.parse(message)).toEqual(message)
      if (message.failure === undefined) expect(complaintsAfter(message)).toEqual([])
    },
  )
})

/** The event with another value somewhere inside. */
function changed(event: unknown, [step = 0, ...steps]: readonly number[], value: unknown): unknown {
  if (typeof event !== 'object' || event === null) return value
  const keys = Object.keys(event)
  const key = keys[step % keys.length]
  if (key === undefined) return value
  const inner = steps.length === 0 ? value : changed((event as Record<string, unknown>)[key], steps, value)
  if (Array.isArray(event)) return event.with(Number(key), inner)
  return { ...event, [key]: inner }
}
