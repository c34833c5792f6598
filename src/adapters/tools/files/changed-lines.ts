const shownLines = 20
const shownChars = 200

/**
 * Where two versions of a text differ, as the lines that now stand there.
 *
 * @example changedLines(Buffer.from('a\nb\n'), Buffer.from('a\nc\n')) // 'Line 2 was replaced by:\n     2\tc'
 */
export function changedLines(before: Uint8Array, after: Uint8Array): string {
  const [old, now] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1
  let same = 0
  while (same < Math.min(old.length, now.length) - start && old.at(-1 - same) === now.at(-1 - same)) same += 1
  const [gone, come] = [old.slice(start, old.length - same), now.slice(start, now.length - same)]
  if (come.length === 0) return gone.length === 0 ? '' : `${place(start, gone.length)} removed.`
  const head = gone.length === 0 ? `After line ${start} there is now:` : `${place(start, gone.length)} replaced by:`
  const shown = come.slice(0, shownLines).map((line, i) => `${String(start + 1 + i).padStart(6)}\t${short(line)}`)
  const rest = come.length > shownLines ? [`[${come.length - shownLines} more lines]`] : []
  return [head, ...shown, ...rest].join('\n')
}

function place(start: number, count: number): string {
  return count === 1 ? `Line ${start + 1} was` : `Lines ${start + 1}-${start + count} were`
}

function linesOf(bytes: Uint8Array): readonly string[] {
  return new TextDecoder().decode(bytes).split('\n')
}

function short(line: string): string {
  const plain = line.replace(/\r$/, '')
  return plain.length > shownChars ? `${plain.slice(0, shownChars).replace(/[\uD800-\uDBFF]$/, '')}…` : plain
}
