import type {
  AndOr,
  Case,
  CommandNode,
  CompoundList,
  For,
  If,
  ParsedScript,
  Pipeline,
  PipelineNode,
  Select,
  Statement,
} from 'unbash'
import type { BashCommand } from '../bash-command.ts'
import { steers } from '../bash-word.ts'
import { workOut } from './arithmetic.ts'
import { expandWord } from './expand-word.ts'
import { itemsOf, textsOfAll } from './word-texts.ts'
import { assigned, type Expansion } from './expansion.ts'
import { missesScripts } from './missed-scripts.ts'
import { bashRedirects, simpleCommand } from './simple-command.ts'
import { testCommand } from './test-command.ts'
import { joined, type ShellState } from './shell-values.ts'
import { feed, goesTooFar, lose, passesOn, placeList, saidBy, steadyState, type Walk } from './walk.ts'
import { afterwards } from './shell-effects.ts'
import { writtenScripts } from '../bash-scripts.ts'
import { shellGrammar } from '../shell-grammar.ts'
import { unwrapped } from '../bash-wrappers.ts'
import { listedPlaces, type ListedPlaces } from '../listed-places.ts'
import { foundRuns } from '../found-runs.ts'

const deepestShell = 4
/** More loops in each other than this are not followed. */
const deepestLoop = 3

/** Follows a source: its commands go into the walk. What may be in it besides them is a problem. */
export function walkSource(source: string, walk: Walk, state: ShellState): void {
  const script = shellGrammar().parse(source)
  walkScript(script, walk, state)
  if (missesScripts(script, source, walk.followed)) lose(walk, 'a substitution in it cannot be read')
}

/** Follows a script: its commands go into the walk, the state behind it comes back. */
function walkScript(script: ParsedScript, walk: Walk, state: ShellState): ShellState {
  walk.followed.add(script)
  const after = walkList(script.commands, walk, state)
  // Words are parsed as they are looked at: their errors are known by now.
  for (const { message } of script.errors ?? []) lose(walk, message)
  return after
}

function walkList(statements: readonly Statement[], walk: Walk, start: ShellState): ShellState {
  let state = start
  for (const { command, background } of statements) {
    const after = walkStep(command, walk, state)
    // A `cd` may fail, and what runs aside changes nothing here.
    state = background === true ? state : orFailed(command, { before: state, after })
  }
  return state
}

/** Behind a command that may not have gone well, the shell may still be where it was. */
function orFailed(
  command: AndOr | PipelineNode,
  { before, after }: { readonly before: ShellState; readonly after: ShellState },
): ShellState {
  if (command.type !== 'Command' || after.directories === before.directories) return after
  return { ...after, directories: joined(before, after).directories }
}

function walkStep(node: AndOr | PipelineNode, walk: Walk, state: ShellState): ShellState {
  if (node.type === 'AndOr') return walkAndOr(node, walk, state)
  if (node.type === 'Pipeline') return walkPipeline(node, walk, state)
  return walkCommand(node, walk, state)
}

/** `a || b && c`: behind each, the state when all went well so far, and when not. */
function walkAndOr({ commands, operators }: AndOr, walk: Walk, start: ShellState): ShellState {
  let well = start
  let badly: ShellState = { ...start, ended: true }
  for (const [i, command] of commands.entries()) {
    const onlyAfterFailure = operators[i - 1] === '||'
    const before = onlyAfterFailure && badly.ended !== true ? badly : well
    const after = walkStep(command, walk, before)
    const failed: ShellState = neverFails(command) ? { ...after, ended: true } : orFailed(command, { before, after })
    badly = onlyAfterFailure ? failed : joined(badly, failed)
    well = onlyAfterFailure ? joined(well, after) : after
  }
  return joined(badly, well)
}

