import { errorText } from '../../protocol/words/error-text.ts'
import { momentOf } from './moment.ts'
import { isReading, replayText } from './press/play-press.ts'
import { withOptions } from './press/choice-keys.ts'
import { shownText } from './press/typed-command.ts'
import { pressed } from './press/ui-state.ts'
import type { Become, ScreenOptions, ScreenState } from './screen-state.ts'
import { withDraft, type Order } from './state/ui.ts'
import { carryOutCommand } from './orders/carry-out-command.ts'
import { copied, editedText, openInEditor, wholeOutput } from './orders/desk.ts'
import { carryOut } from './orders/orders.ts'

/** Hands orders on, and shows what came of them. */
export function ordersOf(shown: ScreenState, parts: ScreenOptions, become: Become): (order: Order) => Promise<void> {
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
  const nextModes = modeSteps(parts, say)
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
    else if (order.type === 'options') say(await openOptions(order, { shown, parts, become }))
    else if (order.type === 'choose') say(await choose(order, parts))
    else if (order.type === 'change') say(await change(order))
    else say(await carryOut(order, { ...place, now, lead: run.lead, led: shown.led, team: run.team, cwd: run.cwd }))
  }
}

type ModeOrder = Extract<Order, { type: 'mode' }>

/** Steps through the permission modes: the next one is the one after what the press before chose. */
function modeSteps({ troupe, dir }: ScreenOptions, say: (note: string) => void): (order: ModeOrder) => Promise<void> {
  let modes: Promise<void> = Promise.resolve()
  const nextMode = async (member: string): Promise<void> => {
    say(`mode: ${member} is told`)
    say(`mode: ${await troupe(['mode', dir, member, 'next'])}`)
  }
  return ({ to, times = 1 }) => {
    for (let n = 0; n < times; n += 1) modes = modes.catch(() => undefined).then(() => nextMode(to))
    return modes
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

type OptionsOrder = Extract<Order, { type: 'options' }>

/** The list of what can be chosen, unless the person meanwhile does something else. */
async function openOptions(
  { choose: what, to }: OptionsOrder,
  { shown, parts, become }: Changing,
): Promise<string | null> {
  const { view, overlay } = shown.ui
  const options = await parts.options({ choose: what, members: to }).catch((error: unknown) => errorText(error))
  if (typeof options === 'string') return `${what}: ${options}`
  if (shown.ui.view === view && shown.ui.overlay === overlay)
    become(withOptions(shown.ui, { choose: what, members: to, options }))
  return null
}

/** The same as the command typed for each of the members. */
async function choose(
  { choose: name, value, to }: Extract<Order, { type: 'choose' }>,
  parts: ScreenOptions,
): Promise<string> {
  const said: string[] = []
  for (const member of to) said.push(await carryOutCommand({ type: 'command', name, args: [value], to: member }, parts))
  return `${name}: ${said.join(' · ')}`
}
