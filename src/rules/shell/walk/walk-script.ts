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
import { coprocIn, expansionIn, put, type Expansion } from './expansion.ts'
import { missesScripts } from './missed-scripts.ts'
import { bashRedirects, checkApart, simpleCommand } from './simple-command.ts'
import { testCommand } from './test-command.ts'
import { inFunction, joined, perhaps, type ShellState, type ShellTexts } from './shell-values.ts'
import { otherMeaning, takesKnownName } from '../lines/function-names.ts'
import { misread } from '../lines/misread-signs.ts'
import { neverFails, orFailed } from './failures.ts'
import { breakOff, leave, lineStarts, walkRounds } from './ways.ts'
import { followFed, followLines, followSaid, followTexts, scriptsTold } from './followed-lines.ts'
import { saidBy, type Said } from '../lines/said-texts.ts'
import { listedBy, getsList } from '../lines/piped-lists.ts'
import { goesTooFar, lose, placeList, saying, takeDown, type Walk } from './walk.ts'
import { afterwards } from './shell-effects.ts'
import { shellGrammar } from '../lines/shell-grammar.ts'
import { commandName } from '../bash-wrappers.ts'
import type { ListedPlaces } from '../listed-places.ts'

/** Follows a source: its commands go into the walk. What may be in it besides them is a problem. */
export function walkSource(source: string, walk: Walk, state: ShellState): ShellState {
  const script = shellGrammar().parse(source)
  const { left, startOf } = walk
  const why = misread(source)
  if (why !== null) lose(walk, why)
  walk.left = undefined
  walk.startOf = source.includes('\n') ? lineStarts(script, source, walk) : undefined
  const after = walkScript(script, walk, state)
  walk.left = left
  walk.startOf = startOf
  if (missesScripts(script, source, walk.followed)) lose(walk, 'a substitution in it cannot be read')
  return after
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
  for (const statement of statements) {
    const { command, background } = statement
    state = walk.startOf?.(statement, state) ?? state
    const after = walkStep(command, walk, state)
    // A `cd` may fail, and what runs aside changes nothing here.
    state = background === true ? state : orFailed(command, { before: state, after })
  }
  return state
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

function walkPipeline({ commands, prefixes, operators }: Pipeline, walk: Walk, state: ShellState): ShellState {
  const [only, ...more] = commands
  if (only !== undefined && more.length === 0) {
    const after = walkCommand(only, walk, state)
    return prefixes.some(({ type }) => type === 'Negation') ? joined(state, after) : after
  }
  let said: Said | undefined
  let listed: ListedPlaces | null = null
  let end = state
  for (const [i, command] of commands.entries()) {
    const first = walk.commands.length
    const after = walkCommand(command, walk, state)
    if (said !== undefined) followFed(said, first, { walk, state, walkSource })
    const own = walk.commands.slice(first)
    if (listed !== null && own[0] !== undefined && getsList(command, own[0])) placeList(walk, first, listed)
    said = saidBy(own, said)
    listed = operators[i] === '|' ? listedBy(command, own, listed) : null
    end = joined(end, { ...after, ended: false })
  }
  return end
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
    case 'ArithmeticFor': {
      const start = calculated([node.initialize], walk, state)
      return walkLoop([node.body], walk, joined(start, calculated([node.test, node.update], walk, start)))
    }
    case 'While':
      return walkLoop([node.clause, node.body], walk, state)
    case 'Case':
      return walkCase(node, walk, state)
    case 'TestCommand':
    case 'ArithmeticCommand':
      return walkTest(node, walk, state)
    case 'Function':
      if (takesKnownName(node)) noteWords({ ...expansionIn(state), hazards: [otherMeaning] }, walk, state)
      return walkBody(node.body, walk, inFunction(walk.moves ? { ...state, directories: null } : state))
    default: {
      const into = coprocIn(node, state)
      noteWords(into, walk, state)
      walkBody(node.body, walk, state)
      return into.state
    }
  }
}

function walkRedirected(node: Extract<CommandNode, { type: 'Redirected' }>, walk: Walk, state: ShellState): ShellState {
  const into = expansionIn(state)
  const { redirects, fed } = bashRedirects(node.redirects, into)
  note({ text: '', words: [], assignments: [], redirects, directories: state.directories }, into, walk)
  const from = walk.commands.length
  leave(walk, into.left)
  const after = walkCommand(node.command, walk, into.state)
  if (fed.length > 0) followFed({ texts: fed, changed: false }, from, { walk, state: into.state, walkSource })
  // Where a file cannot be opened, nothing runs.
  return perhaps(into.state, after)
}

function walkTest(
  node: Extract<CommandNode, { type: 'TestCommand' | 'ArithmeticCommand' }>,
  walk: Walk,
  state: ShellState,
): ShellState {
  const into = expansionIn(state)
  note(testCommand(node, into), into, walk)
  leave(walk, into.left)
  return [...into.left, into.state].reduce(joined)
}

