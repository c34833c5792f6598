import type { BashCommand, BashRedirect } from '../bash-command.ts'
import type { BashWord } from '../bash-word.ts'
import { lineTexts } from '../lines/line-texts.ts'
import type { Said } from '../lines/said-texts.ts'
import { readsScript, writtenScripts } from '../bash-scripts.ts'
import { changedTrees } from '../changed-trees.ts'
import { reachOf } from '../reach.ts'
import { hidesCommands } from '../bash-unseen.ts'
import { commandName, unwrapped } from '../bash-wrappers.ts'
import { joined, setting, type ShellState } from './shell-values.ts'
import { feed, goesTooFar, lose, type Walk } from './walk.ts'

interface Place {
  readonly walk: Walk
  readonly state: ShellState
  /** Follows a script from a state on. */
  walkSource(source: string, walk: Walk, state: ShellState): ShellState
}

/** Texts around each other, and texts of a line, of which more are not followed; long ones count for several. */
const deepest = 4
const mostTried = 600

/**
 * Follows the texts of a command that its program may give to a shell. Searches in texts find the names that stand there;
 * this adds the commands in which a shell makes a name of something else. A text that is no script adds nothing.
 */
export function followLines(command: BashCommand, { walk, state, walkSource }: Place): void {
  if (walk.dry > 0 || walk.depth >= deepest) return
  for (const { text, sure } of lineTexts(command)) {
    walk.tried.count += 1 + Math.floor(text.length / 200)
    if (walk.tried.count > mostTried) {
      walk.problems.push('it holds too many texts that may be lines of a shell')
      return
    }
    const own = emptyWalk(walk)
    walkSource(text, own, withAssignments(command, state))
    if (own.unseen && !goesTooFar(own, 0)) continue
    if (own.unseen) {
      walk.problems.push('a text in it may be a script that is too long to be judged')
      return
    }
    for (const each of own.commands)
      if (each.perhaps === true || sure || isWorkedOut(each, command) || reachesFurther(each))
        walk.commands.push(quietly(each, command))
  }
}

/** The state with the variables that are set for the command alone. */
function withAssignments({ assignments }: BashCommand, state: ShellState): ShellState {
  let set = state
  for (const text of assignments) {
    const [, name, value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? []
    if (name !== undefined) set = setting(set, name, /[$`]/.test(value) ? null : [{ text: value, glob: false }])
  }
  return set
}

function emptyWalk({ depth, tried, moves }: Walk): Walk {
  return {
    commands: [],
    problems: [],
    followed: new Set(),
    dry: 0,
    loops: 0,
    depth: depth + 1,
    tried,
    moves,
    steps: 0,
    wideGlobs: false,
    unseen: false,
  }
}

/** A shell makes other names of what stands there, or goes elsewhere before it runs the command. */
function isWorkedOut({ words, redirects, directories }: BashCommand, around: BashCommand): boolean {
  const [name] = words
  if (name?.value === null && !substitutes(name)) return false
  if (name?.glob === true || directories?.join() !== around.directories?.join()) return true
  if (writtenScripts(words).unseen) return true
  return [...words, ...redirects.map(({ word }) => word)].some(
    (word) => expands.test(word.text) && (word.value !== null || substitutes(word)),
  )
}

/** The command works on files besides those that it names. */
function reachesFurther({ words }: BashCommand): boolean {
  const inner = unwrapped(words)
  return reachOf(inner) !== null || changedTrees(inner, false).length > 0 || commandName(inner) === 'git'
}

const expands = /[$`]|\{[^{}"]*,/

function substitutes({ text }: BashWord): boolean {
  return /\$\(|`/.test(text)
}

/** The command without doubts about what the program may put into its text. */
function quietly(command: BashCommand, around: BashCommand): BashCommand {
  const { text, assignments, fed, found } = command
  const [name] = command.words
  // Where a pattern stands for the program, other patterns are more likely none.
  const words = name?.glob === true ? command.words.filter((word) => word === name || !word.glob) : command.words
  return {
    text,
    words: words.map(settled),
    assignments,
    redirects: command.redirects.flatMap((each): readonly BashRedirect[] => (each.word.value === null ? [] : [each])),
    directories: command.directories ?? around.directories,
    within: true,
    perhaps: true,
    ...(fed !== undefined && { fed }),
    ...(found === true && { found }),
  }
}

function settled(word: BashWord): BashWord {
  if (word.value !== null || substitutes(word)) return word
  return { text: word.text, value: null, glob: false, from: 'number' }
}

const deepestShell = 4

/** The scripts on a line that a command runs: those among its words, and a here-document of a shell. */
export function scriptsTold({ words, fed = [] }: BashCommand): readonly string[] {
  const { texts } = writtenScripts(words)
  return fed.length > 0 && readsScript(words) ? [...texts, ...fed] : texts
}

/** Follows texts as scripts of shells of their own; the state of the line behind them comes back. */
export function followTexts(texts: readonly string[], { walk, state, walkSource }: Place): ShellState {
  if (texts.length === 0) return state
  if (walk.depth >= deepestShell) {
    lose(walk, 'shells are nested too deeply')
    return state
  }
  walk.depth += 1
  const inner: ShellState = { ...state, fogged: 'before', variables: new Map() }
  const { fixed } = texts.reduce((end, text) => joined(end, walkSource(text, walk, inner)), inner)
  walk.depth -= 1
  return { ...state, fixed: [...(state.fixed ?? []), ...(fixed ?? [])] }
}

/**
 * Hands a text to the commands that were taken down from some place on. One of them that is a shell, and told no other script,
 * runs it: `cat <<E | sh`.
 */
export function followFed(said: Said, from: number, { walk, state, walkSource }: Place): void {
  if (walk.dry > 0) return
  const end = walk.commands.length
  feed(walk, from, said.texts)
  const runs = walk.commands.slice(end)
  const own = walk.commands.slice(from, end).filter(({ perhaps }) => perhaps !== true)
  if (said.changed && own.some(runsInput)) lose(walk, 'a program works out from a text of the line what runs')
  const texts = own.some(({ words }) => readsScript(words) || words[0]?.value === null) ? said.texts : []
  const scripts = new Set([...texts, ...runs.flatMap(({ words }) => writtenScripts(words).texts)])
  followTexts([...scripts], { walk, state, walkSource })
}

/** The command runs a text of its input, on this machine. */
function runsInput(command: BashCommand): boolean {
  const words = unwrapped(command.words)
  return readsScript(words) || (commandName(words) !== 'ssh' && hidesCommands(command))
}

/** Follows what the substitutions of a command say where it runs that: `eval "$(echo x)"`, `sh <(echo x)`, `$(echo x) y`. */
export function followSaid({ words }: BashCommand, said: Said, { walk, state, walkSource }: Place): void {
  if (walk.dry > 0 || !runsWords(words)) return
  if (said.changed) lose(walk, 'a program works out from a text of the line what runs')
  const [first] = words
  const rest = first?.value === null ? words.slice(1).map(({ value }) => value ?? '') : []
  followTexts(
    said.texts.map((text) => [text, ...rest].join(' ')),
    { walk, state, walkSource },
  )
}

/** A shell reads what only it knows of the words as a script, or runs it as a command. */
function runsWords(written: BashCommand['words']): boolean {
  const words = unwrapped(written)
  if (words[0]?.value === null || writtenScripts(words).unseen || readsScript(words)) return true
  if (!words.some(({ from }) => from === 'pipe')) return false
  return /^(source|\.)$/.test(commandName(words)) || readsScript(words.filter(({ from }) => from !== 'pipe'))
}
