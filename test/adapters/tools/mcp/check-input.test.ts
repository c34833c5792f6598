import { describe, expect, test } from 'vitest'
import { schemaCheck } from '../../../../src/adapters/tools/mcp/check-input.ts'

/** Values that `allOf` twice leads to the next of 40 definitions: 2^40 checks of one value. */
const doubling = {
  type: 'object',
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => {
      const next = { $ref: `#/$defs/d${n + 1}` }
      return [`d${n}`, n === 39 ? { required: ['missing'] } : { allOf: [next, next] }]
    }),
  ),
}
const twice = { properties: { a: { allOf: [{ $ref: '#' }, { $ref: '#' }] } }, type: 'object' }
const nested = (depth: number): object => (depth === 0 ? { a: 1 } : { a: nested(depth - 1) })

describe('a schema that takes for ever is given up, and its values pass', () => {
  test.for([
    [
      'a pattern',
      { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } },
      { text: `${'a'.repeat(900)}!` },
    ],
    ['references that double', doubling, {}],
    ['references that double with the depth of the value', twice, nested(40)],
    [
      'equal items',
      { type: 'object', properties: { list: { type: 'array', uniqueItems: true } } },
      { list: Array.from({ length: 30_000 }, (_, n) => ({ a: { n } })) },
    ],
  ] as const)('%s', ([, schema, value]) => {
    const check = schemaCheck(schema)
    expect(check(value)).toBeNull()
    // From now on nothing is checked: the same again costs no time.
    expect(check('no object')).toBeNull()
  })
})

describe('the pattern of a server', () => {
  test.for([
    ['^\\d{4}-\\d{2}-\\d{2}$', '2026-01-31', 'tomorrow'],
    ['^[\\w.+-]+@[\\w.]+$', 'ann@example.com', 'ann'],
    ['^(?:red|blue)$', 'red', 'green'],
  ] as const)('%s is kept to', ([pattern, right, wrong]) => {
    const check = schemaCheck({ type: 'object', properties: { text: { type: 'string', pattern } } })
    expect(check({ text: right })).toBeNull()
    expect(check({ text: wrong })).toHaveLength(1)
  })
})

test.for([
  { type: 'object', allOf: [{ $ref: '#' }] },
  { type: 'object', $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
])('a schema that means itself passes everything: %j', (schema) => {
  expect(schemaCheck(schema)({ text: 'hi' })).toBeNull()
})

test('a schema that calls itself asynchronous is checked like any other', () => {
  const check = schemaCheck({ type: 'object', $async: true, properties: { text: { type: 'number' } } })
  expect(check({ text: 1 })).toBeNull()
  expect(check({ text: 'hi' })).toEqual(['text: must be number'])
})
