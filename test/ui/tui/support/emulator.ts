import { PassThrough, Writable } from 'node:stream'
import { onTestFailed, onTestFinished } from 'vitest'
import { graphemeTerminal, plainTerminal } from '../../../support/grapheme-terminal.ts'

/** A terminal as a program sees it, and its screen as a person does. */
export interface Emulator {
  readonly stdin: PassThrough & { isTTY: true }
  readonly stdout: Writable & { columns: number; rows: number; isTTY: true }
  /** Types. */
  press(keys: string): void
  resize(columns: number, rows: number): void
  /** Runs whenever the terminal was resized. */
  onResize(listener: () => void): () => void
  /** The screen, line by line, without spaces at the ends. */
  screen(): Promise<readonly string[]>
  /** Resolves with the screen as soon as it satisfies; it is looked at after everything that is written. */
  until(satisfies: (screen: string) => boolean): Promise<string>
  /** Everything that was written. */
  readonly written: () => string
}

/**
 * A terminal emulator in this process, with no process behind it.
 * @param old counts widths character by character, as terminals did before they knew of emoji that are made of several
 */
export function emulator(columns: number, rows: number, old = false): Emulator {
  const terminal = (old ? plainTerminal : graphemeTerminal)({ convertEol: true, cols: columns, rows })
  onTestFinished(() => terminal.dispose())
  let text = ''
  const waiting = new Set<() => void>()
  const resized = new Set<() => void>()
  const stdout = Object.assign(
    new Writable({
      write(chunk: Buffer, _, done) {
        text += chunk.toString()
        terminal.write(chunk, () => {
          for (const look of waiting) look()
          done()
        })
      },
    }),
    { columns, rows, isTTY: true as const },
  )
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true as const,
    setRawMode: () => stdin,
    ref: () => stdin,
    unref: () => stdin,
  })
  const shot = (): readonly string[] =>
    Array.from(
      { length: terminal.rows },
      (_, n) => terminal.buffer.active.getLine(n)?.translateToString(true).trimEnd() ?? '',
    )
  // What a person would have seen says more than which line waited.
  onTestFailed(() =>
    console.error(
      shot()
        .filter((line) => line !== '')
        .join('\n'),
    ),
  )
  return {
    stdin,
    stdout,
    written: () => text,
    press: (keys) => void stdin.write(keys),
    resize(wide, high) {
      terminal.resize(wide, high)
      Object.assign(stdout, { columns: wide, rows: high })
      for (const listener of resized) listener()
    },
    onResize(listener) {
      resized.add(listener)
      return () => resized.delete(listener)
    },
    screen: async () => {
      await new Promise<void>((resolve) => terminal.write('', resolve))
      return shot()
    },
    until: (satisfies) =>
      new Promise((resolve) => {
        const look = (): void => {
          const screen = shot().join('\n')
          if (!satisfies(screen)) return
          waiting.delete(look)
          resolve(screen)
        }
        waiting.add(look)
        look()
      }),
  }
}
