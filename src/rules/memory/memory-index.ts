import { isPersonal, type Memory } from '../../protocol/memory/memory.ts'
import { shortLine } from '../conversation/mail-frame.ts'

/** The most lines and bytes of an index (seed pages 12 and 13), and the characters of one line's text. */
const [mostLines, mostBytes, lineChars] = [200, 25_000, 300]
/** Room for the warning at the end. */
const warningBytes = 200

type Indexed = Pick<Memory, 'name' | 'kind' | 'date' | 'description'>

/**
 * The index of memories: a line each, words of persons first, then the newest. Where the lines or their bytes are too many,
 * the last line says how many memories are left out.
 *
 * @example indexText([{ name: 'tabs', kind: 'feedback', date: '2026-11-26', description: 'Use tabs.' }])
 */
export function indexText(memories: readonly Indexed[]): string {
  const lines = memories.toSorted(inOrder).map(lineOf)
  return fitting(lines, (out) => `${out} of ${lines.length} memories are left out`)
}

/** A text of at most as many lines and bytes as an index may have, with a warning where it is cut. */
export function cutIndex(text: string): string {
  const lines = text.split('\n')
  return fitting(lines, (out) => `${out} of ${lines.length} lines are left out`)
}

function fitting(lines: readonly string[], leftOut: (count: number) => string): string {
  const whole = lines.join('\n')
  if (lines.length <= mostLines && bytesOf(whole) <= mostBytes) return whole
  const shown: string[] = []
  let left = mostBytes - warningBytes
  for (const line of lines.slice(0, mostLines - 1)) {
    left -= bytesOf(line) + 1
    if (left < 0) break
    shown.push(line)
  }
  const limit = `an index has at most ${mostLines} lines and ${mostBytes / 1000} KB. Forget what is outdated.`
  return [...shown, `[WARNING: ${leftOut(lines.length - shown.length)}: ${limit}]`].join('\n')
}

function lineOf({ name, kind, date, description }: Indexed): string {
  return `- [${name}](${name}.md) (${kind}, ${date}): ${shortLine(description, lineChars)}`
}

function inOrder(a: Indexed, b: Indexed): number {
  const personal = Number(isPersonal(b.kind)) - Number(isPersonal(a.kind))
  if (personal !== 0) return personal
  return b.date.localeCompare(a.date, 'en') || (a.name < b.name ? -1 : 1)
}

const encoder = new TextEncoder()

function bytesOf(text: string): number {
  return encoder.encode(text).length
}
