import { resolve } from 'node:path'
import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import { teamFileSchema, type TeamFile, type UnhashedTeam, type WorkerFile } from '../../protocol/team/team-card.ts'
import type { NamedModels } from './named-models.ts'
import { withEdits } from './team-edits.ts'
import type { TeamEdit } from '../../protocol/team/team-edit.ts'
import type { TeamProblem } from '../../rules/team/team-problem.ts'
import { readCard, realPath, type FindCard } from './card-chain.ts'
import { findCodeTools } from './code-tools.ts'
import { pathText, start, valueAt, type KeyPath, type PlacedValue } from './places.ts'
import { isAbout, prune } from './prune.ts'
import { isSource, readSource } from './read-source.ts'
import { resolveTeam, type TeamParts } from './resolve-team.ts'
import { schemaDiagnostics } from './schema-issues.ts'
import { parseYaml } from './yaml-source.ts'
import { isRecord } from '../../protocol/words/is-record.ts'

/** The team that a file describes, and all mistakes in the file. */
export interface TeamRead {
  /** Present when enough of the file is right to judge the rest of it. */
  readonly team?: UnhashedTeam
  readonly diagnostics: readonly Diagnostic[]
  /** Turns a mistake found later, by key path, into a diagnostic; undefined when it is about a part that was cut. */
  locate(problem: TeamProblem): Diagnostic | undefined
}

export interface ReadTeamOptions {
  /** The directory that a relative file, and the paths in a team that is no file, start from. */
  readonly cwd: string
  /** Models for every member, instead of what the file says. */
  readonly named?: (team: TeamFile) => NamedModels
  /** Values that stand for those of the file. */
  readonly edits?: readonly TeamEdit[] | undefined
  /** Finds the cards of plugins. */
  readonly ofPlugin?: FindCard
  /** The model of those that nobody names one for. */
  readonly defaultModel?: () => Promise<string | undefined>
}

/** The name of a team that a program gives as an object, in the place of a file's. */
export const objectFile = '(object)'

/**
 * Reads, parses, validates and resolves a team: a file, or an object that says what a file would. Nothing is thrown for
 * what it says, and all mistakes come back at once: those of form, those against the schema, and those of the team as a
 * whole.
 *
 * @example
 * const { team, diagnostics } = await readTeam('teams/review.yaml', { cwd: '/home/me/project' })
 */
export async function readTeam(given: string | TeamFile, options: ReadTeamOptions): Promise<TeamRead> {
  const file = resolve(options.cwd, typeof given === 'string' ? given : objectFile)
  const written = typeof given === 'string' ? textSource(given, file) : objectSource(given)
  const source = written.sound && options.edits?.length ? withEdits(written, options.edits) : written
  if (!source.sound) return { diagnostics: source.diagnostics, locate: locator(source, []) }
  const { team: said, diagnostics: wrong, cuts } = judgeTeam(source)
  const locate = locator(source, cuts)
  if (!said) return { diagnostics: [...source.diagnostics, ...wrong], locate }
  const { parts, diagnostics } = await readCards(said, { source, file, ...options })
  const codeTools = await findCodeTools(file, toolNames(parts))
  const named = options.named?.(said) ?? {}
  const model = named.model === undefined ? await modelFor(parts, options) : said.model
  const whole = { ...parts, codeTools, team: model === undefined ? parts.team : { ...parts.team, model } }
  const { team, problems } = resolveTeam(whole, file, named)
  const found = problems.flatMap((problem) => locate(problem) ?? [])
  return { team, diagnostics: [...source.diagnostics, ...wrong, ...diagnostics, ...found], locate }
}

/** The model of the team; where it names none and members are without one, the one that stands in. */
async function modelFor(
  { team, coordinator, workers }: TeamParts,
  options: ReadTeamOptions,
): Promise<string | undefined> {
  const cards = [coordinator, ...Object.values(workers)]
  const isMissing = team.model === undefined && cards.some((card) => card.model === undefined)
  return isMissing ? options.defaultModel?.() : team.model
}

