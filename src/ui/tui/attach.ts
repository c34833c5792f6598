import type { Writable } from 'node:stream'
import { watchRun } from '../../runtime/runs/watch-run.ts'
import type { Paint } from '../text/colour.ts'
import { openCanvas } from './canvas.ts'
import { firstShown, openScreenController, type ScreenOptions } from './screen-controller.ts'
import { openFrames } from './frames.ts'
import type { Room } from './grid.ts'
import { emptyCaches } from './pane-lines.ts'
import { openKeyboard, type KeySource } from './keyboard.ts'
import { layOut } from './layout.ts'

/** The part of the process that the screen uses. */
export interface Terminal {
  readonly stdin: KeySource
  readonly stdout: Writable & { readonly columns?: number; readonly rows?: number; readonly fd?: number }
  readonly paint: Paint
  /** Runs when the process ends, however it does short of a kill. */
  onExit(listener: () => void): () => void
}

export interface AttachTo extends Pick<ScreenOptions, 'dir' | 'run' | 'home' | 'now' | 'describe' | 'call'> {
  /** Shown alone at first; all members when null. */
  readonly member: string | null
  /** Leaves, as the key for it does. */
  readonly signal: AbortSignal
}

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
  const canvas = openCanvas(terminal)
  const frames = openFrames(
    () => canvas.draw(layOut({ ...shown, run: to.run, paint, caches, size: size() })),
    () => performance.now(),
  )
  const redraw = (): void => {
    canvas.forget()
    frames.now()
  }
  const screen = openScreenController(shown, { ...to, size, frames, redraw, leave: left.resolve })
  const deafen = openKeyboard(terminal.stdin, screen.keyboard)
  frames.now()
  const stop = watchRun(to.dir, screen.listener)
  // A terminal does with the old picture what it likes: nothing of it is relied upon.
  terminal.stdout.on('resize', redraw)
  to.signal.addEventListener('abort', () => left.resolve())
  await left.promise
  stop()
  terminal.stdout.off('resize', redraw)
  frames.close()
  deafen()
  await canvas.close()
}

function sizeOf({ stdout }: Terminal): () => Room {
  return () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 })
}
