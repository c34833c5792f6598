import { applyLive, applyPanes, emptyPanes } from '../../projections/screen/panes.ts'
import type { ApprovalFile } from '../../protocol/permissions/approval-file.ts'
import type { RunCast } from '../../runtime/runs/read-cast.ts'
import { type RunListener, watchRun, type RunNow } from '../../runtime/runs/watch-run.ts'
import { type Frames, openCanvas, openFrames } from './terminal/frames.ts'
import { pageRows, layOut, questionView } from './layout.ts'
import type { Picture, Room } from './state/picture.ts'
import { carryOut } from './orders/orders.ts'
import { carryOutCommand, type CommandWorld } from './orders/carry-out-command.ts'
import { commandsNow, type ShownCommand } from './state/screen-commands.ts'
import { shownText } from './press/typed-command.ts'
import { promptCommands } from '../../runtime/skills/list-commands.ts'
import { type Keyboard, openKeyboard, type KeySource } from './terminal/keyboard.ts'
import { rowsOf } from './list/list-rows.ts'
import { shownQuestion, withQuestions } from './press/question-keys.ts'
import { firstUi, pasted, type Moment, type Order, type Ui } from './state/ui.ts'
import { pressed } from './press/ui-state.ts'
import { mailItems } from '../../runtime/mail/inspect-mail.ts'
import type { Writable } from 'node:stream'
import type { Paint } from '../text/terminal-text.ts'
import { emptyCaches } from './state/line-caches.ts'
import { memberName } from '../../protocol/words/ids.ts'

/** The present content of the screen. */
export type ScreenState = {
  -readonly [Name in 'panes' | 'led' | 'pending' | 'mail' | 'described' | 'ui']: Picture[Name]
}

/** Options of a screen's controller. */
export interface ScreenOptions extends CommandWorld {
  readonly now: () => number
  readonly frames: Frames
  /** A question in words. */
  readonly describe: (request: ApprovalFile) => Promise<string>
  /** Calls the person who looks elsewhere. */
  readonly call: (text: string) => void
  readonly leave: () => void
  /** Forgets what the terminal shows, and draws it anew. */
  readonly redraw: () => void
}

export interface ScreenController {
  readonly listener: RunListener
  readonly keyboard: Keyboard
}

/** The content of the screen before the first event. */
export function firstShown(run: RunCast, member: string | null): ScreenState {
  const names = run.members.map(({ name }) => name)
  return {
    panes: emptyPanes(run),
    led: true,
    pending: [],
    mail: [],
    described: null,
    ui: firstUi(names, run.lead, member),
  }
}

/** Changes what is shown by what is heard and what is pressed; a key is drawn at once, everything else soon. */
export function openScreenController(shown: ScreenState, parts: ScreenOptions): ScreenController {
  const become = becoming(shown, parts)
  return { listener: earsOf(shown, parts, become), keyboard: keyboardOf(shown, parts, become) }
}

type Become = (ui: Ui) => void

/** Questions are described when they come to the front, each once. */
function becoming(shown: ScreenState, { describe, frames }: ScreenOptions): Become {
  const made = new Map<string, Promise<string>>()
  const wanted = async (request: ApprovalFile): Promise<void> => {
    const text = made.get(request.id) ?? describe(request).catch(String)
    made.set(request.id, text)
    const words = await text
    if (shown.ui.question?.id === request.id) shown.described = words
    frames.soon()
  }
  return (ui) => {
    if (ui.question?.id !== shown.ui.question?.id) shown.described = null
    shown.ui = ui
    const request = shown.pending.find(({ id }) => id === ui.question?.id)
    if (ui.overlay === 'questions' && shown.described === null && request) void wanted(request)
  }
}

