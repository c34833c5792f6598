import { expect, test } from 'vitest'
import { jsonSchemaOf, type JsonSchema } from '../../../src/adapters/teams/json-schema.ts'
import { resolveTeam } from '../../../src/adapters/teams/resolve-team.ts'
import { teamHash } from '../../../src/adapters/teams/team-hash.ts'
import { resolvedTeamSchema, teamFileSchema } from '../../../src/protocol/team/team-card.ts'

/*
 * What a team file may say must stand in `run.json` as that file's schema has it, or nobody can resume the run, write to
 * it or list its members. Every number and every duration of the schema is tried at its edges.
 */
type Path = readonly string[]

const smallest = { name: 'demo', model: 'scripted/a.yaml', coordinator: {}, workers: { w: { description: 'Works.' } } }

/** What else a part must say when one key of it is said. */
const company: Readonly<Record<string, object>> = { verify: { command: 'make' } }

function edgesOf({ type, pattern, minimum, exclusiveMinimum, maximum }: JsonSchema): readonly unknown[] {
  const isDuration = pattern?.includes('(ms|s|m|h)') === true
  if (type === 'string') return isDuration ? ['0ms', '00h', '1ms', '99999999999h'] : []
  if (type !== 'number' && type !== 'integer') return []
  return [-1, 0, 0.5, 1, minimum, exclusiveMinimum, maximum, 1e15].filter((edge) => edge !== undefined)
}

function edges(schema: JsonSchema, path: Path = []): (readonly [Path, unknown])[] {
  const { anyOf = [], properties = {}, additionalProperties, items } = schema
  const below = Object.entries(properties)
  if (typeof additionalProperties === 'object') below.push(['w', additionalProperties])
  return [
    ...edgesOf(schema).map((edge) => [path, edge] as const),
    ...anyOf.flatMap((option) => edges(option, path)),
    ...below.flatMap(([key, part]) => edges(part, [...path, key])),
    ...(items ? edges(items, [...path, '0']) : []),
  ]
}

function withValue(whole: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value
  if (key === '0') return [withValue(undefined, rest, value)]
  const before: Record<string, unknown> = { ...(whole as object) }
  return { ...before, [key]: withValue(before[key] ?? company[key], rest, value) }
}

const cases = edges(jsonSchemaOf(teamFileSchema)).flatMap(([path, edge]) => {
  const { success, data } = teamFileSchema.safeParse(withValue(smallest, path, edge))
  return success ? [{ where: `${path.join('.')}: ${String(edge)}`, data }] : []
})

test('the edges of all that can be counted are tried', () => {
  const tried = cases.map(({ where }) => where)
  expect(tried).toContain('coordinator.gather.timeout: 1ms')
  expect(tried).toContain('workers.w.verify.timeout: 99999999999h')
  expect(tried.length).toBeGreaterThan(100)
})

test.each(cases)('$where is read back as it was written', ({ data }) => {
  const { team } = resolveTeam({ team: data, coordinator: data.coordinator, workers: data.workers }, '/t/demo.yaml')
  const written = { ...team, hash: teamHash(team) }
  expect(resolvedTeamSchema.parse(JSON.parse(JSON.stringify(written)))).toEqual(JSON.parse(JSON.stringify(written)))
})
