import type { ParameterExpansionPart, ParsedScript, Word, WordPart } from 'unbash'
import { workOut } from './arithmetic.ts'
import { isLiteral, type BashWord } from '../bash-word.ts'
import { programName } from '../bash-wrappers.ts'
import { expandBraces, hidesBraces } from './brace-expansion.ts'
import { checkNumber, isExpansion, put, type Expansion } from './expansion.ts'
import { checkOperands } from './check-operands.ts'
import { fromHome, itemsOf, replacedTexts, type Outcomes } from './word-texts.ts'
import { givesName, givesNumber } from './number-scripts.ts'
import { shellGrammar } from '../lines/shell-grammar.ts'
import {
  isTexts,
  itemOf,
  joined,
  listOf,
  mostValues,
  valueOf,
  type ShellState,
  type ShellTexts,
} from './shell-values.ts'
import { shorterTexts } from './shorter-texts.ts'
import { combined, isHarmless, isName, plainPieces, type Found } from './word-fields.ts'

/**
 * Works out what a word comes to, as bash would: braces, variables whose text the line tells, quotes, blanks. What only a
 * running shell knows has no value.
 *
 * @example with `for x in a b`: `"$x.ts"` → [[a.ts], [b.ts]]
 */
export function expandWord(word: Word, into: Expansion): Outcomes {
  const { text } = word
  if (isLiteral(text)) return [[plainWord(text)]]
  const parts = word.parts ?? []
  const [first] = parts
  if (parts.length === 1 && first?.type === 'ProcessSubstitution') {
    noteScript(first.script, into)
    return [[{ text: word.text, value: null, glob: false, from: 'pipe' }]]
  }
  const list = parts.length === 1 && first !== undefined ? wholeList(first, into.state) : undefined
  if (list !== undefined) return [list]
  const before = into.state
  const braces = parts.filter(({ type }) => type === 'BraceExpansion')
  if (braces.length > 0) return expandBraced(word, braces, into)
  if (hidesBraces(word)) return lost(word, into).map((way) => way.map((each) => ({ ...each, splits: true as const })))
  const found = parts.length === 0 ? [plainPieces(word.value)] : parts.map((part) => pieces(part, false, into))
  if (startsSomewhere(word, into.state)) return [[{ text: word.text, value: null, glob: false }]]
  const ways = combined(word, found, before)
  if (ways.length > 1) into.made += ways.length
  return ways
}

/** The word of a text that is its own value. */
export function plainWord(text: string): BashWord {
  return { text, value: text, glob: false, program: programName(text) }
}

/** `"${a[@]}"`, `"$@"`: the words of an array, or of the shell, as they are; undefined for any other part. */
function wholeList(part: WordPart, state: ShellState): readonly BashWord[] | undefined {
  const [only, ...others] = part.type === 'DoubleQuoted' ? part.parts : []
  if (only === undefined || others.length > 0) return undefined
  const { array = '', given } = /^\$(?:\{(?<array>\w+)\[@\]\}|(?<given>@|\{@\}))$/.exec(only.text)?.groups ?? {}
  return isExpansion(only.type) ? listOf(given === undefined ? array : '@', state) : undefined
}

/** `~+`, `~name`, `~` where the line sets HOME: a directory that only the shell knows. */
function startsSomewhere({ text }: Word, { variables }: ShellState): boolean {
  return text.startsWith('~') && (/^~[^/]/.test(text) || variables.has('HOME'))
}

/** When more texts than this came out of the words of a command, its further braces are not worked out. */
const mostMade = 400

function expandBraced(word: Word, braces: readonly WordPart[], into: Expansion): Outcomes {
  const spots = braces.map(({ pos, end }) => [pos - word.pos, end - word.pos] as const)
  const texts = into.made > mostMade ? null : expandBraces(word.text, spots)
  into.made += texts?.length ?? 0
  const { parse } = shellGrammar()
  const scripts = into.scripts.length
  let ways: (readonly BashWord[])[] = [[]]
  for (const text of texts ?? []) {
    if (text === '') continue
    const [statement] = parse(`: ${text}`).commands
    const [made, ...others] = statement?.command.type === 'Command' ? statement.command.suffix : []
    const more = made?.type === 'Word' && others.length === 0 ? expandWord(made, into) : null
    if (more === null || ways.length * more.length > mostValues) return lost(word, into)
    ways = ways.flatMap((way) => more.map((next) => [...way, ...next]))
  }
  // The scripts in all the ways are those of the word.
  into.scripts.length = scripts
  if (texts === null) return lost(word, into)
  noteParts(word, into)
  return ways.map((way) => way.map((each) => ({ ...each, text: word.text })))
}

