import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import { teamFileSchema, type TeamFile } from '../../protocol/team/team-card.ts'
import type { KeyPath } from './places.ts'
import { prune } from './prune.ts'
import { schemaDiagnostics } from './schema-issues.ts'
import type { YamlSource } from './yaml-source.ts'

/** What a team file says, as far as it can be relied upon. */
export interface JudgedTeam {
  /** Present when enough of the file is right to judge the rest of it. */
  readonly team?: TeamFile
  readonly diagnostics: readonly Diagnostic[]
  /** What was cut out of the file before the rest was judged. */
  readonly cuts: readonly KeyPath[]
}

/** Holds a file against the schema: every mistake with its place, and what remains without them. */
export function judgeTeam(yaml: YamlSource): JudgedTeam {
  const parsed = teamFileSchema.safeParse(yaml.value)
  if (parsed.success) return { team: parsed.data, diagnostics: [], cuts: [] }
  const { issues } = parsed.error
  const diagnostics = schemaDiagnostics(issues, yaml, teamFileSchema)
  const { value, cuts } = prune(yaml.value, issues)
  const rest = teamFileSchema.safeParse(withStandIns(value))
  return rest.success ? { team: rest.data, diagnostics, cuts } : { diagnostics, cuts }
}

/** A file whose name or coordinator is wrong is still judged for the rest. */
function withStandIns(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return { name: 'team', coordinator: {}, ...value }
}
