import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fc } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { fit } from '../../../src/adapters/teams/fit.ts'
import { strictSchema } from '../../../src/adapters/teams/strict-schema.ts'
import { teamFileSchema } from '../../../src/protocol/team/team-card.ts'

const schema = await strictSchema()
const shipped = readdirSync('teams').filter((file) => file.endsWith('.yaml'))
const teams = shipped.map((file): unknown => parse(readFileSync(join('teams', file), 'utf8')))

const oddValues: readonly unknown[] = [
  null,
  true,
  0,
  1,
  -1,
  1.5,
  Infinity,
  Number.NaN,
  2 ** 53,
  '',
  'x',
  'a/b',
  '10m',
  '0s',
  'Ä',
  [],
  {},
  undefined,
  new Date(0),
  new Map(),
  new Set(['a']),
  { type: 'object' },
  { quorum: 2 },
  { count: 1, age: '1h' },
  { idle: '0s' },
]

/** Says nothing, or what zod says, word for word and key by key. */
function agrees(value: unknown): boolean {
  const fitting = fit(schema, value)
  if (fitting === undefined) return true
  const { success, data } = teamFileSchema.safeParse(value)
  return success && JSON.stringify(data) === JSON.stringify(fitting)
}

describe('a value that fits the schema', () => {
  test.each(shipped.map((file, i) => [file, teams[i]]))('%s fits as it is', (_, team) => {
    expect(JSON.stringify(fit(schema, team))).toBe(JSON.stringify(teamFileSchema.parse(team)))
  })

  test('is one that zod takes: any key of a team put to any value, any key added', () => {
    const keys = fc.constantFrom(
      ...new Set(teams.flatMap(keysIn)),
      'budget',
      'limits',
      'scope',
      'timeouts',
      'mail',
      '__proto__',
      '',
    )
    const odd = fc.constantFrom<unknown>(...oddValues)
    const value = fc.oneof(
      odd,
      fc.jsonValue(),
      fc.array(odd, { maxLength: 3 }),
      fc.dictionary(keys, odd, { maxKeys: 3 }),
    )
    const change = fc.record({ at: fc.nat(), key: keys, value })
    let taken = 0
    fc.assert(
      fc.property(fc.constantFrom(...teams), fc.array(change, { minLength: 1, maxLength: 3 }), (team, changes) => {
        const changed = changes.reduce(
          (whole, { at, key, value: put }) => withKey(whole, at, key, structuredClone(put)),
          structuredClone(team),
        )
        if (fit(schema, changed) !== undefined) taken += 1
        return agrees(changed)
      }),
      { numRuns: 5_000 },
    )
    // Both ways were gone.
    expect(taken).toBeGreaterThan(0)
  })

  test('what zod looks at in code is left to zod', () => {
    const [team] = teams as [object]
    for (const more of [{ timeouts: { idle: '0s' } }, { timeouts: { idle: '10s' } }, { workers: {} }])
      expect(fit(schema, { ...team, ...more })).toBeUndefined()
    const tool = { description: 'd', url: 'http://x' }
    expect(fit(schema, { ...team, http_tools: { Tool: tool } })).toBeDefined()
    for (const input of [{ type: 'string' }, { type: 'object' }, undefined])
      expect(fit(schema, { ...team, http_tools: { Tool: { ...tool, input } } })).toBeUndefined()
  })

  test('a word that is not known here fits nothing', () => {
    expect(fit({ type: 'string', format: 'uri' } as object, 'http://x')).toBeUndefined()
    expect(fit({ type: 'object', properties: {} }, {})).toBeUndefined()
    expect(fit({ type: 'null' }, null)).toBeUndefined()
  })
})

function keysIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(keysIn)]
}

/** A key of the `at`-th map or list inside put to a value. */
function withKey(whole: unknown, at: number, key: string, value: unknown): unknown {
  const places = placesIn(whole)
  const place = places[at % places.length]
  if (Array.isArray(place)) place.push(value)
  else if (place) Object.defineProperty(place, key, { value, enumerable: true, configurable: true, writable: true })
  return whole
}

function placesIn(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(placesIn)]
}
