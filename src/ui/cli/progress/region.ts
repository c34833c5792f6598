import { widthOf } from '../../text/terminal-text.ts'
import type { Output } from '../host/host.ts'

/*
 * Owns the lowest lines of a terminal: lines that are repainted in place.
 * 1. Only lines that changed are written. 2. Between two calls the cursor stands below the region, at column 0.
 * 3. The cursor is hidden while the region stands, and shown again by `close` and `release`.
 * 4. Lines must fit the terminal's width; automatic wrapping is off while painting, so that a character whose
 *    width the terminal counts differently tears one line at most.
 * It never reads the clock and keeps no timer.
 */
export interface Region {
  /** Replaces the region's lines. */
  show(lines: readonly string[]): void
  /** Prints a line above the region, where it stays. */
  above(line: string): void
  /** Says that the terminal has another width now. */
  resized(): void
  /** The text that gives the terminal back; written, at the latest, when the process dies. */
  readonly release: string
  close(): void
}

const escape = '\u001b['
const hide = `${escape}?25l`
const reveal = `${escape}?25h`
const beginFrame = `${escape}?2026h`
const endFrame = `${escape}?2026l`
const wrapOff = `${escape}?7l`
const wrapOn = `${escape}?7h`
const eraseLine = `${escape}2K`
const eraseBelow = `${escape}J`

const up = (rows: number): string => (rows > 0 ? `${escape}${rows}A` : '')
const down = (rows: number): string => (rows > 0 ? `${escape}${rows}B` : '')

/** A region at the cursor of a terminal: `openRegion(process.stderr).show(['a: thinking', 'b: idle'])` */
export function openRegion(terminal: Output): Region {
  let shown: readonly string[] = []
  let hidden = false
  let reflowed = false

  const frame = (text: string): void => {
    terminal.write(`${hidden ? '' : hide}${beginFrame}${text}${endFrame}`)
    hidden = true
  }
  const top = (): string => `\r${up(reflowed ? rowsOf(shown, terminal.columns || 80) : shown.length)}`
  const whole = (lines: readonly string[]): string => unwrapped(lines.map((line) => `${line}\n`).join(''))
  const replace = (before: string, lines: readonly string[]): void => {
    frame(`${top()}${eraseBelow}${before}${whole(lines)}`)
    shown = lines
    reflowed = false
  }

  const repaint = (lines: readonly string[]): void => {
    const changed = lines.map((line, row) => (line === shown[row] ? '' : changeOf(line, lines.length - row))).join('')
    if (changed !== '') frame(unwrapped(changed))
    shown = lines
  }

  return {
    show(lines) {
      if (reflowed || lines.length !== shown.length) replace('', lines)
      else repaint(lines)
    },
    above: (line) => replace(`${line}\n`, shown),
    resized: () => (reflowed = true),
    release: `${wrapOn}${endFrame}${reveal}`,
    close() {
      if (hidden) terminal.write(reveal)
      hidden = false
    },
  }
}

function unwrapped(text: string): string {
  return text === '' ? '' : `${wrapOff}${text}${wrapOn}`
}

function changeOf(line: string, rowsBelow: number): string {
  return `${up(rowsBelow)}\r${eraseLine}${line}\r${down(rowsBelow)}`
}

/** Rows that lines take after the terminal has re-wrapped them. */
function rowsOf(lines: readonly string[], columns: number): number {
  return lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(widthOf(line) / Math.max(1, columns))), 0)
}
