import type { Host } from '../host/host.ts'
import type { Progress } from './progress.ts'
import { giveBack } from '../../tui/terminal/frames.ts'
import { openRegion } from './region.ts'

/** At most ten pictures a second, however fast facts come. */
const frameMs = 100

/** A terminal with a picture at its end that is drawn when something changed. */
export interface Screen extends Pick<Progress, 'note' | 'close'> {
  drawSoon(): void
  drawNow(): void
}

type Terminal = Pick<Host, 'stderr' | 'onExit' | 'onResize'>

/**
 * Owns when the picture is drawn, until the screen is closed.
 * However the process ends, short of a kill, the terminal is given back.
 */
export function openScreen({ stderr: terminal, onExit, onResize }: Terminal, picture: () => readonly string[]): Screen {
  const region = openRegion(terminal)
  let closed = false
  let isWanted = false
  const frames = framesOf(() => {
    if (!closed) region.show(picture())
  })
  const draw = (when: keyof typeof frames): void => {
    isWanted = true
    frames[when]()
  }
  const forget = onExit(() => giveBack(terminal, region.release))
  const forgetResize = onResize(() => {
    region.resized()
    frames.soon()
  })
  return {
    drawSoon: () => draw('soon'),
    drawNow: () => draw('now'),
    note: (text) => (closed ? terminal.write(`${text}\n`) : region.above(text)),
    close() {
      // A run that could not begin has no picture.
      if (isWanted) frames.now()
      closed = true
      region.close()
      forget()
      forgetResize()
    },
  }
}

/** Draws at once, or with the next frame however often that is asked for. */
function framesOf(draw: () => void): { now: () => void; soon: () => void } {
  let timer: NodeJS.Timeout | undefined
  const now = (): void => {
    clearTimeout(timer)
    timer = undefined
    draw()
  }
  return {
    now,
    soon: () => {
      timer ??= setTimeout(now, frameMs)
    },
  }
}
