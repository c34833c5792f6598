import type { ParameterExpansionPart, Word, WordPart } from 'unbash'
import { isTexts, valueOf, type ShellState } from './shell-values.ts'

/** With more texts than these a word has none that is looked at. */
const mostTexts = 8

/** A variable at the end of a word, behind a separator, is a whole part of it. */
const lastPart = /[/=:]["']*\$(?:\w+|\{[^{}]*\}|!)["']*$/
/** Where a path from the root begins, perhaps behind the name of an option. */
const rooted = /(?:^|[=:])["']*(\/.*)/s

/**
 * The texts of a word in which the parts that the environment brings come to nothing, or to the text that stands there
 * for this case. A variable that is a whole part of a path, at either end of the word, mostly holds a place: without it
 * only a path into the directories of the line, or of the person, is looked at.
 *
 * @example shorterTexts(word of `.e${X}nv`, state) // ['.env']
 * @example shorterTexts(word of `"$DIR/src"`, state) // []
 */
export function shorterTexts({ text, parts = [], value }: Pick<Word, 'text' | 'parts' | 'value'>, state: ShellState) {
  if (lastPart.test(text)) return []
  const texts = parts.length === 0 ? [value] : (joinedTexts(parts, state) ?? [])
  const near = [...(state.directories ?? []), state.home, '/proc']
  return texts.filter((each) => {
    const place = rooted.exec(each)?.[1]
    return (
      each !== '' && (place === undefined || rooted.test(text) || near.some((start) => place.startsWith(`${start}/`)))
    )
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
    default:
      return null
  }
}

/** Only `$!` is a number that may be missing. */
function valuesOf(name: string, state: ShellState): readonly string[] | null {
  const values = valueOf(name, state)
  if (isTexts(values)) return values.map(({ text }) => text)
  return values === 'env' || name === '!' ? [''] : null
}

function valuesIn(
  { parameter, prefix, operation }: ParameterExpansionPart,
  state: ShellState,
): readonly string[] | null {
  const values = prefix === '#' ? null : valuesOf(parameter, state)
  if (values === null || operation === undefined) return values
  if (operation.type !== 'Default' || operation.operator.endsWith('?')) return [...values, '']
  const { operand } = operation
  const instead = operand.parts === undefined ? [operand.value] : joinedTexts(operand.parts, state)
  return instead === null ? null : [...values, ...instead]
}