/** `X=1` goes well unless a command in it does not. */
function neverFails(node: PipelineNode | undefined): boolean {
  return (
    node?.type === 'Command' && node.name === undefined && node.redirects.length === 0 && !/\$\(|`/.test(textOf(node))
  )
}

function textOf({ prefix }: Extract<CommandNode, { type: 'Command' }>): string {
  return prefix.map((part) => (part.type === 'Assignment' ? part.text : '')).join(' ')
}

function walkPipeline({ commands, prefixes }: Pipeline, walk: Walk, state: ShellState): ShellState {
  const [only, ...more] = commands
  if (only !== undefined && more.length === 0) {
    const after = walkCommand(only, walk, state)
    return prefixes.some(({ type }) => type === 'Negation') ? joined(state, after) : after
  }
  let said: readonly string[] | undefined
  let listed: ListedPlaces | null = null
  let end = state
  for (const command of commands) {
    const first = walk.commands.length
    const after = walkCommand(command, walk, state)
    if (said !== undefined) feed(walk, first, said)
    if (listed !== null) placeList(walk, first, listed)
    const own = walk.commands.slice(first)
    said = saidBy(own)
    listed = listedBy(own, listed)
    end = joined(end, { ...after, ended: false })
  }
  return end
}

function listedBy([only, ...others]: readonly BashCommand[], before: ListedPlaces | null): ListedPlaces | null {
  if (only === undefined || others.length > 0) return null
  return listedPlaces(unwrapped(only.words)) ?? (passesOn(only) ? before : null)
}

function walkCommand(node: CommandNode, walk: Walk, state: ShellState): ShellState {
  switch (node.type) {
    case 'Command':
      return walkSimple(node, walk, state)
    case 'Redirected':
      return walkRedirected(node, walk, state)
    case 'BraceGroup':
      return walkList(node.body.commands, walk, state)
    case 'Subshell':
      walkList(node.body.commands, walk, state)
      return state
    case 'If':
      return walkIf(node, walk, state)
    case 'For':
    case 'Select':
      return walkFor(node, walk, state)
    case 'ArithmeticFor':
      return walkLoop(node.body, walk, calculated([node.initialize, node.test, node.update], walk, state))
    case 'While': {
      const both: CompoundList = { ...node.body, commands: [...node.clause.commands, ...node.body.commands] }
      return walkLoop(both, walk, state)
    }
    case 'Case':
      return walkCase(node, walk, state)
    case 'TestCommand':
    case 'ArithmeticCommand':
      return walkTest(node, walk, state)
    case 'Function':
      return walkBody(node.body, walk, state)
    default:
      walkBody(node.body, walk, state)
      return state
  }
}

function walkRedirected(node: Extract<CommandNode, { type: 'Redirected' }>, walk: Walk, state: ShellState): ShellState {
  const into = expansionIn(state)
  const { redirects, fed } = bashRedirects(node.redirects, into)
  note({ text: '', words: [], assignments: [], redirects, directories: state.directories }, into, walk)
  const from = walk.commands.length
  const after = walkCommand(node.command, walk, into.state)
  if (fed.length > 0) feed(walk, from, fed)
  return after
}

function walkTest(
  node: Extract<CommandNode, { type: 'TestCommand' | 'ArithmeticCommand' }>,
  walk: Walk,
  state: ShellState,
): ShellState {
  const into = expansionIn(state)
  note(testCommand(node, into), into, walk)
  return into.state
}

function walkBody(body: CompoundList | CommandNode, walk: Walk, state: ShellState): ShellState {
  const after = body.type === 'CompoundList' ? walkList(body.commands, walk, state) : walkCommand(body, walk, state)
  return joined(state, { ...after, ended: false })
}

function expansionIn(state: ShellState): Expansion {
  return { state, hazards: [], sets: [], scripts: [], made: 0 }
}

function walkSimple(node: Extract<CommandNode, { type: 'Command' }>, walk: Walk, state: ShellState): ShellState {
  if (goesTooFar(walk, 0)) return state
  const into = expansionIn(state)
  const ways = simpleCommand(node, into)
  if (goesTooFar(walk, Math.max(ways.length, into.made))) return into.state
  const ends: ShellState[] = []
  for (const [i, command] of ways.entries()) {
    // The other effects of the words are told once.
    const rest: Expansion = i === 0 ? into : { ...into, hazards: [...into.hazards], sets: [], scripts: [] }
    const { state: end, wideGlobs = false } = afterwards({ command, node }, rest)
    note(command, rest, walk)
    if (wideGlobs || end.variables.has('GLOBIGNORE')) walk.wideGlobs = true
    ends.push(walkTexts(command, walk, end))
  }
  return ends.length === 0 ? into.state : ends.reduce(joined)
}

/** The scripts that stand as texts in a command's arguments. */
function walkTexts({ words }: BashCommand, walk: Walk, state: ShellState): ShellState {
  const { texts } = writtenScripts(words)
  if (texts.length === 0) return state
  if (walk.depth >= deepestShell) {
    lose(walk, 'shells are nested too deeply')
    return state
  }
  walk.depth += 1
  const inner: ShellState = { ...state, fogged: 'before', variables: new Map() }
  for (const text of texts) walkSource(text, walk, inner)
  walk.depth -= 1
  return state
}

/** Takes down a command, and follows the scripts in its words. */
function note(command: BashCommand, into: Expansion, walk: Walk): void {
  const [hazard] = into.hazards
  const steered = into.sets.filter(steers)
  if (walk.dry === 0) {
    const within = walk.depth > 0 ? { within: true as const } : {}
    walk.commands.push({ ...command, ...within, ...(hazard !== undefined && { hazard }) })
    if (steered.length > 0) {
      const assignments = steered.map((name) => `${name}=`)
      walk.commands.push({ ...command, ...within, text: assignments.join(' '), words: [], assignments, redirects: [] })
    }
    walk.commands.push(...foundRuns(command).map((run) => ({ ...run, ...within })))
    if (command.redirects.some(({ word }) => word.value === null))
      walk.problems.push('a redirect goes to a file whose name is only known when it runs')
  }
  if (steered.includes('GLOBIGNORE')) walk.wideGlobs = true
  for (const script of into.scripts.splice(0)) walkScript(script, walk, into.state)
}

function walkIf({ clause, then, elif, else: otherwise }: If, walk: Walk, start: ShellState): ShellState {
  let state = walkList(clause.commands, walk, start)
  const ends = [walkList(then.commands, walk, state)]
  for (const branch of elif) {
    state = walkList(branch.clause.commands, walk, state)
    ends.push(walkList(branch.then.commands, walk, state))
  }
  ends.push(otherwise === undefined ? state : walkList(otherwise.commands, walk, state))
  return ends.reduce(joined)
}

function walkFor({ name, wordlist, body }: For | Select, walk: Walk, state: ShellState): ShellState {
  const into = expansionIn(state)
  const words = wordlist?.map((word) => itemsOf(expandWord(word, into))) ?? [null]
  const variable = name.text
  if (steers(variable)) into.sets.push(variable)
  const inside = assigned(variable, textsOfAll(words), into)
  noteWords(into, walk, state)
  return joined(into.state, walkLoop(body, walk, inside))
}

/** Words that belong to no command. */
function noteWords(into: Expansion, walk: Walk, { directories }: ShellState): void {
  if (into.hazards.length === 0 && into.sets.every((name) => !steers(name))) {
    for (const script of into.scripts.splice(0)) walkScript(script, walk, into.state)
    return
  }
  note({ text: '', words: [], assignments: [], redirects: [], directories }, into, walk)
}

function calculated(parts: readonly Parameters<typeof workOut>[0][], walk: Walk, state: ShellState): ShellState {
  const into = expansionIn(state)
  for (const part of parts) if (part !== undefined) workOut(part, into)
  noteWords(into, walk, state)
  return into.state
}

/** A loop may begin with the state in which its last round ended. */
function walkLoop(body: CompoundList, walk: Walk, start: ShellState): ShellState {
  if (walk.loops >= deepestLoop) return walkList(body.commands, walk, { ...start, fogged: 'always', directories: null })
  walk.loops += 1
  const state = steadyState(start, walk, (state) => walkList(body.commands, walk, state))
  const end = walkList(body.commands, walk, state)
  walk.loops -= 1
  return joined(state, { ...end, ended: false })
}

function walkCase({ word, items }: Case, walk: Walk, state: ShellState): ShellState {
  const into = expansionIn(state)
  expandWord(word, into)
  for (const { pattern } of items) for (const each of pattern) expandWord(each, into)
  noteWords(into, walk, state)
  const ends = items.map(({ body }) => walkList(body.commands, walk, into.state))
  return [into.state, ...ends].reduce(joined)
}
