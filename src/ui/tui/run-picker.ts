import type { RunSummary } from '../../runtime/runs/read-runs.ts'
import { durationText } from '../text/figures.ts'
import { plainLine } from '../text/plain-text.ts'
import { fitWidth, padWidth } from '../text/terminal-text.ts'
import { openCanvas } from './terminal/frames.ts'
import { openKeyboard } from './terminal/keyboard.ts'
import { actOf, listKeys } from './state/keys.ts'
import type { Room } from './state/picture.ts'
import { screenSize, type Terminal } from './attach.ts'

interface Picking {
  readonly now: () => number
  /** Picks none, as the key for it does. */
  readonly signal: AbortSignal
}

/**
 * Lets a person pick one of several runs: with the arrows and Enter, or by its number.
 * @returns the run's id; null when none was picked
 */
export async function pickRun(
  runs: readonly RunSummary[],
  terminal: Terminal,
  { now, signal }: Picking,
): Promise<string | null> {
  const picked = Promise.withResolvers<string | null>()
  const size = screenSize(terminal)
  const canvas = openCanvas(terminal)
  let selected = 0
  const draw = (): void => {
    const { columns, rows } = size()
    const lines = pickerLines({ runs, selected, now: now() }, { columns, rows })
    canvas.draw([{ x: 0, y: 0, width: columns, height: rows, lines }])
  }
  const redraw = (): void => {
    canvas.forget()
    draw()
  }
  const deafen = openKeyboard(terminal.stdin, {
    pasted: () => undefined,
    pressed(stroke) {
      // A digit is a whole number only where no run has two of them.
      const numbered = runs.length < 10 ? runs[Number(stroke.text) - 1] : undefined
      const act = actOf(listKeys, stroke)
      if (numbered) picked.resolve(numbered.id)
      else if (act === 'open') picked.resolve(runs[selected]?.id ?? null)
      else if (act === 'leave' || act === 'close') picked.resolve(null)
      else if (act === 'up' || act === 'down')
        selected = Math.max(0, Math.min(runs.length - 1, selected + (act === 'up' ? -1 : 1)))
      draw()
    },
  })
  const forgetResize = terminal.onResize(redraw)
  signal.addEventListener('abort', () => picked.resolve(null))
  draw()
  const id = await picked.promise
  forgetResize()
  deafen()
  await canvas.close()
  return id
}

interface Shown {
  readonly runs: readonly RunSummary[]
  readonly selected: number
  readonly now: number
}

function pickerLines({ runs, selected, now }: Shown, { columns, rows }: Room): readonly string[] {
  const room = Math.max(1, rows - 3)
  const top = Math.max(0, Math.min(selected - Math.floor(room / 2), runs.length - room))
  const lines = runs.slice(top, top + room).map((run, n) => {
    const mark = top + n === selected ? '▶' : ' '
    const text = `${mark} ${top + n + 1} ${padWidth(run.team, 16)} ${runWords(run, now)}`
    return fitWidth(text, columns)
  })
  const hidden = runs.length - lines.length
  const more = hidden > 0 ? ` · ${hidden} more` : ''
  return [
    fitWidth(`${runs.length} runs go on here${more}: which one?`, columns),
    ...lines,
    '',
    fitWidth('Enter or its number attaches · Up, Down · Esc leaves', columns),
  ]
}

function runWords({ created, members, task }: RunSummary, now: number): string {
  const asking = members.filter(({ waits_for_you }) => waits_for_you > 0).length
  const age = created === null ? [] : [durationText(now - created)]
  const asks = asking > 0 ? [`${asking} ${asking === 1 ? 'asks' : 'ask'} you`] : []
  return [...asks, `${members.length} member${members.length === 1 ? '' : 's'}`, ...age, plainLine(task ?? '')]
    .filter((each) => each !== '')
    .join(' · ')
}
