import type { Writable } from 'node:stream'
import type { Player } from '../../runtime/replay/play-run.ts'
import { watchRun } from '../../runtime/runs/watch-run.ts'
import { runPrompts, type ServerPrompt } from '../../runtime/mcp/server-prompts.ts'
import { promptCommands } from '../../runtime/skills/list-commands.ts'
import type { Paint } from '../text/terminal-text.ts'
import { layOut, questionView } from './layout.ts'
import type { Edit } from './orders/desk.ts'
import { shownQuestion } from './press/question-keys.ts'
import { openScreenController, standingNotes } from './screen-controller.ts'
import { emptyCaches } from './state/line-caches.ts'
import type { Picture, Room } from './state/picture.ts'
import { firstShown, type ScreenOptions } from './screen-state.ts'
import { commandsNow, type ShownCommand, type Standing } from './state/screen-commands.ts'
import { openCanvas, openFrames, type Canvas } from './terminal/frames.ts'
import { openKeyboard, type Keyboard, type KeySource } from './terminal/keyboard.ts'

/** The part of the process that the screen uses. */
export interface Terminal {
  readonly stdin: KeySource
  readonly stdout: Writable & { readonly columns?: number; readonly rows?: number; readonly fd?: number }
  readonly paint: Paint
  /** Runs when the process ends, however it does short of a kill. */
  onExit(listener: () => void): () => void
  /** Runs whenever the terminal was resized, also when it has the old size again. */
  onResize(listener: () => void): () => void
}

export interface AttachTo extends Pick<
  ScreenOptions,
  'dir' | 'run' | 'home' | 'env' | 'now' | 'monotonic' | 'describe' | 'call' | 'troupe' | 'options'
> {
  /** Shown alone at first; all members when null. */
  readonly member: string | null
  /** False: the mouse is the terminal's at first. */
  readonly mouse?: boolean | undefined
  /** Plays a recorded run instead of the one that is; nothing can be sent then. */
  readonly player?: Player | undefined
  /** Leaves, as the key for it does. */
  readonly signal: AbortSignal
  /** Opens a file on this terminal, which the screen gives back meanwhile. */
  readonly edit: Edit
}

/**
 * Shows a run until the person leaves; leaving stops nothing.
 * @throws what the disk says when the run cannot be read
 */
export async function attach(to: AttachTo, terminal: Terminal): Promise<void> {
  const left = Promise.withResolvers<void>()
  const shown = firstShown(to.run, to.member, to.mouse)
  const caches = emptyCaches()
  const size = screenSize(terminal)
  const canvas = openCanvas(terminal)
  const commands = commandsOf(to, shown)
  const { run, player } = to
  const held = { run, paint: terminal.paint, caches, commands }
  const picture = (): Picture => {
    const notes = standingNotes(shown.notes, to.now())
    return { ...shown, ...held, notes, size: size(), playback: player?.state() ?? null }
  }
  const draw = (): void => {
    canvas.mouse(shown.ui.mouse)
    canvas.draw(layOut(picture()))
    const view = questionView(picture())
    if (view !== null) shown.ui = shownQuestion(shown.ui, view, to.monotonic())
  }
  const frames = openFrames(draw, to.monotonic)
  const redraw = (): void => {
    canvas.forget()
    frames.now()
  }
  const ears = openEars(terminal.stdin)
  const edit: Edit = (place) => lend({ canvas, ears, redraw }, () => to.edit(place))
  const parts = { ...to, picture, frames, redraw, edit, copy: canvas.copy, leave: left.resolve }
  const screen = openScreenController(shown, parts)
  ears.hear(screen.keyboard)
  frames.now()
  const stop = player?.play(screen.listener) ?? watchRun(to.dir, screen.listener)
  // A terminal does with the old picture what it likes: nothing of it is relied upon.
  const forgetResize = terminal.onResize(redraw)
  to.signal.addEventListener('abort', () => left.resolve())
  await left.promise
  stop()
  forgetResize()
  frames.close()
  ears.deafen()
  await canvas.close()
}

interface Ears {
  /** Hears keys; without a keyboard for the one before. */
  hear(keyboard?: Keyboard): void
  deafen(): void
}

function openEars(stdin: KeySource): Ears {
  let heard: Keyboard | undefined
  let close = (): void => undefined
  return {
    hear(keyboard = heard) {
      heard = keyboard
      if (keyboard) close = openKeyboard(stdin, keyboard)
    },
    deafen: () => close(),
  }
}

interface Lending {
  readonly canvas: Canvas
  readonly ears: Ears
  readonly redraw: () => void
}

/** Gives the terminal to another program while it runs. */
async function lend({ canvas, ears, redraw }: Lending, use: () => Promise<void>): Promise<void> {
  ears.deafen()
  canvas.release()
  try {
    await use()
  } finally {
    canvas.take()
    ears.hear()
    redraw()
  }
}

/** The commands that can be called in a run now. */
export function commandsOf(
  { dir, run: { cwd }, home }: Pick<AttachTo, 'dir' | 'run' | 'home'>,
  standing: Standing,
): () => readonly ShownCommand[] {
  const ofServers = runPrompts(dir, home)
  return () => commandsNow([...promptCommands({ cwd, home }), ...ofServers()].map(shownPrompt), { led: standing.led })
}

function shownPrompt({
  name,
  description: does,
  hint,
}: Pick<ServerPrompt, 'name' | 'description' | 'hint'>): ShownCommand {
  return { name, kind: 'prompt', does, ...(hint === undefined ? {} : { hint }) }
}

export function screenSize({ stdout }: Terminal): () => Room {
  return () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 })
}
