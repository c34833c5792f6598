import { stripVTControlCharacters } from 'node:util'
import type { Block } from '../../../projections/screen/pane-blocks.ts'
import { blockKey, blockText, fileIn } from '../pane/block-text.ts'
import { blockLines } from '../pane/pane-lines.ts'
import type { Picture } from '../state/picture.ts'
import type { Reading, ReadTranscript } from '../state/ui.ts'

/** The columns beside a transcript that mark the selected block. */
export const markWidth = 2

/** The blocks of the focused pane, with the lines that they have on the screen now. */
export function transcriptOf({ panes, ui, size, paint, caches }: Picture): ReadTranscript {
  const blocks = panes.panes.get(ui.focus)?.blocks ?? []
  const key = (block: Block): string => blockKey(ui.focus, block)
  const isUnfolded = (block: Block): boolean => ui.unfolded.has(ui.focus) !== ui.turned.has(key(block))
  const laid = (block: Block, unfolded: boolean): readonly string[] =>
    blockLines(caches.blocks, block, { width: size.columns - markWidth, unfolded, paint })
  const of = <Value>(index: number, value: (block: Block) => Value): Value | null => {
    const block = blocks[index]
    return block ? value(block) : null
  }
  return {
    count: blocks.length,
    lines: (index) => of(index, (block) => laid(block, isUnfolded(block))) ?? [],
    key: (index) => of(index, key) ?? '',
    text: (index) => of(index, blockText) ?? '',
    file: (index) => of(index, fileIn),
    entry: (index) => of(index, ({ entry }) => entry) ?? '',
    find(words, from, step) {
      for (let index = from.block; index >= 0 && index < blocks.length; index += step) {
        const block = blocks[index]
        if (!block || !holds(`${block.kind === 'call' ? block.label : block.head}\n${blockText(block)}`, words))
          continue
        const shown = laid(block, isUnfolded(block))
        const isHidden = !shown.some((line) => holds(line, words))
        const lines = isHidden ? laid(block, true) : shown
        const matches = lines.flatMap((line, at) => (holds(line, words) ? [at] : []))
        const found = nextOf(matches, index === from.block ? from.line : null, step)
        if (found !== null) return { block: index, line: found, turns: isHidden && !isUnfolded(block) }
      }
      return null
    },
  }
}

/** The next matching line, beyond the one that is left; a block of which no line holds the words whole matches as such. */
function nextOf(matches: readonly number[], left: number | null, step: 1 | -1): number | null {
  const all = matches.length === 0 ? [0] : matches
  const beyond = all.filter((line) => left === null || (step > 0 ? line > left : line < left))
  return (step > 0 ? beyond[0] : beyond.at(-1)) ?? null
}

function holds(text: string, words: string): boolean {
  return stripVTControlCharacters(text).toLowerCase().includes(words.toLowerCase())
}

/** The selected block of a transcript that may have become shorter. */
export function clamped({ block, line }: Reading, transcript: ReadTranscript): Reading {
  const last = Math.max(0, transcript.count - 1)
  const kept = Math.min(block, last)
  return { block: kept, line: Math.max(0, Math.min(line, transcript.lines(kept).length - 1)) }
}
