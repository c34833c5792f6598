import type { ApprovalFile } from '../../protocol/permissions/approval-file.ts'
import type { Moment, Pressed, QuestionInFront, Ui, View } from './ui-model.ts'
import { type InputLine, emptyLine, typed, erased, wordErased, moved, draftText } from './input-line.ts'
import { commandOrder, completedLine, movedText, nameBegun } from './typed-command.ts'
import { actOf, adviceKeys, keysFor, mainKeys, type Act, type Stroke } from './keys.ts'

/** An answer by a key that was meant for what stood there before is no answer. */
export const graceMs = 200

export function firstUi(names: readonly string[], focus: string, zoomed: boolean): Ui {
  return {
    names,
    focus,
    zoomed,
    overlay: null,
    unfolded: new Set(),
    scrolls: new Map(),
    drafts: new Map(),
    question: null,
    note: null,
    output: null,
  }
}

export function draftOf(ui: Ui): InputLine {
  return ui.drafts.get(subjectOf(ui)) ?? emptyLine
}

/** The member or the question that the typed line is about. */
function subjectOf({ overlay, question, focus }: Ui): string {
  return overlay === 'advice' && question ? question.id : focus
}

/** The next state of the screen after a key, and the orders that the key gives. */
export function pressed(before: Ui, stroke: Stroke, moment: Moment): Pressed {
  const ui = { ...before, note: null }
  if (ui.overlay === 'questions') return inQuestions(ui, stroke, moment)
  if (ui.overlay === 'advice') return inAdvice(ui, stroke)
  const act = actOf(mainKeys, stroke)
  if (ui.overlay === 'output') return inOutput(ui, stroke, moment)
  const begun = act === 'next' ? nameBegun(draftOf(ui)) : null
  if (begun !== null) return { ui: withDraft(ui, completedLine(begun, moment.commands())) }
  const isTyped = stroke.text !== '' && draftText(draftOf(ui)) !== ''
  if (act === null || isTyped) return { ui: stroke.text === '' ? ui : pasted(ui, stroke.text) }
  return order(ui, act, moment) ?? { ui: edited(ui, act) ?? scrolled(ui, act, moment) ?? looked(ui, act, moment) }
}

/** Text that was typed or pasted; a list of questions takes none. */
export function pasted(ui: Ui, text: string): Ui {
  if (ui.overlay === 'questions') return ui
  return withDraft(ui, typed(draftOf(ui), text.replaceAll(/\r\n?/g, '\n')))
}

/** The question in front stays there until it is answered; then the oldest of the others comes. */
export function withQuestions(ui: Ui, pending: readonly ApprovalFile[], now: number): Ui {
  if (pending.some(({ id }) => id === ui.question?.id)) return ui
  const [first] = pending
  const answering = ui.overlay === 'questions' || ui.overlay === 'advice'
  if (first === undefined) return { ...ui, overlay: answering ? null : ui.overlay, question: null }
  return { ...ui, overlay: answering ? 'questions' : ui.overlay, question: inFront(first.id, now) }
}

function inFront(id: string, now: number): QuestionInFront {
  return { id, since: now, top: 0, read: null }
}

/** The state after a frame with the question in front: it is read when its last line is there. */
export function shownQuestion(ui: Ui, { lines, rows }: View, now: number): Ui {
  if (ui.question === null) return ui
  const last = Math.max(0, lines - rows)
  const top = Math.min(ui.question.top, last)
  const read = ui.question.read ?? (top === last ? now : null)
  return { ...ui, question: { ...ui.question, top, read } }
}

function order(ui: Ui, act: Act, moment: Moment): Pressed | null {
  const text = draftText(draftOf(ui))
  if (act === 'leave' || act === 'redraw') return { ui, order: { type: act } }
  if (act === 'interrupt') return { ui, order: { type: act, to: ui.focus } }
  if (act !== 'mail' && act !== 'steer') return null
  if (text.trim() === '') return { ui }
  const command = commandOrder(ui, text, moment)
  if (command !== null) return command.taken ? cleared(command.pressed, ui.focus) : command.pressed
  return { ui: withDraft(ui, emptyLine), order: { type: act, to: ui.focus, text } }
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
  const closed: Ui = { ...ui, overlay: null, output: null }
  return act === 'close' || act === 'mail' ? { ui: closed } : pressed(closed, stroke, moment)
}

