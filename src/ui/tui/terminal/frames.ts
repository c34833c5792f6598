import { writeSync } from 'node:fs'
import type { Writable } from 'node:stream'
import type { Panel } from '../state/picture.ts'

/** Between two frames: enough for a reader, and drawing never takes more than two sevenths of a processor. */
const restMs = 12
const restPerDrawing = 2.5
const longestRestMs = 200
/** A terminal that takes long is given as long again, and so much at most: a reader waits for the next word. */
const longestWaitMs = 30

export interface Frames {
  /** Draws at once: for a key, whose answer comes before whatever else was written. */
  now(): void
  /** Draws soon, however often that is asked for. */
  soon(): void
  close(): void
}

/**
 * When to draw: the first change at once, those that follow together, after a pause in proportion to what drawing took of the
 * processor. Time for which others had the processor counts little: a busy machine shall not make words late. A slow terminal
 * gets fewer frames, never a queue of them.
 * @param clock milliseconds, for measuring
 * @param worked milliseconds that this process has used of processors
 */
export function openFrames(draw: () => void, clock: () => number, worked = workedMs): Frames {
  let timer: NodeJS.Timeout | NodeJS.Immediate | undefined
  let next = 0
  let closed = false
  const cancel = (): void => {
    clearTimeout(timer as NodeJS.Timeout)
    clearImmediate(timer as NodeJS.Immediate)
    timer = undefined
  }
  const now = (): void => {
    cancel()
    if (closed) return
    const [began, before] = [clock(), worked()]
    draw()
    const ended = clock()
    const rest = Math.min(longestRestMs, restPerDrawing * (worked() - before))
    next = ended + Math.max(restMs, rest, Math.min(longestWaitMs, ended - began))
  }
  return {
    now,
    soon() {
      if (timer !== undefined || closed) return
      const wait = next - clock()
      // All changes that arrived by now are drawn together.
      timer = wait <= 0 ? setImmediate(now) : setTimeout(now, wait)
    },
    close() {
      closed = true
      cancel()
    },
  }
}

function workedMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

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
  /** Whether the terminal reports clicks and the wheel, or selects text by itself. */
  mouse(on: boolean): void
  /** Puts a text into the clipboard of the terminal's person (OSC 52). */
  copy(text: string): void
  /** Gives the terminal to another program, until `take`. */
  release(): void
  take(): void
  /** Resolves when the terminal has been given back. */
  close(): Promise<void>
}

interface CanvasOptions {
  readonly stdout: Writable & { readonly fd?: number }
  /** Runs when the process ends, however it does short of a kill. */
  onExit(listener: () => void): () => void
}

const csi = (rest: string): string => `\u001b[${rest}`

/** The other screen, no cursor, no wrapping, pasted text marked as such. */
const modes = ['?1049', '?2004'].map(csi)
const unwanted = ['?25', '?7'].map(csi)
const mouseModes = ['?1000', '?1006'].map(csi)
const mouseTo = (on: boolean): string => mouseModes.map((mode) => `${mode}${on ? 'h' : 'l'}`).join('')
const begin = [...modes.map((mode) => `${mode}h`), ...unwanted.map((mode) => `${mode}l`)].join('')
const end = [
  mouseTo(false),
  ...unwanted.map((mode) => `${mode}h`),
  ...modes.toReversed().map((mode) => `${mode}l`),
].join('')
const blank = csi('0m') + csi('H') + csi('J')
const framed = (text: string): string => `${csi('?2026h')}${text}${csi('?2026l')}`

/** Takes the terminal. */
export function openCanvas({ stdout, onExit }: CanvasOptions): Canvas {
  let shown: ReadonlyMap<string, string> | null = null
  const forgetExit = onExit(() => giveBack(stdout, end))
  let released = false
  const mouse = mouseOf(stdout)
  stdout.write(begin)
  return {
    draw(panels) {
      if (released) return
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
    mouse: (on) => mouse.set(on && !released),
    copy: (text) => void stdout.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`),
    release() {
      released = true
      mouse.set(false)
      stdout.write(end)
    },
    take() {
      released = false
      shown = null
      stdout.write(begin)
    },
    async close() {
      forgetExit()
      await new Promise<void>((resolve) => stdout.write(end, () => resolve()))
    },
  }
}

/** Reports of the mouse, asked for once. */
function mouseOf(stdout: Writable): { set(on: boolean): void } {
  let hears = false
  return {
    set(on) {
      if (on !== hears) stdout.write(mouseTo(on))
      hears = on
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

/** Writes the last to a terminal that a dying process leaves: streams would come too late. */
export function giveBack({ fd }: { readonly fd?: number }, text: string): void {
  if (typeof fd !== 'number') return
  try {
    writeSync(fd, text)
  } catch {
    // The terminal is gone: there is nothing to give back.
  }
}
