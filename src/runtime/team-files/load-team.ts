import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import type { ResolvedTeam, TeamFile, UnhashedTeam } from '../../protocol/team/team-card.ts'
import type { TeamEdit } from '../../protocol/team/team-edit.ts'
import { checkTeam } from '../../rules/team/team-check.ts'
import type { TeamProblem } from '../../rules/team/team-problem.ts'
import { pathText } from '../../adapters/teams/places.ts'
import { objectFile, readTeam } from '../../adapters/teams/read-team.ts'
import type { ProviderSpecs } from '../../protocol/words/provider-spec.ts'
import type { Extensions } from '../runs/extensions.ts'
import { knownNames, takenNames, type NameSources } from './known-names.ts'
import { placedModel, wishFor, type Wish } from './wished-model.ts'
import { toolDeclarationProblems } from './team-tool-problems.ts'
import { wrongScripts } from './wrong-scripts.ts'
import { pluginFile } from '../plugins/plugin-parts.ts'
import { skillProblems } from '../skills/skills-of.ts'
import { withServers } from './team-servers.ts'
import type { FoundServers } from '../../adapters/mcp/config/read-servers.ts'
import { ownPlace } from '../actors/own-place.ts'

export interface LoadTeamOptions extends Extensions {
  /** The directory that a relative file, and the paths in an object, start from; default: the process's directory. */
  readonly cwd?: string
  /** `provider/model` for every member, instead of what the file says. */
  readonly model?: string | undefined
  /** Models that answer for every member when its own cannot, instead of what the file says. */
  readonly fallback?: readonly string[] | undefined
  /** Values that stand for those of the file: `[{ key: 'ana.prompt', value: 'Be brief.' }]`. */
  readonly with?: readonly TeamEdit[] | undefined
  /** The last words of the system prompt of every member, after those of the file. */
  readonly appendSystemPrompt?: string | undefined
  /** Where `TROUPE_MODEL` and credentials are looked up; default: nowhere. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Servers of models beside the known ones; asked when the team names a provider that is not known. */
  readonly servers?: () => Promise<ProviderSpecs>
  /** The model of members that nobody names one for; asked when there are such. */
  readonly defaultModel?: (() => Promise<string | undefined>) | undefined
  /** MCP servers beside those of the team; read when a member names one. Default: those of the directory and of `HOME`. */
  readonly mcp?: () => FoundServers
}

/** A team that cannot be run; every mistake is in `diagnostics`. */
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
 * @param given a team file, or an object that says what a team file would
 * @returns the team with defaults filled in and files inlined
 * @throws TeamFileError with every mistake; a code `no_model` among them alone means that only a model is missing
 *
 * @example
 * const team = await loadTeam('teams/review.yaml', { model: 'anthropic/…', env: process.env })
 */
export async function loadTeam(given: string | TeamFile, options: LoadTeamOptions = {}): Promise<ResolvedTeam> {
  // Scripts are opened by the run, and their mistakes are told then.
  const { team, diagnostics } = await hashed(await judged(given, options, () => ({})))
  const mistakes = diagnostics
    .map((found): Diagnostic => (found.code === 'no_model' ? { ...found, severity: 'error' } : found))
    .filter(({ severity }) => severity === 'error')
  if (!team || mistakes.length > 0) throw new TeamFileError(mistakes)
  return team
}

/**
 * Lists all mistakes and doubts about a team, in file order; it never throws for what the team says.
 *
 * @param given a team file, or an object that says what a team file would
 * @returns the resolved team too, when enough of it is right (errors may still be among the diagnostics)
 * @example (await checkTeamFile('teams/review.yaml')).diagnostics.map(({ message }) => message)
 */
export async function checkTeamFile(
  given: string | TeamFile,
  options: LoadTeamOptions = {},
): Promise<{ readonly team?: ResolvedTeam; readonly diagnostics: readonly Diagnostic[] }> {
  return hashed(await judgeTeamFile(given, options))
}

/** The same for those who run nothing: a hash is not taken. */
export async function judgeTeamFile(given: string | TeamFile, options: LoadTeamOptions = {}): Promise<Judged> {
  return judged(given, options, wrongScripts)
}

interface Judged {
  readonly team?: UnhashedTeam
  readonly diagnostics: readonly Diagnostic[]
}

async function hashed({ team, diagnostics }: Judged): ReturnType<typeof checkTeamFile> {
  if (!team) return { diagnostics }
  const { teamHash } = await import('../../adapters/teams/team-hash.ts')
  return { team: { ...team, hash: teamHash(team) }, diagnostics }
}

