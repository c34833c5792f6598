import { writeSync } from 'node:fs'
import type { Writable } from 'node:stream'
import type { Panel } from './layout.ts'

/*
 * Owns what the terminal shows and in which modes it is, from opening to closing.
 * 1. Only lines that have changed are written, each at its own place: no line moves another, whatever the terminal
 * thinks of its width. 2. A frame is one write. 3. However the process ends, short of a kill, the terminal is given back.
 * Widths are the layout's: nothing is cut here.
 */
export interface Canvas {
  /** Makes the terminal show these panels, and nothing else. */
  draw(panels: readonly Panel[]): void
  /** Forgets the content of the terminal: the next drawing begins from nothing. */
  forget(): void
  /** Resolves when the terminal has been given back. */
  close(): Promise<void>
}

export interface CanvasOptions {
  readonly stdout: Writable & { readonly fd?: number }
  /** Runs when the process ends, however it does short of a kill. */
  onExit(listener: () => void): () => void
}

const csi = (rest: string): string => `\u001b[${rest}`

/** The other screen, no cursor, no wrapping, pasted text marked as such. */
const modes = ['?1049', '?2004'].map(csi)
const unwanted = ['?25', '?7'].map(csi)
const begin = [...modes.map((mode) => `${mode}h`), ...unwanted.map((mode) => `${mode}l`)].join('')
const end = [...unwanted.map((mode) => `${mode}h`), ...modes.toReversed().map((mode) => `${mode}l`)].join('')
const blank = csi('0m') + csi('H') + csi('J')
const framed = (text: string): string => `${csi('?2026h')}${text}${csi('?2026l')}`

/** Takes the terminal. */
export function openCanvas({ stdout, onExit }: CanvasOptions): Canvas {
  let shown: ReadonlyMap<string, string> | null = null
  const forgetExit = onExit(() => giveBack(stdout))
  stdout.write(begin)
  return {
    draw(panels) {
      const wanted = linesOf(panels)
      const kept = shown !== null && [...shown.keys()].every((place) => wanted.has(place)) ? shown : null
      const changes = [...wanted].filter(([place, text]) => (kept?.get(place) ?? '') !== text)
      shown = wanted
      const text = changes.map(([place, line]) => `${place}${line}${csi('0m')}`).join('')
      if (kept === null) stdout.write(framed(blank + text))
      else if (text !== '') stdout.write(framed(text))
    },
    forget() {
      shown = null
    },
    async close() {
      forgetExit()
      await new Promise<void>((resolve) => stdout.write(end, () => resolve()))
    },
  }
}

/** Each line by the words that go to its place and erase what stands there. */
function linesOf(panels: readonly Panel[]): ReadonlyMap<string, string> {
  return new Map(
    panels.flatMap(({ x, y, width, height, lines }) =>
      Array.from({ length: height }, (_, n) => [`${csi(`${y + n + 1};${x + 1}H`)}${csi(`${width}X`)}`, lines[n] ?? '']),
    ),
  )
}

/** A dying process has no time for streams. */
function giveBack({ fd }: CanvasOptions['stdout']): void {
  if (typeof fd !== 'number') return
  try {
    writeSync(fd, end)
  } catch {
    // The terminal is gone: there is nothing to give back.
  }
}
