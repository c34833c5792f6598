import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import {
  envelopeSchema,
  mailKinds,
  mailPriorities,
  outcomeStatuses,
  type Envelope,
} from '../../../src/protocol/mail/envelope.ts'
import { isPlainEnvelope, readEnvelope } from '../../../src/protocol/mail/read-envelope.ts'

const envelope: Envelope = {
  v: 1,
  id: '01J0000000000000000000000A',
  key: 'k1',
  from: 'lead@demo',
  sender: 'lead',
  seq: 1,
  to: 'writer@demo',
  kind: 'text',
  priority: 'normal',
  body: 'Begin.',
  sent_at: 1,
  mac: 'ab',
}

/** What may stand in a field: right, nearly right, or anything. */
const odd = fc.constantFrom<unknown>(
  0,
  -1,
  1.5,
  2 ** 53,
  Infinity,
  NaN,
  '',
  null,
  true,
  [],
  {},
  'Lead@demo',
  'x'.repeat(26),
)
const field = fc.constantFrom(...Object.keys(envelopeSchema.shape), 'unknown', '__proto__', 'toString')
const changes = fc.dictionary(
  field,
  fc.oneof(odd, fc.anything(), fc.constantFrom(...mailKinds, ...mailPriorities, ...outcomeStatuses)),
)
const removals = fc.subarray(Object.keys(envelope), { maxLength: 2 })

property.prop([changes, removals])(
  'whatever is taken without asking the schema, the schema takes as it is',
  (changed, removed) => {
    const value: Record<string, unknown> = { ...envelope, ...changed }
    for (const name of removed) delete value[name]
    const judged = envelopeSchema.safeParse(value)
    const read = readEnvelope(value)
    expect('envelope' in read).toBe(judged.success)
    if ('envelope' in read) expect(read.envelope).toEqual(judged.data)
  },
)

const optionals = fc.record(
  {
    incarnation: fc.string(),
    reply_to: fc.string(),
    request: fc.string(),
    status: fc.constantFrom(...outcomeStatuses),
    mac: fc.string(),
  },
  { requiredKeys: [] },
)

property.prop([optionals, fc.string(), fc.constantFrom(...mailKinds), fc.maxSafeNat()])(
  'what members write is taken without asking the schema',
  (more, body, kind, sent_at) => {
    expect(isPlainEnvelope(JSON.parse(JSON.stringify({ ...envelope, ...more, body, kind, sent_at })))).toBe(true)
  },
)

test.each([
  ['a field too many is left out', { ...envelope, colour: 'red' }, envelope],
  ['a contract is kept', { ...envelope, returns: { type: 'object' } }, { ...envelope, returns: { type: 'object' } }],
])('%s', (_, value, expected) => {
  expect(readEnvelope(value)).toEqual({ envelope: expected })
})

test('what is wrong is named by its field', () => {
  expect(readEnvelope({ ...envelope, seq: 0, to: 'nobody' })).toEqual({
    problem: 'seq: Too small: expected number to be >0; to: must look like name@team',
  })
})
