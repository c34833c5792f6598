import type { ApprovalFile } from '../../../protocol/permissions/approval-file.ts'
import { ownQuestion, wordsTool } from '../../../protocol/tools/own-question.ts'
import { withChange } from './change-keys.ts'
import { emptyLine, draftText } from '../state/input-line.ts'
import { actOf, adviceKeys, keysFor, mainKeys, type Act, type Stroke } from '../state/keys.ts'
import {
  beside,
  draftOf,
  edited,
  inFront,
  isAtQuestion,
  pasted,
  stepsOf,
  withDraft,
  type Moment,
  type Pressed,
  type QuestionInFront,
  type Ui,
  type View,
} from '../state/ui.ts'

/** An answer by a key that was meant for what stood there before is no answer. */
export const graceMs = 200

/** The question in front stays there until it is answered; then the oldest of the others comes. */
export function withQuestions(ui: Ui, pending: readonly ApprovalFile[]): Ui {
  if (pending.some(({ id }) => id === ui.question?.id)) return ui
  const [first] = pending
  const answering = isAtQuestion(ui)
  if (first === undefined) return { ...ui, overlay: answering ? null : ui.overlay, question: null }
  return { ...ui, overlay: answering ? 'questions' : ui.overlay, question: inFront(first.id) }
}

/** The state after a frame with the question in front: it is read when its last line is there. */
export function shownQuestion(ui: Ui, { lines, rows }: View, now: number): Ui {
  if (ui.question === null) return ui
  const last = Math.max(0, lines - rows)
  const top = Math.min(ui.question.top, last)
  const read = ui.question.read ?? (top === last ? now : null)
  return { ...ui, question: { ...ui.question, since: ui.question.since ?? now, top, read } }
}

/** Opens the list of questions, with the one in front that was there last, or this one. */
export function withOpenQuestion(ui: Ui, { pending }: Pick<Moment, 'pending'>, id?: string): Ui {
  const first = id ?? ui.question?.id ?? pending[0]?.id
  return first === undefined ? ui : { ...ui, overlay: 'questions', question: inFront(first) }
}

/** The state after a key in the list of questions. */
export function inQuestions(ui: Ui, stroke: Stroke, moment: Moment): Pressed {
  const { pending, now } = moment
  const { question } = ui
  const request = pending.find(({ id }) => id === question?.id)
  const own = request === undefined ? null : ownQuestion(request)
  // Where options are numbered, a digit is an option or a slip, never the beginning of a text.
  const isNumber = own !== null && own.several !== true && own.options.length > 0 && /^\d$/.test(stroke.text)
  const act = isNumber ? 'pick' : actOf(keysFor('questions', request), stroke)
  if (act === 'leave' || act === 'redraw') return { ui, order: { type: act } }
  if (act === 'close' || question === null) return { ui: { ...ui, overlay: null } }
  if (act === 'next' || act === 'previous') {
    const ids = pending.map((request) => request.id)
    return { ui: { ...ui, question: inFront(beside(ids, question.id, act)) } }
  }
  if (act === 'batch') return { ui: { ...ui, question: batched(question, pending) } }
  if (own !== null && act === null && stroke.text !== '') {
    const begun = judged(ui, 'advise', { question, now }).ui
    return { ui: begun.overlay === 'advice' ? pasted(begun, stroke.text) : begun }
  }
  const step = act === null ? undefined : stepsOf(moment.questionPage)[act]
  if (act === null || step !== undefined) {
    return { ui: { ...ui, question: { ...question, top: Math.max(0, question.top - (step ?? 0)) } } }
  }
  const outcome = judged(ui, act, { question, now })
  if (act === 'edit') return changing(outcome, request)
  return act === 'pick' ? picked(outcome, own?.options ?? [], stroke.text) : outcome
}

/** A call can be changed by whom it was shown to its end. */
function changing({ ui, order }: Pressed, request: ApprovalFile | undefined): Pressed {
  if (order === undefined || request === undefined) return { ui }
  return { ui: withChange(ui, request) }
}

/** All calls of the tool, as they wait now, or this one alone; what comes later is none of them. */
function batched(question: QuestionInFront, pending: readonly ApprovalFile[]): QuestionInFront {
  const tool = pending.find(({ id }) => id === question.id)?.tool
  const others = pending.filter((each) => each.tool === tool && each.id !== question.id)
  const also = question.also.length > 0 || tool === wordsTool ? [] : others.map(({ id }) => id)
  return { ...inFront(question.id), also }
}

/** Pasted text: at a member's own question it begins the answer. */
export function pastedAt(ui: Ui, text: string, { pending, now }: Moment): Ui {
  const request = pending.find(({ id }) => id === ui.question?.id)
  const isOwn = ui.overlay === 'questions' && request !== undefined && ownQuestion(request) !== null
  if (!isOwn || ui.question === null) return pasted(ui, text)
  return pasted(judged(ui, 'advise', { question: ui.question, now }).ui, text)
}

/** An option counts where its number is one digit: the first of two digits is no answer. */
function picked({ ui, order }: Pressed, options: readonly string[], number: string): Pressed {
  if (order?.type !== 'answer') return { ui }
  if (options.length > 9) return { ui: { ...ui, note: 'more than nine options: press a and type the number' } }
  if (options[Number(number) - 1] === undefined) return { ui: { ...ui, note: `there is no option ${number}` } }
  return { ui, order: { ...order, act: 'deny', advice: number } }
}

/** A yes counts for what was shown to its end; a no may come sooner, for what was on the screen at all. */
function judged(ui: Ui, act: Act, { question, now }: { question: QuestionInFront; now: number }): Pressed {
  const { id, since, read, also } = question
  if (since === null) return { ui: { ...ui, note: 'no answer: the question was not on the screen yet' } }
  if (now - since < graceMs) return { ui }
  if (act === 'advise') return { ui: { ...ui, overlay: 'advice' } }
  const isYes = act !== 'deny_stop'
  if (isYes && read === null) return { ui: { ...ui, note: 'not allowed: its end was not shown yet · PageDown' } }
  if (isYes && read !== null && now - read < graceMs) return { ui }
  return { ui, order: { type: 'answer', id, act, advice: '', ...(also.length === 0 ? {} : { also }) } }
}

/** The state after a key while an answer in words is written. */
export function inAdvice(ui: Ui, stroke: Stroke): Pressed {
  const id = ui.question?.id
  const act = actOf(adviceKeys, stroke) ?? actOf(mainKeys, stroke)
  if (act === 'leave' || act === 'redraw') return { ui, order: { type: act } }
  if (act === 'close' || id === undefined) return { ui: { ...ui, overlay: 'questions' } }
  if (act === 'deny') {
    const advice = draftText(draftOf(ui)).trim()
    const also = ui.question?.also ?? []
    const order = { type: 'answer', id, act, advice, ...(also.length === 0 ? {} : { also }) } as const
    return { ui: { ...withDraft(ui, emptyLine), overlay: 'questions' }, order }
  }
  return { ui: stroke.text === '' ? (edited(ui, act) ?? ui) : pasted(ui, stroke.text) }
}
