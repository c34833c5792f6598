import { writeSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { render } from 'ink'
import type { ReactNode } from 'react'
import { watchRun } from '../../runtime/watch-run.ts'
import type { Paint } from '../text/colour.ts'
import { firstShown, openDesk, type DeskParts } from './desk.ts'
import { openFrames } from './frames.ts'
import type { Room } from './grid.ts'
import { emptyCaches } from './pane-lines.ts'
import { layOut } from './layout.ts'
import { screen } from './screen.ts'

/** What the screen needs of the process that shows it. */
export interface Terminal {
  readonly stdin: Readable
  readonly stdout: Writable & { readonly columns?: number; readonly rows?: number; readonly fd?: number }
  readonly paint: Paint
  /** Runs when the process ends, however it does short of a kill. */
  onExit(listener: () => void): () => void
}

export interface AttachTo extends Pick<DeskParts, 'dir' | 'run' | 'home' | 'now' | 'describe' | 'call'> {
  /** Shown alone at first; all members when null. */
  readonly member: string | null
  /** Leaves, as the key for it does. */
  readonly signal: AbortSignal
}

/** Where the cursor stands after a resize, only the terminal knows. */
const blank = '\u001b[H\u001b[J'
const wrapOff = '\u001b[?7l'
const wrapOn = '\u001b[?7h'

/**
 * Shows a run until the person leaves; leaving stops nothing.
 * @throws what the disk says when the run cannot be read
 */
export async function attach(to: AttachTo, terminal: Terminal): Promise<void> {
  const { paint } = terminal
  const left = Promise.withResolvers<void>()
  const shown = firstShown(to.run, to.member)
  const caches = emptyCaches()
  const size = sizeOf(terminal)
  const tree = (): ReactNode =>
    screen(layOut({ ...shown, run: to.run, paint, caches, size: size() }), size().rows, desk.keyboard)
  const frames = openFrames(
    () => ink.rerender(tree()),
    () => performance.now(),
  )
  const redraw = (): void => {
    ink.clear()
    terminal.stdout.write(blank)
    frames.now()
  }
  const desk = openDesk(shown, { ...to, size, frames, redraw, leave: left.resolve })
  const ink = openInk(tree(), terminal)
  const stop = watchRun(to.dir, desk.ears)
  // A terminal does with the old picture what it likes: nothing of it is relied upon.
  terminal.stdout.on('resize', redraw)
  to.signal.addEventListener('abort', () => left.resolve())
  await left.promise
  stop()
  terminal.stdout.off('resize', redraw)
  frames.close()
  await ink.close()
}

function sizeOf({ stdout }: Terminal): () => Room {
  return () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 })
}

/** Ink on a terminal that does not wrap; however the process ends, short of a kill, the terminal is given back. */
function openInk(first: ReactNode, terminal: Terminal) {
  const { stdin, stdout } = terminal
  stdout.write(wrapOff)
  const forget = terminal.onExit(() => writeBack(terminal))
  const instance = render(first, {
    stdin: stdin as NodeJS.ReadStream,
    stdout: stdout as NodeJS.WriteStream,
    alternateScreen: true,
    incrementalRendering: true,
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
    // Frames are paced before they come here.
    maxFps: 1000,
  })
  return {
    rerender: instance.rerender,
    clear: instance.clear,
    async close(): Promise<void> {
      instance.unmount()
      await instance.waitUntilExit()
      forget()
      stdout.write(wrapOn)
    },
  }
}

/** A dying process has no time for streams. */
function writeBack({ stdout }: Terminal): void {
  if (typeof stdout.fd !== 'number') return
  try {
    writeSync(stdout.fd, wrapOn)
  } catch {
    // The terminal is gone: there is nothing to give back.
  }
}
