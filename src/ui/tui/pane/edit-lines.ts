import { diffLines } from 'diff'
import { isRecord } from '../../../protocol/words/is-record.ts'
import { plainText } from '../../text/plain-text.ts'
import { wrapWidth, type Paint, type Tone } from '../../text/terminal-text.ts'

/** A text that an editing call puts in the place of another. */
interface Replacement {
  readonly before: string
  readonly after: string
}

/**
 * The change that an editing call makes, its lines with the sign and the colour of a diff; null for any other call.
 * @example editLines({ file_path: 'a', old_string: 'x', new_string: 'y' }, { width: 80, paint }) // ['- x', '+ y']
 */
export function editLines(
  input: unknown,
  { width, paint }: { readonly width: number; readonly paint: Paint },
): readonly string[] | null {
  const changes = replacementsIn(input)
  if (changes === null) return null
  return changes.flatMap(({ before, after }) =>
    diffLines(before, after).flatMap(({ value, added, removed }) => {
      const [sign, tone] = signOf(added, removed)
      const lines = plainText(value).replace(/\n$/, '').split('\n')
      return lines.flatMap((line) => wrapWidth(line, width - 4).map((part) => paint(tone, `  ${sign} ${part}`)))
    }),
  )
}

function signOf(added: boolean, removed: boolean): readonly [string, Tone] {
  if (added) return ['+', 'green']
  return removed ? ['-', 'red'] : [' ', 'dim']
}

function replacementsIn(input: unknown): readonly Replacement[] | null {
  if (!isRecord(input)) return null
  const { old_string: before, new_string: after, content, file_path, edits } = input
  if (typeof before === 'string' && typeof after === 'string') return [{ before, after }]
  if (typeof file_path !== 'string') return null
  if (typeof content === 'string') return [{ before: '', after: content }]
  if (!Array.isArray(edits)) return null
  return edits.flatMap((edit: unknown) => replacementsIn(edit) ?? [])
}
