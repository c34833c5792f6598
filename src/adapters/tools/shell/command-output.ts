import type { TextStore, TextWriter } from '../../../protocol/tools/text-store.ts'
import type { StoredResult } from '../../../protocol/tools/tool.ts'
import { limitOutput, limitsFor } from '../../process/output-limiter.ts'
import { previewChars, whereTheRestIs } from '../define/answer.ts'

/** The output of a command: bounded in memory, whole on the disk where there is a place for it. */
export interface CommandOutput {
  push(text: string): void
  /** Ends the output and returns the part that the model is shown. */
  end(): ShownOutput
  /** For output that nobody asks for any more. */
  discard(): void
}

export interface ShownOutput {
  readonly text: string
  readonly stored?: StoredResult
}

/** Of 30,000 characters that a result may have; the rest of the room is for how the command ended. */
const shownLimits = limitsFor(29_700)
const shownWhole = shownLimits.head + shownLimits.tail

/**
 * Takes a command's output piece by piece. Up to 29,640 characters are shown whole. Of more, the beginning and mostly the
 * end are shown, and everything is put aside; where that is not possible the middle is lost.
 *
 * @example
 * const output = commandOutput(context.store)
 * output.push('hello\n')
 * output.end().text // 'hello\n'
 */
export function commandOutput(store: TextStore | undefined): CommandOutput {
  const shown = limitOutput(shownLimits)
  const preview = limitOutput(limitsFor(previewChars))
  const whole = wholeText(store)
  let chars = 0
  return {
    push(text) {
      // A usual command touches no file.
      if (chars <= shownWhole && chars + text.length > shownWhole) whole.push(shown.text())
      chars += text.length
      if (chars > shownWhole) whole.push(text)
      shown.push(text)
      preview.push(text)
    },
    end() {
      const put = chars > shownWhole ? whole.end() : null
      if (put === null) return { text: shown.text() }
      const text = `${preview.text()}\n${whereTheRestIs(chars, put)}`
      return { text, stored: { sha256: put.sha256, chars } }
    },
    discard: whole.discard,
  }
}

type Put = ReturnType<TextWriter['end']>

/** The same text on the disk, if the disk takes it: it never throws, and leaves nothing unfinished there. */
function wholeText(store: TextStore | undefined): { push(text: string): void; end(): Put | null; discard(): void } {
  let writer: TextWriter | null = null
  let failed = store === undefined
  const unlessItFails = <T>(act: () => T): T | null => {
    try {
      return act()
    } catch {
      // Then a cut result is better than none.
      failed = true
      return null
    }
  }
  const discard = (): void => {
    unlessItFails(() => writer?.discard())
    writer = null
  }
  return {
    push(text) {
      if (failed) return
      unlessItFails(() => {
        writer ??= store?.open() ?? null
        writer?.push(text)
      })
      if (failed) discard()
    },
    end() {
      const put = failed ? null : unlessItFails(() => writer?.end() ?? null)
      if (failed) discard()
      return put
    },
    discard,
  }
}
