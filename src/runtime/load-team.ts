import { resolve } from 'node:path'
import { cwd as here } from 'node:process'
import type { Diagnostic } from '../protocol/diagnostic.ts'
import { executorKinds, type ResolvedTeam, type TeamFile } from '../protocol/team-card.ts'
import { checkTeam } from '../rules/team-check.ts'
import { providers } from '../adapters/models/catalog.ts'
import { teamJsonSchema } from '../adapters/teams/json-schema.ts'
import { readTeam, type TeamRead } from '../adapters/teams/read-team.ts'
import { builtinTools, coordinatorToolNames } from '../adapters/tools/registry.ts'
import { ownToolNames, toolDeclarationProblems } from './team-tool-problems.ts'

export interface LoadTeamOptions {
  /** What a relative file starts from; default: the process's directory. */
  readonly cwd?: string
  /** `provider/model` for every member, instead of what the file says. */
  readonly model?: string
  /** Where `TROUPE_MODEL` and credentials are looked up; default: nowhere. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** A team file that cannot be run; every mistake is in `diagnostics`. */
export class TeamFileError extends Error {
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map((diagnostic) => diagnosticLine(diagnostic)).join('\n'))
    this.name = 'TeamFileError'
    this.diagnostics = diagnostics
  }
}

/**
 * Loads a team to be run: read, validated, resolved, checked.
 *
 * @returns the team with defaults filled in and files inlined
 * @throws TeamFileError with every mistake; a code `no_model` among them alone means that only a model is missing
 *
 * @example
 * const team = await loadTeam('teams/review.yaml', { model: 'anthropic/…', env: process.env })
 */
export async function loadTeam(file: string, options: LoadTeamOptions = {}): Promise<ResolvedTeam> {
  const { team, diagnostics } = await checkTeamFile(file, options)
  const mistakes = diagnostics
    .map((found): Diagnostic => (found.code === 'no_model' ? { ...found, severity: 'error' } : found))
    .filter(({ severity }) => severity === 'error')
  if (!team || mistakes.length > 0) throw new TeamFileError(mistakes)
  return team
}

/**
 * Everything that is wrong or doubtful about a team file, in file order; it never throws for what a file says.
 *
 * @returns the resolved team too, when enough of the file is right (errors may still be among the diagnostics)
 */
export async function checkTeamFile(
  file: string,
  options: LoadTeamOptions = {},
): Promise<{ readonly team?: ResolvedTeam; readonly diagnostics: readonly Diagnostic[] }> {
  const cwd = options.cwd ?? here()
  const read = await readTeam(file, { cwd, modelFor: (team) => modelFor(team, options, cwd) })
  const { team } = read
  const diagnostics = inOrder([...read.diagnostics, ...(team ? judged(team, read, options.env ?? {}) : [])], file)
  return team ? { team, diagnostics } : { diagnostics }
}

/** The JSON Schema of a team file, as `troupe schema` prints it. */
export function teamSchema(): Readonly<Record<string, unknown>> {
  return { ...teamJsonSchema() }
}

/** `file:line:column severity code message (hint)`. */
export function diagnosticLine(diagnostic: Diagnostic): string {
  const { file, line, column, severity, code, message, hint } = diagnostic
  return `${file}:${line}:${column} ${severity} ${code} ${message}${hint === undefined ? '' : ` (${hint})`}`
}

/**
 * `--model` speaks for the whole team. `TROUPE_MODEL` does too, except where the file names a script: such a team
 * brings its own answers. A script named by a person lies where the person is, not beside the team file.
 */
function modelFor(team: TeamFile, options: LoadTeamOptions, cwd: string): string | undefined {
  const wished = options.model ?? (isScripted(team.model) ? undefined : options.env?.['TROUPE_MODEL'] || undefined)
  if (!isScripted(wished)) return wished
  const slash = wished.indexOf('/')
  return `${wished.slice(0, slash)}/${resolve(cwd, wished.slice(slash + 1))}`
}

function isScripted(model: string | undefined): model is string {
  return model !== undefined && /^(scripted|recorded)\//.test(model)
}

function judged(
  team: ResolvedTeam,
  read: TeamRead,
  env: Readonly<Record<string, string | undefined>>,
): readonly Diagnostic[] {
  const problems = checkTeam(team, {
    tools: [...builtinTools.map(({ name }) => name), ...ownToolNames(team)],
    coordinatorTools: coordinatorToolNames,
    providers: providers.map(({ name }) => name),
    executors: executorKinds,
    credentials: Object.fromEntries(
      providers.flatMap(({ name, variable }) =>
        variable === null ? [] : [[name, { variable, present: Boolean(env[variable]) }]],
      ),
    ),
  })
  return [...problems, ...toolDeclarationProblems(team)].flatMap((problem) => read.locate(problem) ?? [])
}

/** The team file first, then its cards; each from top to bottom, nothing twice. */
function inOrder(diagnostics: readonly Diagnostic[], file: string): readonly Diagnostic[] {
  const rank = (diagnostic: Diagnostic): string => (diagnostic.file === file ? '' : diagnostic.file)
  const lines = new Map(diagnostics.map((diagnostic) => [diagnosticLine(diagnostic), diagnostic]))
  return [...lines.values()].toSorted(
    (left, right) => rank(left).localeCompare(rank(right)) || left.line - right.line || left.column - right.column,
  )
}