function walkBody(body: CompoundList | CommandNode, walk: Walk, state: ShellState): ShellState {
  const after = body.type === 'CompoundList' ? walkList(body.commands, walk, state) : walkCommand(body, walk, state)
  return perhaps(state, after)
}

function walkSimple(node: Extract<CommandNode, { type: 'Command' }>, walk: Walk, start: ShellState): ShellState {
  if (goesTooFar(walk, 0)) return start
  const into = expansionIn(start)
  const ways = simpleCommand(node, into)
  leave(walk, into.left)
  if (goesTooFar(walk, Math.max(ways.length, into.made))) return into.state
  const ends: ShellState[] = []
  for (const [i, command] of ways.entries()) {
    // The other effects of the words are told once.
    const rest: Expansion = i === 0 ? into : { ...into, hazards: [...into.hazards], sets: [], scripts: [] }
    const { state: done, wideGlobs = false } = afterwards({ command, node }, rest)
    const end = node.redirects.length > 0 ? { ...perhaps(start, done), directories: done.directories } : done
    if (/^(break|continue)$/.test(commandName(command.words))) breakOff(walk, into.state)
    const said = note(command, rest, walk)
    const place = { walk, state: into.state, walkSource }
    if (said !== undefined) followSaid(command, said, place)
    followLines(command, place)
    if (wideGlobs || end.variables.has('GLOBIGNORE')) walk.wideGlobs = true
    ends.push(followTexts(scriptsTold(command), { walk, state: end, walkSource }))
  }
  return ends.length === 0 ? perhaps(start, into.state) : ends.reduce(joined)
}

/** Takes down a command, and follows the scripts in its words: what these say comes back. */
function note(command: BashCommand, into: Expansion, walk: Walk): Said | undefined {
  takeDown(command, into, walk)
  return followScripts(into, walk)
}

/** Substitutions run in shells of their own: what one gives up is none of the line. */
function followScripts(into: Expansion, walk: Walk): Said | undefined {
  if (into.scripts.length === 0) return undefined
  const { left, broken } = walk
  const first = walk.commands.length
  for (const { script, state } of into.scripts.splice(0)) walkScript(script, walk, state)
  walk.left = left
  walk.broken = broken
  return saidBy(walk.commands.slice(first))
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

function walkFor({ type, name, wordlist, body }: For | Select, walk: Walk, state: ShellState): ShellState {
  const into = expansionIn(state)
  checkApart(wordlist ?? [], into)
  const expanded = wordlist?.map((word) => expandWord(word, into)) ?? []
  const words = wordlist === undefined ? [null] : expanded.map((outcomes) => itemsOf(outcomes, into.state))
  const isSelect = type === 'Select'
  // A select says its words, as `echo` does.
  if (isSelect) takeDown(saying(expanded.flat(2), state), { ...into, hazards: [], sets: [] }, walk)
  const variable = name.text
  if (steers(variable)) into.sets.push(variable)
  const before = into.state
  // An answer that is no number of the list leaves the variable empty.
  put(variable, textsOfAll(isSelect ? [...words, nothing] : words), into)
  noteWords(into, walk, state)
  leave(walk, into.left)
  return joined(before, walkLoop([body], walk, into.state))
}

const nothing: ShellTexts = [{ text: '', glob: false }]

/** Words that belong to no command. */
function noteWords(into: Expansion, walk: Walk, { directories }: ShellState): void {
  if (into.hazards.length === 0 && into.sets.every((name) => !steers(name))) {
    followScripts(into, walk)
    return
  }
  note({ text: '', words: [], assignments: [], redirects: [], directories }, into, walk)
}

function calculated(parts: readonly Parameters<typeof workOut>[0][], walk: Walk, state: ShellState): ShellState {
  const into = expansionIn(state)
  for (const part of parts) if (part !== undefined) workOut(part, into)
  noteWords(into, walk, state)
  leave(walk, into.left)
  return [...into.left, into.state].reduce(joined)
}

/** A loop may begin with the state in which its last round ended, or was broken off. */
function walkLoop(parts: readonly CompoundList[], walk: Walk, start: ShellState): ShellState {
  return walkRounds(start, walk, (state) => {
    const ends: ShellState[] = []
    for (const { commands } of parts) ends.push(walkList(commands, walk, ends.at(-1) ?? state))
    return ends.reduce(joined)
  })
}

function walkCase({ word, items }: Case, walk: Walk, state: ShellState): ShellState {
  const into = expansionIn(state)
  expandWord(word, into)
  const before = into.state
  for (const { pattern } of items) for (const each of pattern) expandWord(each, into)
  into.state = joined(before, into.state)
  noteWords(into, walk, state)
  leave(walk, into.left)
  let end = into.state
  let falls: ShellState = into.state
  for (const { body, terminator } of items) {
    const after = walkList(body.commands, walk, falls)
    end = joined(end, after)
    falls = terminator === undefined || terminator === ';;' ? into.state : joined(into.state, after)
  }
  return end
}
