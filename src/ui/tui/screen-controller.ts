import { applyLed } from '../../projections/screen/led.ts'
import { applyLive, applyPanes } from '../../projections/screen/panes.ts'
import type { ApprovalFile } from '../../protocol/permissions/approval-file.ts'
import { mailItems, type MailItem } from '../../runtime/mail/inspect-mail.ts'
import type { RunListener } from '../../runtime/runs/watch-run.ts'
import { targetAt } from './layout.ts'
import { momentOf } from './moment.ts'
import { ordersOf } from './obey-orders.ts'
import { answeredElsewhere } from './orders/orders.ts'
import { pointedAt } from './press/pointer-keys.ts'
import { mailBy, playPressed, replayText } from './press/play-press.ts'
import { pastedAt, withQuestions } from './press/question-keys.ts'
import { pressed } from './press/ui-state.ts'
import { callsFrom } from './state/calls-from.ts'
import type { Picture, ScreenNote } from './state/picture.ts'
import type { Become, ScreenOptions, ScreenState } from './screen-state.ts'
import type { Moment, Ui } from './state/ui.ts'
import type { Keyboard } from './terminal/keyboard.ts'

export interface ScreenController {
  readonly listener: RunListener
  readonly keyboard: Keyboard
}

/** Changes what is shown by what is heard and what is pressed; a key is drawn at once, everything else soon. */
export function openScreenController(shown: ScreenState, parts: ScreenOptions): ScreenController {
  const become = becoming(shown, parts)
  return { listener: earsOf(shown, parts, become), keyboard: keyboardOf(shown, parts, become) }
}

/** The questions that are shown together. */
function keyOf({ question }: Ui): string {
  return [question?.id, ...(question?.also ?? [])].join(' ')
}

/** Notes stand so long, and so many of them. */
const noteMs = 8_000
const mostNotes = 3

/** The notes that have not faded yet. */
export function standingNotes(notes: readonly ScreenNote[], now: number): readonly ScreenNote[] {
  return notes.filter(({ at }) => now - at < noteMs)
}

/** Questions are described when they come to the front, each once. */
function becoming(shown: ScreenState, { describe, frames, now }: ScreenOptions): Become {
  const made = new Map<string, Promise<string>>()
  const text = (request: ApprovalFile): Promise<string> => {
    const words = made.get(request.id) ?? describe(request).catch(String)
    made.set(request.id, words)
    return words
  }
  const wanted = async (requests: readonly ApprovalFile[]): Promise<void> => {
    const key = keyOf(shown.ui)
    const words = (await Promise.all(requests.map(text))).join('\n')
    if (keyOf(shown.ui) === key) shown.described = words
    frames.soon()
  }
  return ({ note, ...rest }) => {
    const ui = { ...rest, note: null }
    if (note !== null) {
      const others = standingNotes(shown.notes, now()).filter(({ text }) => text !== note)
      shown.notes = [...others, { text: note, at: now() }].slice(-mostNotes)
      setTimeout(frames.soon, noteMs + 50).unref()
    }
    if (keyOf(ui) !== keyOf(shown.ui)) shown.described = null
    shown.ui = ui
    const asked = [ui.question?.id, ...(ui.question?.also ?? [])]
    const requests = asked.flatMap((id) => shown.pending.find((each) => each.id === id) ?? [])
    if (ui.overlay === 'questions' && shown.described === null && requests.length > 0) void wanted(requests)
  }
}

function earsOf(shown: ScreenState, parts: ScreenOptions, become: Become): RunListener {
  const { dir, frames, call, player, now } = parts
  const callFor = callsFrom(call)
  return {
    recorded(batch) {
      for (const recorded of batch) {
        applyPanes(shown.panes, recorded)
        const note = answeredElsewhere(recorded, now() - noteMs)
        if (note !== null) become({ ...shown.ui, note })
      }
      if (player && shown.ui.tab === 'mail') shown.mail = mailOf(parts)
      frames.soon()
    },
    live(event) {
      applyLive(shown.panes, event)
      frames.soon()
    },
    stand({ led, pending, unread }) {
      callFor({ led, pending })
      for (const [name, count] of unread) {
        const pane = shown.panes.panes.get(name)
        if (pane) pane.unread = count
      }
      shown.led = led
      applyLed(shown.panes.roster, led)
      if (shown.ui.tab === 'mail' && shown.ui.view === 'list') shown.mail = mailOf(parts)
      shown.queued = queuedFor(shown, dir)
      shown.pending = pending.map(({ request }) => request)
      become(withQuestions(shown.ui, shown.pending))
      frames.soon()
    },
    problem(text) {
      become({ ...shown.ui, note: text })
      frames.soon()
    },
  }
}

function mailOf({ dir, player }: ScreenOptions): readonly MailItem[] {
  return player ? mailBy(player.state(), mailItems(dir)) : mailItems(dir)
}

function queuedFor({ panes, ui }: ScreenState, dir: string): Picture['queued'] {
  const unread = panes.panes.get(ui.focus)?.unread ?? 0
  return unread === 0 ? [] : mailItems(dir, { member: ui.focus, states: ['written', 'claimed'] })
}

function keyboardOf(shown: ScreenState, parts: ScreenOptions, become: Become): Keyboard {
  const { frames } = parts
  const moment = (): Moment => momentOf(shown, parts)
  const obey = ordersOf(shown, parts, become)
  const taken = (ui: Ui): void => {
    if (ui.tab === 'mail' && shown.ui.tab !== 'mail') shown.mail = mailOf(parts)
    const { focus } = shown.ui
    become(ui)
    if (ui.focus !== focus) shown.queued = queuedFor(shown, parts.dir)
    frames.now()
  }
  const { player } = parts
  const refused = (): void => {
    if (player) taken({ ...shown.ui, note: replayText(player.state()) })
  }
  return {
    pressed(stroke) {
      const played = player ? playPressed(shown.ui, stroke) : null
      if (played !== null) {
        if (played === 'refused') refused()
        else for (const act of played) player?.act(act)
        frames.now()
        return
      }
      const { ui, order } = pressed(shown.ui, stroke, moment())
      taken(ui)
      if (order) void obey(order)
    },
    pointed(pointer) {
      const { ui, order } = pointedAt(shown.ui, { ...pointer, target: targetAt(parts.picture(), pointer) }, moment())
      taken(ui)
      if (order) void obey(order)
    },
    pasted(text) {
      if (player && shown.ui.overlay === null) refused()
      else become(pastedAt(shown.ui, text, moment()))
      frames.now()
    },
  }
}
