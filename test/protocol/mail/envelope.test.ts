import { expect, test } from 'vitest'
import { readEnvelope, type Envelope } from '../../../src/protocol/mail/envelope.ts'

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

test.each([
  ['an envelope is read as it is', envelope, envelope],
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

test.each([
  ['another version', { v: 2 }],
  ['an id of another length', { id: 'short' }],
  ['a kind that there is not', { kind: 'gossip' }],
  ['a priority that there is not', { priority: 'high' }],
  ['a number beyond the safe ones', { seq: 2 ** 53 }],
  ['a time that is none', { sent_at: Number.NaN }],
  ['a sender that is no member', { from: 'Lead@demo' }],
  ['a status that there is not', { status: 'fine' }],
  ['no text', { body: undefined }],
])('%s is refused', (_, change) => {
  expect(readEnvelope({ ...envelope, ...change })).toHaveProperty('problem')
})
