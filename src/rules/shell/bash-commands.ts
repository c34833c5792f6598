import type { Assignment, Command, SyntaxNode, Script, Redirection } from 'unbash'
import { writtenScripts } from './bash-scripts.ts'
import { bashWord, isLiteral, steers, type BashWord } from './bash-word.ts'
import { shellGrammar } from './shell-grammar.ts'

/** One simple command of a line, wherever it stands: list, pipeline, loop, function, substitution, `sh -c`. */
export interface BashCommand {
  /** Assignments and words as written, single blanks between them. */
  readonly text: string
  /** The name and its arguments; empty for bare assignments and for redirects of a group. */
  readonly words: readonly BashWord[]
  /** `NAME=value` before the command. */
  readonly assignments: readonly string[]
  readonly redirects: readonly BashRedirect[]
  /** Inside a loop or function: may run more than once. */
  readonly repeats: boolean
  /** The `a && b && c` it stands in: it only runs when all in front of it went well. */
  readonly chain?: number
  /** Stands in the script text of another command, which needs permission as a whole. */
  readonly within?: true
}

export interface BashLine {
  readonly commands: readonly BashCommand[]
  /** Why the line cannot be judged; the commands that were seen are there all the same. */
  readonly unparsable?: string
}

const none: ReadonlyMap<SyntaxNode, number> = new Map()
const longestLine = 10_000
const deepestShell = 4
const loops = new Set(['For', 'ArithmeticFor', 'While', 'Select', 'Function'])
const substitutions = new Set(['CommandExpansion', 'ProcessSubstitution', 'ArithmeticCommandExpansion'])
/** A subscript that holds a command as text; where a number is worked out, bash runs it. */
const bait = /\w['"\\]*\[[^\]]*(\$\\?\(|`|\$['"])/
const reckoners = new Set(['ArithmeticExpansion', 'ArithmeticCommand', 'ArithmeticFor', 'TestCommand', 'Slice'])

/**
 * Takes a Bash line apart into its simple commands, in the order in which they are written. Nothing is run
 * or expanded: what only a running shell knows is marked as unknown in the words.
 *
 * @example bashCommands('cd src && ls $(pwd)').commands.map((c) => c.text) // ['cd src', 'ls $(pwd)', 'pwd']
 */
export function bashCommands(line: string): BashLine {
  if (line.length > longestLine)
    return { commands: [], unparsable: `the command is longer than ${longestLine} characters` }
  if (line.includes('\0')) return { commands: [], unparsable: 'the command holds a NUL character' }
  if (/\r(?!\n)/.test(line)) return { commands: [], unparsable: 'the command holds a carriage return' }
  const seen: Seen = { commands: [], problems: [], bait: bait.test(line) }
  readScript(line, seen, 0)
  if (seen.commands.length === 0) seen.problems.push('there is no command in it')
  const [unparsable] = seen.problems
  return unparsable === undefined ? { commands: seen.commands } : { commands: seen.commands, unparsable }
}

interface Seen {
  readonly commands: BashCommand[]
  readonly problems: string[]
  readonly bait: boolean
}

function readScript(source: string, seen: Seen, depth: number): void {
  if (depth > deepestShell) {
    seen.problems.push('shells are nested too deeply')
    return
  }
  const { forEachChild, parse } = shellGrammar()
  const script = parse(source)
  const chains = depth === 0 ? chainsIn(script, source) : none
  const visit = (node: SyntaxNode, repeats: boolean): void => {
    if (node.type === 'Word' && isLiteral(node.text)) return
    noteProblems(node, seen)
    const command = commandIn(node, repeats)
    if (command !== null) {
      seen.commands.push(placed(command, depth > 0, chains.get(node)))
      if (command.redirects.some((redirect) => redirect.word.value === null)) {
        seen.problems.push('a redirect goes to a file whose name is only known when it runs')
      }
      for (const text of writtenScripts(command.words).texts) readScript(text, seen, depth + 1)
    }
    forEachChild(node, (child) => visit(child, repeats || loops.has(node.type)))
  }
  visit(script, false)
}

function placed(command: BashCommand, within: boolean, chain: number | undefined): BashCommand {
  if (within) return { ...command, within }
  return chain === undefined ? command : { ...command, chain }
}

function noteProblems(node: SyntaxNode, seen: Seen): void {
  if (node.type === 'Script') {
    for (const error of node.errors ?? []) seen.problems.push(error.message)
  }
  if (substitutions.has(node.type) && 'script' in node && node.script === undefined)
    seen.problems.push('a substitution cannot be read')
  const indexed = (node.type === 'ParameterExpansion' || node.type === 'Assignment') && node.index !== undefined
  if (seen.bait && (indexed || reckoners.has(node.type))) seen.problems.push('a subscript may run text as a command')
  if (node.type === 'Transform') seen.problems.push('a @ transformation can run text as a command')
}

function commandIn(node: SyntaxNode, repeats: boolean): BashCommand | null {
  if (node.type === 'Command') return simpleCommand(node, repeats)
  if (node.type === 'Redirected') {
    return { text: '', words: [], assignments: [], redirects: node.redirects.flatMap(bashRedirect), repeats }
  }
  if ((node.type === 'For' || node.type === 'Select') && steers(node.name.text)) {
    const assignments = [`${node.name.text}=`]
    return { text: assignments.join(''), words: [], assignments, redirects: [], repeats }
  }
  if (node.type !== 'TestCommand' && node.type !== 'ArithmeticCommand') return null
  const name = node.type === 'TestCommand' ? '[[' : '(('
  const words = [{ text: name, value: name, glob: false }, ...wordsUnder(node)]
  return { text: textOf([], words), words, assignments: [], redirects: [], repeats }
}

function simpleCommand(node: Command, repeats: boolean): BashCommand {
  const assignments = node.prefix.filter((part) => part.type === 'Assignment').map((part) => part.text)
  const name = node.name === undefined ? [] : [bashWord(node.name)]
  const words = [
    ...name,
    ...node.args.map((part) => (part.type === 'Assignment' ? assignedWord(part) : bashWord(part))),
  ]
  return {
    text: textOf(assignments, words),
    words,
    assignments,
    redirects: node.redirects.flatMap(bashRedirect),
    repeats,
  }
}

function assignedWord(node: Assignment): BashWord {
  const value = node.value.type === 'Word' && node.index === undefined ? bashWord(node.value).value : null
  return { text: node.text, value: value === null ? null : `${node.name}=${value}`, glob: false }
}

function wordsUnder(node: SyntaxNode): BashWord[] {
  const { forEachChild } = shellGrammar()
  const words: BashWord[] = []
  const visit = (child: SyntaxNode): void => {
    if (child.type === 'Word') words.push(bashWord(child))
    else if (child.type === 'ArithmeticWord') words.push({ text: child.value, value: child.value, glob: false })
    else if (child.type !== 'Script') forEachChild(child, visit)
  }
  forEachChild(node, visit)
  return words
}

function textOf(assignments: readonly string[], words: readonly BashWord[]): string {
  return [...assignments, ...words.map((word) => word.text)].join(' ')
}

/** Words that may give `cd` another meaning on the way. */
const unsteady = /\(\s*\)|(^|[\s;&|({])(function|alias|enable|hash|source|eval|trap|shopt|\.)(\s|$)|CDPATH/

/**
 * The simple commands of a script that stand in lists of nothing but `&&`, numbered by list: there, what follows a `cd`
 * runs in the new directory or not at all. Only whole statements count, and pipelines in them that change no directory.
 *
 * @example `cd src && cat a | head; ls` → `cd src`, `cat a` and `head` in list 0
 */
function chainsIn(script: Script, source: string): ReadonlyMap<SyntaxNode, number> {
  const chains = new Map<SyntaxNode, number>()
  if (!source.includes('&&') || !/\b(cd|pushd)\b/.test(source) || unsteady.test(source)) return chains
  for (const [number, { command }] of script.commands.entries()) {
    if (command.type !== 'AndOr' || command.operators.some((operator) => operator !== '&&')) continue
    for (const member of command.commands) for (const simple of simpleIn(member)) chains.set(simple, number)
  }
  return chains
}

function simpleIn(member: SyntaxNode): readonly Command[] {
  if (member.type === 'Command') return [member]
  if (member.type !== 'Pipeline') return []
  const simple = member.commands.flatMap((command) => (command.type === 'Command' ? [command] : []))
  return simple.some(({ name }) => /^(cd|pushd|popd|builtin|command)$/.test(name?.value ?? 'cd')) ? [] : simple
}

/** A file that a redirect opens. */
interface BashRedirect {
  readonly access: 'read' | 'edit'
  readonly word: BashWord
}

/** Writing to these changes no file. */
const harmless = /^\/dev\/(null|stdout|stderr|tty|fd\/\d+)$/

/** The file behind a redirect, if there is one: not for here-documents, descriptor
 * copies, `<(…)` (whose commands are judged themselves) and `/dev/null`. */
function bashRedirect(redirect: Redirection): BashRedirect[] {
  if (redirect.type !== 'Redirect' || redirect.target === undefined) return []
  const [part, ...more] = redirect.target.parts ?? []
  if (part?.type === 'ProcessSubstitution' && more.length === 0) return []
  const word = bashWord(redirect.target)
  const duplicates = redirect.operator === '>&' || redirect.operator === '<&'
  if (duplicates && word.value !== null && /^(\d+-?|-)$/.test(word.value)) return []
  if (word.value !== null && harmless.test(word.value)) return []
  const reads = redirect.operator === '<' || redirect.operator === '<&'
  const both = redirect.operator === '<>'
  // A glob as a target names a file that cannot be known beforehand.
  const target = word.glob ? { ...word, value: null } : word
  const opened: BashRedirect = { access: reads ? 'read' : 'edit', word: target }
  return both ? [opened, { access: 'read', word: target }] : [opened]
}
