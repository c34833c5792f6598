import { expect, test } from 'vitest'
import { chatRefusals, chatRequests } from '../../../src/adapters/models/chat/request.ts'
import { plainSchema } from '../../../src/adapters/models/served/plain-schema.ts'
import { userMessage } from '../../../src/protocol/conversation/message.ts'
import { request } from '../../contracts/model.ts'

/** What Gemini takes of a schema, and what it says of the rest. */

test.for([
  ['words that it does not know', { type: 'string', minLength: 1, $x: 1, examples: ['a'] }, { type: 'string' }],
  ['ends', { type: 'number', minimum: 1, exclusiveMaximum: 9 }, { type: 'number', minimum: 1 }],
  ['one value', { const: 'a' }, { type: 'string', enum: ['a'] }],
  ['one value that is no text', { const: 7 }, { type: 'number' }],
  ['values that are no texts', { type: 'integer', enum: [1, 2] }, { type: 'integer' }],
  ['a type or nothing', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
  [
    'several types',
    { type: ['string', 'number'], description: 'd' },
    { description: 'd', anyOf: [{ type: 'string' }, { type: 'number' }] },
  ],
  [
    'one of several',
    { oneOf: [{ const: 'a' }, { type: 'null' }] },
    { anyOf: [{ type: 'string', enum: ['a'] }], nullable: true },
  ],
  ['a list', { type: 'array', items: { uniqueItems: true } }, { type: 'array', items: {} }],
  [
    'an object',
    { type: 'object', properties: { title: { const: 'x' } }, required: ['title'], additionalProperties: false },
    { type: 'object', properties: { title: { type: 'string', enum: ['x'] } }, required: ['title'] },
  ],
] as const)('%s', ([, given, plain]) => {
  expect(plainSchema(given)).toEqual(plain)
})

test('is what a server gets that refused more', () => {
  const refusal =
    'Invalid JSON payload received. Unknown name "const" at \'tools[0].function_declarations[0].parameters.properties[0].value\''
  expect(refusal).toMatch(chatRefusals.schemas)
  const tools = [{ name: 'Read', description: '', parameters: { properties: { a: { const: 'x' } } } }]
  const asked = { ...request, tools, messages: [userMessage('go')] }
  expect(chatRequests('m')(asked, new Set())).toContain('"const"')
  expect(chatRequests('m')(asked, new Set(['schemas']))).not.toContain('"const"')
})
