import type { Block } from '../../../projections/screen/pane-blocks.ts'
import { isRecord } from '../../../protocol/words/is-record.ts'
import { plainText } from '../../text/plain-text.ts'
import type { FilePlace } from '../state/file-place.ts'

/** A block as text alone: what was said, or the input of a call and what came of it. Nothing in it is obeyed by a terminal. */
export function blockText(block: Block): string {
  if (block.kind !== 'call') return plainText(block.text === '' ? block.head : block.text).trim()
  const said = block.result === '' ? block.progress : block.result
  return `${inputText(block.input)}\n${plainText(said)}`.trim()
}

/** A command alone stands as it is run, any other input as JSON. */
export function inputText(input: unknown): string {
  if (typeof input === 'object' && input !== null && 'command' in input && Object.keys(input).length === 1)
    return plainText(`$ ${String(input.command)}`)
  return plainText(JSON.stringify(input, null, 2) ?? '')
}

/** The name under which a block is folded or unfolded alone: a call keeps it while its end comes. */
export function blockKey(member: string, block: Block): string {
  return `${member} ${block.kind === 'call' ? block.call_id : `${block.entry} ${block.kind} ${block.head}`}`
}

/** The file of a call, or the first `path:line` in what was said; null where there is none. */
export function fileIn(block: Block): FilePlace | null {
  if (block.kind === 'call') {
    const { file_path: file, offset, old_string: before, new_string: after } = isRecord(block.input) ? block.input : {}
    const at = [after, before].filter((text): text is string => typeof text === 'string' && text !== '')
    if (typeof file === 'string') return { file, line: typeof offset === 'number' ? offset : 1, at }
  }
  const [, file, line] = /(?:^|[\s`'"(])([\w@.~/-]*[\w-]\.\w+):(\d{1,7})\b/m.exec(blockText(block)) ?? []
  return file === undefined ? null : { file, line: Number(line), at: [] }
}