function earsOf(shown: ScreenState, { dir, frames, now, call }: ScreenOptions, become: Become): RunListener {
  const callFor = callsFrom(call)
  return {
    recorded(batch) {
      for (const recorded of batch) applyPanes(shown.panes, recorded)
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
      if (shown.ui.tab === 'mail' && shown.ui.view === 'list') shown.mail = mailItems(dir)
      shown.pending = pending.map(({ request }) => request)
      become(withQuestions(shown.ui, shown.pending, now()))
      frames.soon()
    },
    problem(text) {
      become({ ...shown.ui, note: text })
      frames.soon()
    },
  }
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
    commands: () => parts.picture().commands(),
  }
}

function keyboardOf(shown: ScreenState, parts: ScreenOptions, become: Become): Keyboard {
  const { frames, leave, redraw } = parts
  const moment = (): Moment => momentOf(shown, parts)
  const obey = async (order: Order): Promise<void> => {
    if (order.type === 'leave') leave()
    else if (order.type === 'redraw') redraw()
    else if (order.type === 'command') {
      const isQuestions = order.name === 'permissions' && shown.pending.length > 0
      const text = isQuestions ? null : await carryOutCommand(order, parts)
      const { ui } = shown
      if (text === null) become(pressed({ ...ui, overlay: null }, { name: 'Ctrl+P', text: '' }, moment()).ui)
      else become(shownText(ui, `/${order.name}`, text))
      frames.soon()
    } else {
      const { dir, home, now } = parts
      const note = await carryOut(order, { dir, team: parts.run.team, home, now })
      become({ ...shown.ui, note })
      frames.soon()
    }
  }
  return {
    pressed(stroke) {
      const { ui, order } = pressed(shown.ui, stroke, moment())
      if (ui.tab === 'mail' && shown.ui.tab !== 'mail') shown.mail = mailItems(parts.dir)
      become(ui)
      frames.now()
      if (order) void obey(order)
    },
    pasted(text) {
      become(pasted(shown.ui, text))
      frames.now()
    },
  }
}

/** The part of the process that the screen uses. */
export interface Terminal {
  readonly stdin: KeySource
  readonly stdout: Writable & { readonly columns?: number; readonly rows?: number; readonly fd?: number }
  readonly paint: Paint
  /** Runs when the process ends, however it does short of a kill. */
  onExit(listener: () => void): () => void
}

interface AttachTo extends Pick<
  ScreenOptions,
  'dir' | 'run' | 'home' | 'policyRoot' | 'now' | 'describe' | 'call' | 'troupe'
> {
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
  const size = screenSize(terminal)
  const canvas = openCanvas(terminal)
  const commands = () => commandsNow(promptsAt({ cwd: to.run.cwd, home: to.home }), { led: shown.led })
  const picture = (): Picture => ({ ...shown, run: to.run, paint, caches, size: size(), commands })
  const frames = openFrames(
    () => {
      canvas.draw(layOut(picture()))
      const view = questionView(picture())
      if (view !== null) shown.ui = shownQuestion(shown.ui, view, to.now())
    },
    () => performance.now(),
  )
  const redraw = (): void => {
    canvas.forget()
    frames.now()
  }
  const screen = openScreenController(shown, { ...to, picture, frames, redraw, leave: left.resolve })
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

function promptsAt(place: { readonly cwd: string; readonly home: string }): readonly ShownCommand[] {
  return promptCommands(place).map(({ name, description: does, hint }) => ({
    name,
    kind: 'prompt',
    does,
    ...(hint === undefined ? {} : { hint }),
  }))
}

export function screenSize({ stdout }: Terminal): () => Room {
  return () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 })
}

/** Says what has changed since the look before that a person is to be called for; what was there at first calls nobody. */
export function callsFrom(call: (text: string) => void): (standing: Pick<RunNow, 'led' | 'pending'>) => void {
  let before: { readonly led: boolean; readonly asked: ReadonlySet<string> } | null = null
  return ({ led, pending }) => {
    for (const { request } of before === null ? [] : pending) {
      if (!before?.asked.has(request.id)) call(`${memberName(request.member)} waits for you: ${request.tool}`)
    }
    if (before?.led && !led) call('the run has ended')
    before = { led, asked: new Set(pending.map(({ request }) => request.id)) }
  }
}
