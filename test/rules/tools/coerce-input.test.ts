import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { coerceInput } from '../../../src/rules/tools/coerce-input.ts'

function read(value: unknown, type: unknown): unknown {
  const schema = { properties: { x: type } }
  const coerced = coerceInput({ x: value }, schema)
  return coerced === null ? null : (coerced.input as { x: unknown }).x
}

describe('the table of readings', () => {
  test.each([
    ['true', 'boolean', true],
    ['Yes', 'boolean', true],
    ['1', 'boolean', true],
    [1, 'boolean', true],
    ['no', 'boolean', false],
    ['0', 'boolean', false],
    ['maybe', 'boolean', null],
    [2, 'boolean', null],
    ['12', 'integer', 12],
    [' -3 ', 'integer', -3],
    ['1.5', 'integer', null],
    ['9007199254740993', 'integer', null],
    ['1.5', 'number', 1.5],
    ['1e3', 'number', 1_000],
    ['', 'number', null],
    ['0x10', 'number', null],
    ['Infinity', 'number', null],
    ['1e999', 'number', null],
    ['[1,2]', 'array', [1, 2]],
    ['{"a":1}', 'array', null],
    ['{"a":1}', 'object', { a: 1 }],
    ['null', 'object', null],
    ['{"a":', 'object', null],
    [12, 'string', '12'],
    [false, 'string', 'false'],
    [[1], 'string', null],
    ['a', 'constructor', null],
    [{ a: 1 }, 'string', null],
    [true, 'number', null],
  ])('%j as %s', (value, type, expected) => {
    expect(read(value, { type })).toEqual(expected)
  })

  test.each([
    [
      ['1', 2],
      [1, 2],
    ],
    ['1', [1]],
    [3, [3]],
    ['[1,2]', [1, 2]],
    [[1, 2], null],
    [[], null],
    [['x'], null],
    [[['1']], null],
    ['x', null],
    [null, null],
  ])('%j as a list of integers', (value, expected) => {
    const schema = { properties: { x: { type: 'array', items: { type: 'integer' } } }, required: ['x'] }
    expect(coerceInput({ x: value }, schema)?.input ?? null).toEqual(expected && { x: expected })
  })

  test('a type among several that fits already is left alone, else the first that can be read counts', () => {
    expect(read('5', { anyOf: [{ type: 'integer' }, { type: 'string' }] })).toBeNull()
    expect(read('5', { type: ['boolean', 'integer'] })).toBe(5)
    expect(read('2', { enum: [1, 2] })).toBe(2)
    expect(read('5', {})).toBeNull()
  })

  test('null for what may be missing means missing, for what is required it stays wrong', () => {
    const schema = { properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a'] }
    expect(coerceInput({ a: 'x', b: null }, schema)).toEqual({
      input: { a: 'x' },
      changes: [{ field: 'b', from: 'null', to: 'missing' }],
    })
    expect(coerceInput({ a: null }, schema)).toBeNull()
  })

  test('a whole input that was written as text is read', () => {
    expect(coerceInput('{"n":"1"}', { properties: { n: { type: 'integer' } } })).toEqual({
      input: { n: 1 },
      changes: [
        { field: '', from: 'string', to: 'object' },
        { field: 'n', from: 'string', to: 'integer' },
      ],
    })
    expect(coerceInput('hello', {})).toBeNull()
  })
})

describe('for any input', () => {
  const types = fc.constantFrom('string', 'number', 'integer', 'boolean', 'array', 'object')
  const keys = fc.constantFrom('a', 'b', 'c')
  const schemas = fc.dictionary(keys, fc.record({ type: types })).map((properties) => ({ properties }))
  const written = fc.oneof(fc.jsonValue(), fc.json(), fc.integer().map(String), fc.constantFrom('yes', 'no', '1.5'))
  const inputs = fc.dictionary(keys, written)

  test('it says every change, and touches nothing else', () => {
    let read = 0
    fc.assert(
      fc.property(inputs, schemas, (input, schema) => {
        const before = JSON.stringify(input)
        const coerced = coerceInput(input, schema)
        read += coerced === null ? 0 : 1
        const changed = new Set(coerced?.changes.map(({ field }) => field) ?? [])
        const after = (coerced?.input ?? input) as Record<string, unknown>
        const kept = Object.keys(input).filter((field) => !changed.has(field))
        expect(kept.map((field) => after[field])).toEqual(kept.map((field) => input[field]))
        expect(JSON.stringify(input)).toBe(before)
      }),
    )
    expect(read).toBeGreaterThan(0)
  })

  test('what was read once needs no second reading', () => {
    fc.assert(
      fc.property(inputs, schemas, (input, schema) => {
        const coerced = coerceInput(input, schema)
        const again = coerced === null ? null : coerceInput(coerced.input, schema)
        expect(again).toBeNull()
      }),
    )
  })
})
