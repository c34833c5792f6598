import { dirname, resolve } from 'node:path'
import { teamTestSchema, type TeamTest } from '../../protocol/team/team-test.ts'
import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import { jsonSchemaOf, type JsonSchema } from './json-schema.ts'
import { isSource, readSource } from './read-source.ts'
import { schemaDiagnostics } from './schema-issues.ts'
import { parseYaml } from './yaml-source.ts'

/** A test file with its paths found, or its mistakes. */
export type TeamTestRead =
  | { readonly test: TeamTest; readonly place: (key: string) => Pick<Diagnostic, 'line' | 'column'> }
  | { readonly diagnostics: readonly Diagnostic[] }

/**
 * Reads a test of a team; every mistake is told with its place.
 * @param file absolute
 */
export function readTeamTest(file: string): TeamTestRead {
  const read = readSource(file, file)
  if (!isSource(read)) return { diagnostics: [read] }
  const source = parseYaml(file, read.text)
  const { data, error } = teamTestSchema.safeParse(source.value)
  const wrong = error ? schemaDiagnostics(error.issues, source, teamTestSchema) : []
  if (!data || !source.sound) return { diagnostics: [...source.diagnostics, ...wrong] }
  const beside = (path: string): string => resolve(dirname(file), path)
  const { team, cassette } = data
  const test = { ...data, team: beside(team), ...(cassette === undefined ? {} : { cassette: beside(cassette) }) }
  return { test, place: (key) => source.place(['expect', ...key.split('.')]) }
}

/** The JSON Schema of a test file, for editors. */
export function teamTestJsonSchema(): JsonSchema {
  return jsonSchemaOf(teamTestSchema)
}