async function judged(
  given: string | TeamFile,
  options: LoadTeamOptions,
  lookAtScripts: typeof wrongScripts,
): Promise<Judged> {
  const cwd = options.cwd ?? ownPlace.cwd
  let wish: Wish | undefined
  const read = await readTeam(given, {
    cwd,
    edits: options.with,
    ofPlugin: (name) => pluginFile(options.env?.['HOME'] ?? cwd, 'agents', name),
    ...(options.defaultModel && { defaultModel: options.defaultModel }),
    named(said) {
      wish = wishFor(said.model, options)
      return {
        ...(wish ? { model: placedModel(wish.model, cwd) } : {}),
        ...(options.fallback ? { fallback: options.fallback.map((model) => placedModel(model, cwd)) } : {}),
        ...(options.with ? { with: [...options.with] } : {}),
      }
    },
  })
  const { team, notes } = withServers(appended(read.team, options.appendSystemPrompt), { cwd, ...options })
  const problems = team ? await problemsOf(team, { ...options, cwd, scripts: lookAtScripts(team) }) : []
  const found = problems.flatMap((problem) => wishedWrong(problem, wish) ?? read.locate(problem) ?? [])
  const first = typeof given === 'string' ? given : objectFile
  const diagnostics = inOrder([...(await takenNames(options)), ...read.diagnostics, ...found], first)
  const told = [...diagnostics, ...notes]
  return team ? { team, diagnostics: told } : { diagnostics: told }
}

function appended(team: UnhashedTeam | undefined, words: string | undefined): UnhashedTeam | undefined {
  if (!team || words === undefined) return team
  const named = { ...team.named, append_prompt: words }
  return {
    ...team,
    named,
    append_prompt: [team.append_prompt, words].filter((text) => text !== undefined).join('\n\n'),
  }
}

/**
 * Refuses a team that names what this program does not have, as one may that another program began.
 * @throws TeamFileError with every such name
 */
export async function refuseUnknown(team: ResolvedTeam, extensions: NameSources): Promise<void> {
  const problems = checkTeam(team, await knownNames(team, extensions)).filter(({ severity }) => severity === 'error')
  const place = { file: team.file, line: 1, column: 1 }
  const unknown = problems.map((problem): Diagnostic => ({ ...problem, ...place, path: pathText(problem.path) }))
  const mistakes = [...(await takenNames(extensions)), ...unknown]
  if (mistakes.length > 0) throw new TeamFileError(mistakes)
}

/** `file:line:column severity code message (hint)`; in the place of a file that is none, the key path or the option. */
export function diagnosticLine(diagnostic: Diagnostic): string {
  const { file, line, column } = diagnostic
  const place = file.startsWith('--') ? file : `${file}:${line}:${column}`
  const { path = place, severity, code, message, hint } = diagnostic
  return `${path} ${severity} ${code} ${message}${hint === undefined ? '' : ` (${hint})`}`
}

const aboutModels = new Set(['unknown_provider', 'missing_credential', 'bad_script'])

/** The diagnostic of a model that the file does not name: its place is outside of the file. */
function wishedWrong({ path, ...problem }: TeamProblem, wish: Wish | undefined): Diagnostic | undefined {
  const isWished = wish !== undefined && aboutModels.has(problem.code) && path.at(-1) !== 'fallback'
  return isWished ? { ...problem, file: wish.word, line: 1, column: 1 } : undefined
}

async function problemsOf(
  team: UnhashedTeam,
  sources: NameSources & { readonly cwd: string },
): Promise<readonly TeamProblem[]> {
  const problems = checkTeam(team, await knownNames(team, sources))
  const own = await toolDeclarationProblems(team, sources.tools)
  const skills = await skillProblems(team, { cwd: sources.cwd, home: sources.env?.['HOME'] ?? sources.cwd })
  return [...problems, ...(await ruled(team)), ...own, ...skills]
}

/** The problems of a team's rules. The judge of rules loads the shell grammar, so teams without rules do without it. */
async function ruled(team: UnhashedTeam): Promise<readonly TeamProblem[]> {
  const says = ({ permissions, verify }: Pick<UnhashedTeam['members'][number], 'permissions' | 'verify'>): boolean =>
    verify !== undefined || Object.keys(permissions).length > 0
  if (![team, ...team.members].some(says)) return []
  const { permissionProblems } = await import('../../rules/permissions/team-permissions.ts')
  return permissionProblems(team)
}

/** The team file first, then its cards; each from top to bottom, nothing twice. */
function inOrder(diagnostics: readonly Diagnostic[], file: string): readonly Diagnostic[] {
  const rank = (diagnostic: Diagnostic): string => (diagnostic.file === file ? '' : diagnostic.file)
  const lines = new Map(diagnostics.map((diagnostic) => [diagnosticLine(diagnostic), diagnostic]))
  return [...lines.values()].toSorted(
    (left, right) => rank(left).localeCompare(rank(right)) || left.line - right.line || left.column - right.column,
  )
}