interface TeamSource extends PlacedValue {
  readonly diagnostics: readonly Diagnostic[]
  /** The value can be judged. */
  readonly sound: boolean
}

function textSource(file: string, path: string): TeamSource {
  const read = readSource(file, path)
  if (isSource(read)) return parseYaml(file, read.text)
  return { file, value: undefined, diagnostics: [read], sound: false, place: () => start }
}

function objectSource(value: unknown): TeamSource {
  const place = (path: KeyPath) => ({ ...start, path: pathText(path) })
  return { file: objectFile, value, diagnostics: [], sound: true, place }
}

/** A team file held against the schema. */
interface JudgedTeam {
  /** Present when enough of the file is right to judge the rest of it. */
  readonly team?: TeamFile
  readonly diagnostics: readonly Diagnostic[]
  /** The parts that were cut out before the rest was judged. */
  readonly cuts: readonly KeyPath[]
}

/** Finds every mistake of form with its place, and keeps the team that remains without them. */
function judgeTeam(source: PlacedValue): JudgedTeam {
  const parsed = teamFileSchema.safeParse(source.value)
  if (parsed.success) return { team: parsed.data, diagnostics: [], cuts: [] }
  const { issues } = parsed.error
  const diagnostics = schemaDiagnostics(issues, source, teamFileSchema)
  const { value, cuts } = prune(source.value, issues)
  const rest = teamFileSchema.safeParse(withStandIns(value))
  return rest.success ? { team: rest.data, diagnostics, cuts } : { diagnostics, cuts }
}

/** A file whose name or coordinator is wrong is still judged for the rest. */
function withStandIns(value: unknown): unknown {
  if (!isRecord(value)) return value
  return { name: 'team', coordinator: {}, ...value }
}

function toolNames({ coordinator, workers }: TeamParts): readonly string[] {
  return [coordinator, ...Object.values(workers)].flatMap(({ tools }) => tools ?? [])
}

/** Stands for a card that could not be read: it must not also be blamed for what it would have said. */
const unknownCard: WorkerFile = { description: '', prompt: '', tools: [] }

function locator(source: PlacedValue, cuts: readonly KeyPath[]): TeamRead['locate'] {
  return ({ path, ...problem }) => {
    if (isAbout(path, cuts)) return undefined
    const [area, name] = path
    const card = area === 'workers' && name !== undefined ? ['workers', name, 'from'] : ['coordinator', 'from']
    const fromCard =
      valueAt(source.value, path) === undefined && area === card[0] && valueAt(source.value, card) !== undefined
    const part = path.length === 2 && area === 'workers' ? 'key' : 'value'
    return { ...problem, file: source.file, ...(fromCard ? source.place(card) : source.place(path, part)) }
  }
}

interface CardsPlace extends Pick<ReadTeamOptions, 'ofPlugin'> {
  readonly source: PlacedValue
  readonly file: string
}

async function readCards(
  team: TeamFile,
  { source, file, ofPlugin = () => null }: CardsPlace,
): Promise<{ readonly parts: TeamParts; readonly diagnostics: readonly Diagnostic[] }> {
  const diagnostics: Diagnostic[] = []
  const merged = async <Card extends WorkerFile>(card: Card, path: KeyPath): Promise<Card> => {
    if (card.from === undefined) return card
    const place = source.place([...path, 'from'])
    const read = await readCard({ from: card.from, file: source.file, place, chain: [await realPath(file)], ofPlugin })
    diagnostics.push(...read.diagnostics)
    const failed = read.diagnostics.some(({ severity }) => severity === 'error')
    return { ...(failed ? unknownCard : read.card), ...card }
  }
  const coordinator = await merged(team.coordinator, ['coordinator'])
  const workers: Record<string, WorkerFile> = {}
  for (const [name, card] of Object.entries(team.workers)) workers[name] = await merged(card, ['workers', name])
  return { parts: { team, coordinator, workers }, diagnostics }
}