function edited(ui: Ui, act: Act): Ui | null {
  const draft = draftOf(ui)
  if (act === 'erase') return withDraft(ui, erased(draft))
  if (act === 'erase_word') return withDraft(ui, wordErased(draft))
  if (act === 'erase_all') return withDraft(ui, emptyLine)
  if (act === 'left' || act === 'right' || act === 'start') return withDraft(ui, moved(draft, act))
  return act === 'tail' && draftText(draft) !== '' ? withDraft(ui, moved(draft, 'end')) : null
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

function looked(ui: Ui, act: Act, { pending, now }: Moment): Ui {
  if (act === 'next' || act === 'previous') return { ...ui, focus: beside(ui.names, ui.focus, act) }
  if (act === 'zoom') return { ...ui, zoomed: !ui.zoomed }
  if (act === 'help') return { ...ui, overlay: ui.overlay === 'help' ? null : 'help' }
  if (act === 'close') return { ...ui, overlay: null }
  if (act === 'unfold') {
    const unfolded = new Set(ui.unfolded)
    if (!unfolded.delete(ui.focus)) unfolded.add(ui.focus)
    return { ...ui, unfolded }
  }
  const [first] = pending
  if (act !== 'questions' || first === undefined) return ui
  return { ...ui, overlay: 'questions', question: inFront(ui.question?.id ?? first.id, now) }
}

function inQuestions(ui: Ui, stroke: Stroke, moment: Moment): Pressed {
  const { pending, now } = moment
  const { question } = ui
  const act = actOf(
    keysFor(
      'questions',
      pending.find(({ id }) => id === question?.id),
    ),
    stroke,
  )
  if (act === 'leave' || act === 'redraw') return { ui, order: { type: act } }
  if (act === 'close' || question === null) return { ui: { ...ui, overlay: null } }
  if (act === 'next' || act === 'previous') {
    const ids = pending.map((request) => request.id)
    return { ui: { ...ui, question: inFront(beside(ids, question.id, act), now) } }
  }
  const step = act === null ? undefined : stepsOf(moment.questionPage)[act]
  if (act === null || step !== undefined) {
    return { ui: { ...ui, question: { ...question, top: Math.max(0, question.top - (step ?? 0)) } } }
  }
  return judged(ui, act, { question, now })
}

/** A yes counts for what was shown to its end; a no may come sooner. */
function judged(ui: Ui, act: Act, { question, now }: { question: QuestionInFront; now: number }): Pressed {
  const { id, since, read } = question
  if (now - since < graceMs) return { ui }
  if (act === 'advise') return { ui: { ...ui, overlay: 'advice' } }
  const isYes = act !== 'deny_stop'
  if (isYes && read === null) return { ui: { ...ui, note: 'not allowed: its end was not shown yet · PageDown' } }
  if (isYes && read !== null && now - read < graceMs) return { ui }
  return { ui, order: { type: 'answer', id, act, advice: '' } }
}

/** Lines back that a key goes. */
function stepsOf(page: number): Partial<Record<Act, number>> {
  const wide = Math.max(1, page - 1)
  return { page_up: wide, page_down: -wide, up: 1, down: -1 }
}

function inAdvice(ui: Ui, stroke: Stroke): Pressed {
  const id = ui.question?.id
  const act = actOf(adviceKeys, stroke) ?? actOf(mainKeys, stroke)
  if (act === 'leave' || act === 'redraw') return { ui, order: { type: act } }
  if (act === 'close' || id === undefined) return { ui: { ...ui, overlay: 'questions' } }
  if (act === 'deny') {
    const advice = draftText(draftOf(ui)).trim()
    return { ui: { ...withDraft(ui, emptyLine), overlay: 'questions' }, order: { type: 'answer', id, act, advice } }
  }
  return { ui: stroke.text === '' ? ((act && edited(ui, act)) ?? ui) : pasted(ui, stroke.text) }
}

function beside(all: readonly string[], one: string, act: 'next' | 'previous'): string {
  const step = act === 'next' ? 1 : -1
  return all.at((all.indexOf(one) + step) % all.length) ?? one
}

function withDraft(ui: Ui, draft: InputLine): Ui {
  return { ...ui, drafts: new Map(ui.drafts).set(subjectOf(ui), draft) }
}
