import { resolve } from 'node:path'
import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import { teamFileSchema, type TeamFile, type UnhashedTeam, type WorkerFile } from '../../protocol/team/team-card.ts'
import type { TeamProblem } from '../../rules/team/team-problem.ts'
import { mergeCards, readCard, realPath } from './card-chain.ts'
import { findCodeTools } from './code-tools.ts'
import { start, valueAt, type KeyPath, type TextPlace } from './places.ts'
import { isAbout, prune } from './prune.ts'
import { isSource, readSource, type Source } from './read-source.ts'
import { resolveTeam, type TeamParts } from './resolve-team.ts'
import { schemaDiagnostics } from './schema-issues.ts'
import { parseYaml, type YamlSource } from './yaml-source.ts'

/** The team that a file describes, and all mistakes in the file. */
export interface TeamRead {
  /** Present when enough of the file is right to judge the rest of it. */
  readonly team?: UnhashedTeam
  readonly diagnostics: readonly Diagnostic[]
  /** Turns a mistake found later, by key path, into a diagnostic; undefined when it is about a part that was cut. */
  locate(problem: TeamProblem): Diagnostic | undefined
}

export interface ReadTeamOptions {
  /** The directory that a relative `file` starts from. */
  readonly cwd: string
  /** `provider/model` for every member, instead of what the file says. */
  readonly modelFor?: (team: TeamFile) => string | undefined
}

/**
 * Reads, parses, validates and resolves a team file. Nothing is thrown for what a file says, and all
 * mistakes come back at once: those of form, those against the schema, and those of the team as a whole.
 *
 * @example
 * const { team, diagnostics } = await readTeam('teams/review.yaml', { cwd: '/home/me/project' })
 */
export async function readTeam(file: string, options: ReadTeamOptions): Promise<TeamRead> {
  const source = readSource(file, resolve(options.cwd, file))
  if (!isSource(source)) return unread(file, [source])
  const yaml = parseYaml(file, source.text)
  if (!yaml.sound) return unread(file, yaml.diagnostics)
  const { team: said, diagnostics: wrong, cuts } = judgeTeam(yaml)
  const locate = locator(yaml, cuts)
  if (!said) return { diagnostics: [...yaml.diagnostics, ...wrong], locate }
  const { parts, diagnostics } = await readCards(said, source, yaml)
  const codeTools = await findCodeTools(source.path, toolNames(parts))
  const { team, problems } = resolveTeam({ ...parts, codeTools }, source.path, options.modelFor?.(said))
  const whole = problems.flatMap((problem) => locate(problem) ?? [])
  return { team, diagnostics: [...yaml.diagnostics, ...wrong, ...diagnostics, ...whole], locate }
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
function judgeTeam(yaml: YamlSource): JudgedTeam {
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

function toolNames({ coordinator, workers }: TeamParts): readonly string[] {
  return [coordinator, ...Object.values(workers)].flatMap(({ tools }) => tools ?? [])
}

/** Stands for a card that could not be read: it must not also be blamed for what it would have said. */
const unknownCard: WorkerFile = { description: '', prompt: '', tools: [] }

function unread(file: string, diagnostics: readonly Diagnostic[]): TeamRead {
  return { diagnostics, locate: (problem) => diagnosticOf(problem, file, start) }
}

function locator(yaml: YamlSource, cuts: readonly KeyPath[]): TeamRead['locate'] {
  return (problem) => {
    if (isAbout(problem.path, cuts)) return undefined
    const [area, name] = problem.path
    const card = area === 'workers' && name !== undefined ? ['workers', name, 'from'] : ['coordinator', 'from']
    const fromCard =
      valueAt(yaml.value, problem.path) === undefined &&
      problem.path[0] === card[0] &&
      valueAt(yaml.value, card) !== undefined
    const part = problem.path.length === 2 && area === 'workers' ? 'key' : 'value'
    return diagnosticOf(problem, yaml.file, fromCard ? yaml.place(card) : yaml.place(problem.path, part))
  }
}

function diagnosticOf({ path: _, ...problem }: TeamProblem, file: string, place: TextPlace): Diagnostic {
  return { ...problem, file, ...place }
}

async function readCards(
  team: TeamFile,
  source: Source,
  yaml: YamlSource,
): Promise<{ readonly parts: TeamParts; readonly diagnostics: readonly Diagnostic[] }> {
  const diagnostics: Diagnostic[] = []
  const merged = async <Card extends WorkerFile>(card: Card, path: KeyPath): Promise<Card> => {
    if (card.from === undefined) return card
    const chain = [await realPath(source.path)]
    const read = await readCard({ from: card.from, file: source.file, place: yaml.place([...path, 'from']), chain })
    diagnostics.push(...read.diagnostics)
    const failed = read.diagnostics.some(({ severity }) => severity === 'error')
    return mergeCards(failed ? unknownCard : read.card, card)
  }
  const coordinator = await merged(team.coordinator, ['coordinator'])
  const workers: Record<string, WorkerFile> = {}
  for (const [name, card] of Object.entries(team.workers)) workers[name] = await merged(card, ['workers', name])
  return { parts: { team, coordinator, workers }, diagnostics }
}
