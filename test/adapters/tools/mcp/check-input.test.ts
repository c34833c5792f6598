import { describe, expect, test } from 'vitest'
import { schemaCheck } from '../../../../src/adapters/tools/mcp/check-input.ts'

describe('the pattern of a server', () => {
  test.for([
    '^(((a)(b)?)+)+$',
    '^((((a))))*((((a))))*((((a))))*$',
    `^${'a?'.repeat(60)}${'a'.repeat(60)}$`,
    '^(?:a?){40}a{40}$',
    '^a*a*a*a*a*a*a*$',
    'a*a*a*b',
    '^(?=(a+)+$)b',
    '^(a+)\\1+$',
    '^a{0,400}a{0,400}a{0,400}b$',
    'a*b|^c*d*',
  ])('%s costs no time', (pattern) => {
    const check = schemaCheck({ type: 'object', properties: { text: { type: 'string', pattern } } })
    const before = process.cpuUsage()
    for (const text of ['a'.repeat(900), 'a'.repeat(100_000)]) check({ text: `${text}!` })
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(1_000)
  })

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
