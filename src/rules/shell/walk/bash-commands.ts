import type { BashCommand } from '../bash-command.ts'
import type { ShellState } from './shell-values.ts'
import type { Walk } from './walk.ts'
import { misread } from '../lines/misread-signs.ts'
import { widensGlobs } from '../bash-scripts.ts'
import { isTooLong } from '../bash-wrappers.ts'
import { walkSource } from './walk-script.ts'

export interface BashLine {
  readonly commands: readonly BashCommand[]
  /** Why the line cannot be judged; the commands that were seen are there all the same. */
  readonly unparsable?: string
  /** The line may hold commands besides these. */
  readonly unseen?: true
  /** Wildcards may also stand for hidden names, and for names in other letters: the line sets options of the shell. */
  readonly wideGlobs?: true
}

/** Longer lines are not read: they are asked about. */
const longestLine = 10_000
/** Deeper brackets are not read. */
const deepest = 100

/** The place that a line starts from. */
export interface LineStart {
  readonly cwd: string
  readonly home: string
}

const anywhere: LineStart = { cwd: '/', home: '~' }

/**
 * Takes a Bash line apart into its simple commands, in the order in which they are written, with the values that their
 * words have when they run. A command whose words may come out in several ways stands there once for each. Nothing is run:
 * what only a running shell knows is marked as unknown in the words.
 *
 * @example bashCommands('cd src && ls $(pwd)').commands.map((c) => c.text) // ['cd src', 'ls $(pwd)', 'pwd']
 */
export function bashCommands(written: string, from: LineStart = anywhere): BashLine {
  const line = withoutRemark(written)
  const unread = whyUnread(line)
  if (unread !== null) return { commands: [], unparsable: unread, unseen: true }
  const walk: Walk = {
    commands: [],
    problems: [],
    followed: new Set(),
    tried: { count: 0 },
    dry: 0,
    loops: 0,
    depth: 0,
    steps: 0,
    wideGlobs: false,
    // A name in quotes may be written with signs that only bash reads.
    moves: /\b(cd|pushd|popd)\b|\$'/.test(line.replaceAll(/["\\]|(?<!\$)'/g, '')),
    unseen: false,
  }
  // A function may run anywhere, and change any variable.
  const fogged = /\([\s\\]*\)|\bfunction\b/.test(line) ? 'always' : undefined
  // A copy of any other descriptor than the two for output may be one of a file that was opened to be read.
  const opened = /[\d}]<(?![<(])|<&|>&(?!\s*(?:[12]\b|-))/.test(line) || undefined
  const state: ShellState = { variables: new Map(), fogged, directories: [from.cwd], home: from.home, opened }
  walkSource(line, walk, state)
  if (walk.commands.length === 0) walk.problems.push('there is no command in it')
  const { problems } = walk
  const wideGlobs =
    walk.wideGlobs || walk.commands.some(({ words, assignments }) => widensGlobs(words) || assignments.some(setsGlobs))
  const judged = walk.commands.filter(({ words }) => !isTooLong(words))
  const commands = wideGlobs ? judged.map(withPassingGlobs) : judged
  if (commands.length < walk.commands.length) problems.push('a command of the line is too long to be judged')
  const [unparsable] = problems
  const unseen = walk.unseen || commands.length < walk.commands.length
  return {
    commands,
    ...(unparsable !== undefined && { unparsable }),
    ...(unseen && { unseen }),
    ...(wideGlobs && { wideGlobs }),
  }
}

/** A shell takes on from its environment which names it leaves out, and from then on all others, hidden ones too. */
function setsGlobs(assignment: string): boolean {
  return assignment.startsWith('GLOBIGNORE=')
}

/** With nullglob a pattern that no file matches is no word at all. */
function withPassingGlobs(command: BashCommand): BashCommand {
  if (!command.words.some(({ glob }) => glob)) return command
  return { ...command, words: command.words.map((word) => (word.glob ? { ...word, vanishes: true } : word)) }
}

/**
 * The line without the comment at its end, however long that is. Only of plain words before a blank and `#`: where there
 * are quotes or substitutions, only a parser knows whether a `#` begins a comment.
 */
function withoutRemark(line: string): string {
  return line.length <= longestLine ? line : (/^([\w ./=:,@%+-]{0,10000}) #[^\n]*$/.exec(line)?.[1] ?? line)
}

function whyUnread(line: string): string | null {
  if (line.length > longestLine) return `the command is longer than ${longestLine} characters`
  if (line.includes('\0')) return 'the command holds a NUL character'
  if (/\r(?!\n)/.test(line)) return 'the command holds a carriage return'
  return misread(line) ?? (nesting(line) > deepest ? 'brackets are nested too deeply' : null)
}

/** How deep brackets may stand in each other at most, quotes not looked at. */
function nesting(line: string): number {
  let [depth, most] = [0, 0]
  for (const sign of line.match(/[(){}]/g) ?? []) {
    depth += sign === '(' || sign === '{' ? 1 : -1
    if (depth < 0) depth = 0
    if (depth > most) most = depth
  }
  return most
}
