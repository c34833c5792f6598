import type { ParameterExpansionPart, ParsedScript, Word, WordPart } from 'unbash'
import { isTexts, valueOf, type ShellState } from './shell-values.ts'

/** With more texts than these a word has none that is looked at. */
const mostTexts = 8

/** An expansion at the end of a word, behind a separator, is a whole part of it. */
const lastPart = /[/=:]["']*(?:\$(?:\w+|\{[^{}]*\}|[!@*]|\([^()]*\))|`[^`]*`)["']*$/
/** Where a path from the root begins, perhaps behind the name of an option. */
const rooted = /(?:^|[=:])["']*(\/.*)/s

/**
 * The texts of a word in which the parts that nobody knows come to nothing, to the text that stands there for this case, or
 * to what a command is told to say. An expansion that is a whole part of a path, at either end of the word, mostly holds a
 * place: without it only a path into the directories of the line, or of the person, is looked at.
 *
 * @example shorterTexts(word of `.e${X}nv`, state) // ['.env']
 * @example shorterTexts(word of `"$DIR/src"`, state) // []
 */
export function shorterTexts({ text, parts = [], value }: Pick<Word, 'text' | 'parts' | 'value'>, state: ShellState) {
  const texts = parts.length === 0 ? [value] : (joinedTexts(parts, state) ?? [])
  const near = [...(state.directories ?? []), state.home, '/proc']
  const isWhole = lastPart.test(text)
  return texts.filter((each) => {
    if (each === '' || (isWhole && /[/=:]$/.test(each))) return false
    const place = rooted.exec(each)?.[1]
    return place === undefined || rooted.test(text) || near.some((start) => place.startsWith(`${start}/`))
  })
}

function joinedTexts(parts: readonly WordPart[], state: ShellState): readonly string[] | null {
  let ways: readonly string[] = ['']
  for (const part of parts) {
    const more = textsOf(part, state)
    if (more === null || ways.length * more.length > mostTexts) return null
    ways = ways.flatMap((way) => more.map((text) => `${way}${text}`))
  }
  return [...new Set(ways)]
}

function textsOf(part: WordPart, state: ShellState): readonly string[] | null {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [part.value]
    case 'Glob':
      return [part.text]
    case 'DoubleQuoted':
    case 'LocaleString':
      return joinedTexts(part.parts, state)
    case 'SimpleExpansion':
      return valuesOf(part.text.slice(1), state)
    case 'ParameterExpansion':
      return valuesIn(part, state)
    case 'CommandExpansion':
      return saidTexts(part.script)
    default:
      return null
  }
}

/** `$(echo -e)`: what the command is told to say; nothing, where it may say nothing. */
function saidTexts(script: ParsedScript | undefined): readonly string[] {
  const [only, ...others] = script?.commands ?? []
  if (only?.command.type !== 'Command' || others.length > 0) return nothing
  const { name, suffix } = only.command
  if (name?.text !== 'echo' && name?.text !== 'printf') return nothing
  const words = suffix.flatMap((word) => (word.type === 'Word' && !/[$`]/.test(word.text) ? [word.value] : []))
  const said = name.text === 'printf' && words.length > 1 ? words.slice(1) : words
  return said.length === suffix.length || name.text === 'printf' ? [said.join(' ')] : nothing
}

const nothing: readonly string[] = ['']

/** Of numbers only `$!` may be missing. */
function valuesOf(name: string, state: ShellState): readonly string[] | null {
  const values = valueOf(name, state)
  if (isTexts(values)) return values.map(({ text }) => text)
  return values === 'number' && name !== '!' ? null : nothing
}

function valuesIn(
  { parameter, prefix, index, operation }: ParameterExpansionPart,
  state: ShellState,
): readonly string[] | null {
  if (prefix === '#') return null
  const values = prefix === '!' || index !== undefined ? nothing : valuesOf(parameter, state)
  if (values === null || operation === undefined) return values
  if (operation.type !== 'Default' || operation.operator.endsWith('?')) return [...values, '']
  const { operand, operator } = operation
  const instead = operand.parts === undefined ? [operand.value] : joinedTexts(operand.parts, state)
  if (instead === null) return null
  return operator.startsWith(':') && !operator.endsWith('+')
    ? [...values.filter((text) => text !== ''), ...instead]
    : [...values, ...instead]
}
