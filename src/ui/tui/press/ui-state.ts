import { emptyLine, draftText } from '../state/input-line.ts'
import { actOf, mainKeys, textKeys, type Act, type Stroke } from '../state/keys.ts'
import { inChange } from './change-keys.ts'
import { inOptions } from './choice-keys.ts'
import { inFilter, inList, inWrite } from './list-keys.ts'
import { allTurned, inReading, inSearch, withReading } from './read-keys.ts'
import { inAdvice, inQuestions, withOpenQuestion } from './question-keys.ts'
import { commandOrder, completedLine, movedText, nameBegun } from './typed-command.ts'
import { beside, draftOf, edited, pasted, stepsOf, withDraft, type Moment, type Pressed, type Ui } from '../state/ui.ts'

/** The next state of the screen after a key, and the orders that the key gives. */
export function pressed(before: Ui, stroke: Stroke, moment: Moment): Pressed {
  const ui = { ...before, note: null }
  if (actOf(mainKeys, stroke) === 'mouse') {
    const note = ui.mouse ? 'mouse off: the terminal selects text' : 'mouse on: text is selected with Shift held'
    return { ui: { ...ui, mouse: !ui.mouse, note } }
  }
  if (ui.choosing !== null && ui.overlay === 'filter') return inOptions(ui, stroke, moment)
  switch (ui.overlay) {
    case 'questions':
      return inQuestions(ui, stroke, moment)
    case 'advice':
      return inAdvice(ui, stroke)
    case 'change':
      return inChange(ui, stroke, moment)
    case 'read':
      return inReading(ui, stroke, moment)
    case 'search':
      return inSearch(ui, stroke, moment)
    case 'filter':
      return inFilter(ui, stroke, moment)
    case 'write':
      return inWrite(ui, stroke)
    case 'output':
      return inOutput(ui, stroke, moment)
    case 'help':
    case 'whole':
      return inText(ui, stroke, moment)
    default:
      return ui.view === 'list' ? inList(ui, stroke, moment) : inPanes(ui, stroke, moment)
  }
}

/** The state after a key at a text that fills the screen. */
function inText(ui: Ui, stroke: Stroke, { page }: Moment): Pressed {
  const act = actOf(textKeys, stroke)
  if (act === 'leave' || act === 'redraw') return { ui, order: { type: act } }
  if (act === 'close') return { ui: { ...ui, overlay: ui.reading === null ? null : 'read' } }
  const step = act === null ? undefined : stepsOf(page)[act]
  return { ui: step === undefined ? ui : { ...ui, top: Math.max(0, ui.top - step) } }
}

function inPanes(ui: Ui, stroke: Stroke, moment: Moment): Pressed {
  const act = actOf(mainKeys, stroke)
  const begun = act === 'next' ? nameBegun(draftOf(ui)) : null
  if (begun !== null) return { ui: withDraft(ui, completedLine(begun, moment.commands())) }
  const isTyped = stroke.text !== '' && draftText(draftOf(ui)) !== ''
  if (act === null || isTyped) return { ui: stroke.text === '' ? ui : pasted(ui, stroke.text) }
  return order(ui, act, moment) ?? { ui: edited(ui, act) ?? scrolled(ui, act, moment) ?? looked(ui, act, moment) }
}

function order(ui: Ui, act: Act, moment: Moment): Pressed | null {
  const text = draftText(draftOf(ui))
  if (act === 'leave' || act === 'redraw') return { ui, order: { type: act } }
  if (act === 'interrupt' || act === 'mode') return { ui, order: { type: act, to: ui.focus } }
  if (act !== 'mail' && act !== 'steer') return null
  if (text.trim() === '') return { ui }
  const command = commandOrder(ui, text, moment)
  if (command !== null) return command.taken ? cleared(command.pressed, ui.focus) : command.pressed
  return { ui: withDraft(ui, emptyLine), order: { type: act, to: [ui.focus], text } }
}

/** The line of a command is typed no longer. */
function cleared({ ui, ...ordered }: Pressed, focus: string): Pressed {
  return { ...ordered, ui: { ...ui, drafts: new Map(ui.drafts).set(focus, emptyLine) } }
}

/** Any key that does not page ends the text of a command, and does what it does otherwise. */
function inOutput(ui: Ui, stroke: Stroke, moment: Moment): Pressed {
  const act = actOf(mainKeys, stroke)
  const moved = movedText(ui, act === null ? undefined : stepsOf(moment.page)[act])
  if (moved !== null) return { ui: moved }
  const closed: Ui = { ...ui, overlay: ui.reading === null ? null : 'read', output: null }
  return act === 'close' || act === 'mail' ? { ui: closed } : pressed(closed, stroke, moment)
}

function scrolled(ui: Ui, act: Act, { page, blocks }: Moment): Ui | null {
  const steps: Partial<Record<Act, number>> = { ...stepsOf(page), tail: -Infinity }
  const step = steps[act]
  if (step === undefined) return null
  const now = ui.scrolls.get(ui.focus) ?? { back: 0, blocks }
  const back = Math.max(0, now.back + step)
  const scrolls = new Map(ui.scrolls)
  if (back === 0) scrolls.delete(ui.focus)
  else scrolls.set(ui.focus, { ...now, back })
  return { ...ui, scrolls }
}

function looked(ui: Ui, act: Act, moment: Moment): Ui {
  if (act === 'next' || act === 'previous') return { ...ui, focus: beside(ui.names, ui.focus, act) }
  if (act === 'zoom') return { ...ui, zoomed: !ui.zoomed }
  if (act === 'help') return { ...ui, overlay: 'help', top: 0 }
  if (act === 'close') return { ...ui, view: 'list', tab: 'members' }
  if (act === 'unfold') return allTurned(ui)
  if (act === 'read') return withReading(ui, moment)
  return act === 'questions' && moment.pending.length > 0 ? withOpenQuestion(ui, moment) : ui
}