/** Bash joins each choice with what stands around the braces before it reads anything else: `{a,$}[x]` is `$[x]`, too. */
function lost(word: Word, into: Expansion): Outcomes {
  const { text } = word
  noteParts(word, into)
  if (/[$`\\]/.test(text)) into.hazards.push(unreadBraces)
  return [[{ text, value: null, glob: false, ...(/[$`]/.test(text) && { vanishes: true as const }) }]]
}

const unreadBraces = 'a word with braces cannot be read'

/** The scripts in such a word run all the same. */
function noteParts({ parts = [] }: Word, into: Expansion): void {
  for (const part of parts) pieces(part, false, into)
  if (parts.some((part) => part.type === 'BraceExpansion' && part.parts === undefined && /[$`]/.test(part.text)))
    into.hazards.push(unreadBraces)
}

function pieces(part: WordPart, quoted: boolean, into: Expansion): Found {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return plainPieces(part.value)
    case 'DoubleQuoted':
    case 'LocaleString':
      return inQuotes(part.parts.map((child) => pieces(child, true, into)))
    case 'SimpleExpansion':
      return asPieces(valueOf(part.text.slice(1), into.state), { quoted, into })
    case 'ParameterExpansion':
      return asPieces(parameter(part, into), { quoted, into })
    case 'ArithmeticExpansion':
      workOut(part.expression, into)
      return 'number'
    case 'CommandExpansion':
      return substituted(part.script, { quoted, into })
    case 'ProcessSubstitution':
      noteScript(part.script, into)
      return null
    case 'Glob': {
      const inside = inQuotes((part.parts ?? []).map((child) => pieces(child, quoted, into)))
      return patterns(part.text, { quoted, inside })
    }
    default:
      for (const child of part.parts ?? []) pieces(child, quoted, into)
      return null
  }
}

/** The pattern for which a wildcard stands: `["a"]` is `[a]`, `[$(date)]` is not known. `x=*` takes the sign as a text. */
function patterns(text: string, { quoted, inside }: { readonly quoted: boolean; readonly inside: Found }): Found {
  const glob = !quoted
  if (!/["'$`<>]/.test(text)) return [{ text, glob, splits: false }]
  const known = isTexts(inside) && inside.every((piece) => /^[\w.]+$/.test(piece.text))
  return known ? inside.map((piece) => ({ text: `[${piece.text}]`, glob, splits: false })) : null
}

/** The parts of a text in quotes, joined. */
function inQuotes(found: readonly Found[]): Found {
  let ways: string[] = ['']
  let glob = false
  for (const part of found) {
    if (part === null || typeof part === 'string') {
      if (found.includes(null)) return null
      if (found.includes('name')) return isName(found) ? 'name' : null
      return found.every((each) => each === 'number') ? 'number' : 'env'
    }
    if (ways.length * part.length > mostValues) return null
    glob ||= part.some((piece) => piece.glob)
    ways = ways.flatMap((way) => part.map(({ text }) => `${way}${text}`))
  }
  return ways.map((text) => ({ text, glob, splits: false }))
}

function asPieces(values: ShellTexts, { quoted, into }: { readonly quoted: boolean; readonly into: Expansion }): Found {
  if (values === null || typeof values === 'string') return values
  if (quoted) return values.map(({ text, glob }) => ({ text, glob, splits: false }))
  // Where the line sets IFS, words fall apart anywhere. Patterns such as `@(a|b)` count where an option says so.
  if (into.state.variables.has('IFS') || values.some(({ text }) => /[?*+@!]\(/.test(text))) return null
  return values.map(({ text }) => ({ text, glob: true, splits: true }))
}

function noteScript(script: ParsedScript | undefined, into: Expansion): void {
  if (script === undefined) into.hazards.push('a substitution cannot be read')
  else into.scripts.push({ script, state: into.state })
}

function substituted(
  script: ParsedScript | undefined,
  { quoted, into }: { readonly quoted: boolean; readonly into: Expansion },
): Found {
  noteScript(script, into)
  if (script === undefined) return null
  if (givesNumber(script)) return 'number'
  if (givesName(script)) return 'name'
  const { commands } = script
  const [only] = commands
  const isPwd = commands.length === 1 && only?.command.type === 'Command' && only.command.name?.text === 'pwd'
  return isPwd ? asPieces(valueOf('PWD', into.state), { quoted, into }) : null
}

/** Transformations that only write a text in another way. */
const harmlessTransform = /^[QULuKAak]$/

/** Bash may leave out what stands behind the name. */
function parameter(part: ParameterExpansionPart, into: Expansion): ShellTexts {
  const before = into.state
  const values = operated(part, into)
  into.state = joined(before, into.state)
  return values
}

function operated(part: ParameterExpansionPart, into: Expansion): ShellTexts {
  const { parameter: name, prefix, index, operation } = part
  checkOperands(part, into)
  if (index !== undefined && !/^[@*]$/.test(index.text)) workOutText(index, into)
  const values = index === undefined ? valueOf(name, into.state) : itemOf(name, index.text, into.state)
  if (prefix === '#') return 'number'
  if (operation?.type === 'Transform' && !harmlessTransform.test(operation.operand.text))
    into.hazards.push('a @ transformation can run text as a command')
  if (prefix === '!' && operation?.type !== 'Names') {
    if (operation?.type === 'Default' && operation.operator.endsWith('='))
      into.hazards.push('a variable is set whose name another one holds')
    if (index === undefined || !/^[@*]$/.test(index.text)) checkName(values, into)
    return null
  }
  if (operation === undefined) return values
  switch (operation.type) {
    case 'Slice':
      workOutText(operation.offset, into)
      if (operation.length !== undefined) workOutText(operation.length, into)
      return trimmed(values)
    case 'Default':
      return withDefault(part, { values, operand: operation.operand }, into)
    case 'Transform':
      return null
    case 'Replace':
      return replacedTexts(values, {
        operator: operation.operator,
        pattern: expandWord(operation.pattern, into),
        replacement: expandWord(operation.replacement, into),
      })
    case 'Remove':
    case 'CaseModification':
      if (operation.operand !== undefined) expandWord(operation.operand, into)
      return trimmed(values)
    default:
      return null
  }
}

/** A part of a file's name is one of nobody knows what; a part of a number or of the environment stays that. */
function trimmed(values: ShellTexts): ShellTexts {
  return values === 'number' || values === 'env' ? values : null
}

function withDefault(
  { parameter: name, operation }: ParameterExpansionPart,
  { values, operand }: { readonly values: ShellTexts; readonly operand: Word },
  into: Expansion,
): ShellTexts {
  const more = itemsOf(expandWord(operand, into), into.state)
  if (operation?.type !== 'Default') return null
  if (operation.operator.endsWith('=')) {
    into.sets.push(name)
    if (!isTexts(values) || values.some(({ text }) => text === '')) put(name, null, into)
  }
  if (operation.operator.endsWith('?')) return values
  if (isTexts(values) && values.every(({ text }) => text !== '') && !operation.operator.endsWith('+')) return values
  return values === 'env' && more !== null && typeof more !== 'string' && more.every(isHarmless) ? 'env' : null
}

function checkName(values: ShellTexts, into: Expansion): void {
  if (values === 'env' || values === 'number') return
  const named = isTexts(values) && values.every(({ text, glob }) => !glob && /^[A-Za-z_]\w*$/.test(text))
  if (!named) into.hazards.push('the name of a variable is only known when it runs, and can hold a command')
}

/** A text that bash works out as a number. */
export function workOutText(word: Word, into: Expansion): void {
  for (const words of expandWord(word, into)) for (const each of words) checkNumber(each, into)
}

/** The texts of a word that neither falls apart nor stands for files: the right side of an assignment. */
export function expandValue(word: Word, into: Expansion): ShellTexts {
  if (isLiteral(word.text)) return [{ text: word.text, glob: false }]
  const { state } = into
  const found =
    word.parts === undefined ? plainPieces(word.value) : inQuotes(word.parts.map((part) => pieces(part, true, into)))
  if (startsSomewhere(word, state)) return null
  // `x=a:~/b`: bash looks for a tilde behind a colon as well.
  if (/:~/.test(word.text)) return null
  if (isTexts(found)) return found.map(({ text, glob }) => ({ text: fromHome(text, word.text, state), glob }))
  return found === 'env' && shorterTexts(word, state).length > 0 ? null : found
}

/** The text of a here-document, as far as it is known. */
export function expandText(parts: readonly WordPart[], into: Expansion): string | null {
  const found = inQuotes(parts.map((part) => pieces(part, true, into)))
  return isTexts(found) && found.length === 1 ? (found[0]?.text ?? null) : null
}
