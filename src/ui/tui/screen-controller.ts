import { applyLed } from '../../projections/screen/led.ts'
import { applyLive, applyPanes, emptyPanes } from '../../projections/screen/panes.ts'
import type { ApprovalFile } from '../../protocol/permissions/approval-file.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import { mailItems, type MailItem } from '../../runtime/mail/inspect-mail.ts'
import type { RunCast } from '../../runtime/runs/read-cast.ts'
import type { Player } from '../../runtime/replay/play-run.ts'
import type { RunListener } from '../../runtime/runs/watch-run.ts'
import { pageRows, questionView, targetAt } from './layout.ts'
import { callsFrom } from './state/calls-from.ts'
import { rowsOf } from './list/list-rows.ts'
import { carryOutCommand, type CommandWorld } from './orders/carry-out-command.ts'
import { copied, editedText, openInEditor, wholeOutput, type Edit } from './orders/desk.ts'
import { answeredElsewhere, carryOut } from './orders/orders.ts'
import { pastedAt, withQuestions } from './press/question-keys.ts'
import { shownText } from './press/typed-command.ts'
import { pointedAt } from './press/pointer-keys.ts'
import { isReading, mailBy, playPressed, replayText } from './press/play-press.ts'
import { pressed } from './press/ui-state.ts'
import { transcriptOf } from './read/transcript.ts'
import type { ScreenNote, Picture } from './state/picture.ts'
import { firstUi, withDraft, type Moment, type Order, type Ui } from './state/ui.ts'
import type { Frames } from './terminal/frames.ts'
import type { Keyboard } from './terminal/keyboard.ts'

/** The present content of the screen. */
export type ScreenState = {
  -readonly [Name in 'panes' | 'led' | 'pending' | 'mail' | 'queued' | 'notes' | 'described' | 'ui']: Picture[Name]
}

/** Options of a screen's controller. */
export interface ScreenOptions extends CommandWorld {
  readonly home: string
  readonly picture: () => Picture
  readonly now: () => number
  readonly frames: Frames
  /** A question in words. */
  readonly describe: (request: ApprovalFile) => Promise<string>
  /** Calls the person who looks elsewhere. */
  readonly call: (text: string) => void
  readonly leave: () => void
  /** Of a recorded run that is played. */
  readonly player?: Player | undefined
  /** Forgets what the terminal shows, and draws it anew. */
  readonly redraw: () => void
  readonly edit: Edit
  readonly env: Readonly<Record<string, string | undefined>>
  /** Puts a text into the clipboard of the person's terminal. */
  readonly copy: (text: string) => void
}

export interface ScreenController {
  readonly listener: RunListener
  readonly keyboard: Keyboard
}

/** The content of the screen before the first event. */
export function firstShown(run: RunCast, member: string | null, mouse = true): ScreenState {
  const names = run.members.map(({ name }) => name)
  return {
    panes: emptyPanes(run),
    led: true,
    pending: [],
    mail: [],
    queued: [],
    notes: [],
    described: null,
    ui: { ...firstUi(names, run.lead, member), mouse },
  }
}

/** Changes what is shown by what is heard and what is pressed; a key is drawn at once, everything else soon. */
export function openScreenController(shown: ScreenState, parts: ScreenOptions): ScreenController {
  const become = becoming(shown, parts)
  return { listener: earsOf(shown, parts, become), keyboard: keyboardOf(shown, parts, become) }
}

type Become = (ui: Ui) => void

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

function momentOf(shown: ScreenState, parts: ScreenOptions): Moment {
  const rows = shown.ui.view === 'list' ? rowsOf(parts.picture()) : []
  return {
    pending: shown.pending,
    page: pageRows(parts.picture(), rows.length),
    questionPage: questionView(parts.picture())?.rows ?? 1,
    blocks: shown.panes.panes.get(shown.ui.focus)?.blocks.length ?? 0,
    rows,
    now: parts.now(),
    transcript: () => transcriptOf(parts.picture()),
    commands: () => parts.picture().commands(),
  }
}

/** Hands orders on, and shows what came of them. */
function ordersOf(shown: ScreenState, parts: ScreenOptions, become: Become): (order: Order) => Promise<void> {
  const { frames, leave, redraw } = parts
  const say = (note: string | null): void => {
    if (note !== null) become({ ...shown.ui, note })
    frames.soon()
  }
  const viewed = (title: string, text: string): void => {
    become(shownText(shown.ui, title, text))
    frames.soon()
  }
  const command = (order: CommandOrder): Promise<void> => obeyCommand(order, { shown, parts, become, viewed })
  const change = (order: ChangeOrder): Promise<string | null> => changeCall(order, { shown, parts, become })
  let modes: Promise<void> = Promise.resolve()
  const nextMode = async (member: string): Promise<void> => {
    say(`mode: ${member} is told`)
    say(`mode: ${await parts.troupe(['mode', parts.dir, member, 'next'])}`)
  }
  // The next mode is the one after what the press before chose.
  const nextModes = ({ to, times = 1 }: Extract<Order, { type: 'mode' }>): Promise<void> => {
    for (let n = 0; n < times; n += 1) modes = modes.catch(() => undefined).then(() => nextMode(to))
    return modes
  }
  return async (order) => {
    const { dir, home, env, now, run, edit } = parts
    const place = { dir, home, env }
    if (parts.player && !isReading(order)) say(replayText(parts.player.state()))
    else if (order.type === 'leave') leave()
    else if (order.type === 'redraw') redraw()
    else if (order.type === 'copy') say(copied(order.text, parts.copy))
    else if (order.type === 'open') say(await openInEditor(order.place, { cwd: run.cwd, edit }))
    else if (order.type === 'view') viewed(order.title, wholeOutput(dir, order.text))
    else if (order.type === 'command') await command(order)
    else if (order.type === 'mode') await nextModes(order)
    else if (order.type === 'change') say(await change(order))
    else say(await carryOut(order, { ...place, now, lead: run.lead, led: shown.led, team: run.team, cwd: run.cwd }))
  }
}

type CommandOrder = Extract<Order, { type: 'command' }>
type ChangeOrder = Extract<Order, { type: 'change' }>

interface Changing {
  readonly shown: ScreenState
  readonly parts: ScreenOptions
  readonly become: Become
}

/** The call in front, changed in the person's editor. */
async function changeCall({ name, text }: ChangeOrder, { shown, parts, become }: Changing): Promise<string | null> {
  const id = shown.ui.question?.id
  const changed = await editedText(text, { name, edit: parts.edit }).catch((error: unknown) => error)
  if (typeof changed !== 'string') return `not changed: ${errorText(changed)}`
  // The question may have been answered elsewhere meanwhile.
  if (shown.ui.question?.id !== id || shown.ui.overlay !== 'change') return 'that question is not asked any more'
  become(withDraft(shown.ui, { before: changed.trimEnd(), after: '' }))
  return null
}

interface Obeying extends Changing {
  readonly viewed: (title: string, text: string) => void
}

async function obeyCommand(order: CommandOrder, { shown, parts, become, viewed }: Obeying): Promise<void> {
  const isQuestions = order.name === 'permissions' && shown.pending.length > 0
  if (!isQuestions) {
    viewed(`/${order.name}`, await carryOutCommand(order, parts))
    return
  }
  const stroke = { name: 'Ctrl+P', text: '' }
  become(pressed({ ...shown.ui, overlay: null }, stroke, momentOf(shown, parts)).ui)
  parts.frames.soon()
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
