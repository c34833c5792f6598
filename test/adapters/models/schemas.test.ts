import { describe, expect, test } from 'vitest'
import { anthropicRequests } from '../../../src/adapters/models/anthropic/request.ts'
import { flatSchema } from '../../../src/adapters/models/served/flat-schema.ts'
import { inOwnWords } from '../../../src/adapters/models/served/tool-names.ts'
import { callsOf, noUsage } from '../../../src/protocol/conversation/message.ts'
import { request } from '../../contracts/model.ts'

describe('parameters as vendors take them', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      $ref: { type: 'string' },
      at: { $ref: '#/$defs/place', description: 'Where.' },
      all: { allOf: [{ type: 'string' }, { minLength: 1 }] },
    },
    $defs: { place: { type: 'object', properties: { in: { $ref: '#/$defs/place' }, name: { type: 'string' } } } },
  }

  test('references are written out, circles end, properties keep their names', () => {
    expect(flatSchema(schema)).toEqual({
      type: 'object',
      properties: {
        $ref: { type: 'string' },
        at: { type: 'object', description: 'Where.', properties: { in: {}, name: { type: 'string' } } },
        all: { type: 'string', minLength: 1 },
      },
    })
  })

  test('one of several shapes becomes one that holds them all', () => {
    const either = {
      anyOf: [
        { type: 'object', properties: { id: { type: 'number' }, a: {} }, required: ['id', 'a'] },
        { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      ],
    }
    expect(flatSchema(either)).toEqual({
      type: 'object',
      properties: { id: { anyOf: [{ type: 'number' }, { type: 'string' }] }, a: {} },
      required: ['id'],
    })
  })

  test.for(['#/%zz', '#/$defs/%', '#/__proto__', '#/constructor/prototype'])('%s refers to nothing', ($ref) => {
    expect(flatSchema({ type: 'object', properties: { at: { $ref } } })).toEqual({
      type: 'object',
      properties: { at: {} },
    })
  })

  test('a schema that multiplies itself is cut, and soon', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => {
        const next = { $ref: `#/$defs/d${index + 1}` }
        return [`d${index}`, { type: 'object', properties: { a: next, b: next } }]
      }),
    )
    expect(JSON.stringify(flatSchema({ $ref: '#/$defs/d0', $defs })).length).toBeLessThan(500_000)
  })

  test.for([
    ['a lower end that is not included (draft 4)', { minimum: 0, exclusiveMinimum: true }, { exclusiveMinimum: 0 }],
    ['ends that are included (draft 4)', { maximum: 9, exclusiveMaximum: false }, { maximum: 9 }],
    [
      'a list of several kinds (draft 7)',
      { type: 'array', items: [{ type: 'string' }, { type: 'number' }], additionalItems: false },
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
    ],
    ['a list of whatever', { type: 'array' }, { type: 'array', items: {} }],
    ['a list or nothing', { type: ['array', 'null'] }, { type: ['array', 'null'], items: {} }],
    ['a list of lists', { items: { type: 'array' } }, { items: { type: 'array', items: {} } }],
    ['no properties, as PHP writes them', { type: 'object', properties: [] }, { type: 'object', properties: {} }],
    ['a property that may be anything', { properties: { x: true } }, { properties: { x: {} } }],
    [
      'a name that is required and unknown',
      { properties: { x: {} }, required: ['x', 'y'] },
      { properties: { x: {} }, required: ['x'] },
    ],
    ['required by itself (draft 3)', { type: 'string', required: true }, { type: 'string' }],
    ['a type that is none', { type: 'any', title: 'x' }, { title: 'x' }],
    ['types of which one is none', { type: ['string', 'file'] }, { type: ['string'] }],
    ['a choice of nothing', { type: 'string', enum: [] }, { type: 'string' }],
  ] as const)('%s', ([, given, sent]) => {
    expect(flatSchema({ properties: { at: given } })).toEqual({ type: 'object', properties: { at: sent } })
  })
})

describe('names of parameters that Anthropic does not take', () => {
  const long = 'settings__approved__or__denied__countries__or__regions__approved__list'
  const parameters = {
    type: 'object',
    properties: { $top: { type: 'number' }, '@x y': {}, [long]: {}, path: { properties: { $ok: {} } }, 'a.b-c': {} },
    required: ['$top', 'path'],
  }
  const asked = { ...request, tools: [{ name: 'Read', description: '', parameters }] }
  const sent = (text: string) =>
    (JSON.parse(text) as { tools: { input_schema: { properties: object; required: string[] } }[] }).tools[0]
      ?.input_schema

  test('are spelled otherwise, also where they are required', () => {
    const { properties = {}, required = [] } = sent(anthropicRequests('m')(asked, new Set())) ?? {}
    for (const key of Object.keys(properties)) expect(key).toMatch(/^[\w.-]{1,64}$/)
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(['path', 'a.b-c', ...required]))
    expect(required).toHaveLength(2)
  })

  test('come back as they were', () => {
    const { required = [] } = sent(anthropicRequests('m')(asked, new Set())) ?? {}
    const input = { [required[0] ?? '']: 7, path: 'a', own: { [required[0] ?? '']: 8 } }
    const call = { type: 'tool_use' as const, id: 'c', name: 'Read', input }
    const message = { role: 'assistant' as const, model: 'm', content: [call], stop: 'tools' as const, usage: noUsage }
    expect(callsOf(inOwnWords(message, asked))[0]?.input).toEqual({ ...input, [required[0] ?? '']: undefined, $top: 7 })
  })
})
