import { describe, expect, test } from 'vitest'
import { checkContract, contractFlaw } from '../../../src/adapters/contracts/check-contract.ts'

const contract = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: { n: { type: 'integer' }, when: { type: 'string', format: 'date' } },
  required: ['n'],
  additionalProperties: false,
}

describe('a contract', () => {
  test.each([
    ['bare', '{"n": 1}'],
    ['fenced', '```json\n{"n": 1}\n```'],
    ['fenced after words', 'Here it is:\n```\n{"n": 1}\n```\n'],
  ])('is kept %s', (_, text) => {
    expect(checkContract(contract, text)).toEqual({ json: '{"n":1}' })
  })

  test('is broken with every reason at once', () => {
    expect(checkContract(contract, '{"n": "1", "m": 2}')).toEqual({
      problems: ['the value must NOT have additional properties: m', '/n must be integer'],
    })
    expect(checkContract(contract, 'One.')).toEqual({ problems: ['it is not one JSON value'] })
  })

  test('that is no schema, refers elsewhere or is a document is refused', () => {
    expect(contractFlaw(contract)).toBeNull()
    expect(contractFlaw({ type: 'objekt' })).toContain('schema is invalid')
    expect(contractFlaw({ $ref: 'https://example.com/schema.json' })).toContain("can't resolve reference")
    expect(contractFlaw({ description: 'x'.repeat(20_000) })).toContain('longer than')
  })
})
