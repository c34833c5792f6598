import type { ApprovalFile } from '../../protocol/permissions/approval-file.ts'
import { actOf, adviceKeys, keysFor, mainKeys, type Act, type Stroke } from './keys.ts'

/** How far a pane is scrolled back: lines from its end, of the blocks that were there when that began. */
export interface Scroll {
  readonly back: number
  readonly blocks: number
}

/** The view and the typing of the person at the screen. */
export interface Ui {
  /** Members, in the order of the screen. */
  readonly names: readonly string[]
  readonly focus: string
  readonly zoomed: boolean
  /** `advice`: a denial of the question in front is being written. */
  readonly overlay: 'help' | 'questions' | 'advice' | null
  readonly unfolded: ReadonlySet<string>
  readonly scrolls: ReadonlyMap<string, Scroll>
  /** The typed line for each member and each question: no line ends up with another one. */
  readonly drafts: ReadonlyMap<string, InputLine>
  /** The question in front, and when it came there. */
  readonly question: { readonly id: string; readonly since: number } | null
  /** The outcome of the last order, until the next key. */
  readonly note: string | null
}

/** The content of the screen at the press of a key, and the time. */
export interface Moment {
  readonly pending: readonly ApprovalFile[]
  /** Rows that a pane has for its text. */
  readonly page: number
  /** Blocks of the focused pane. */
  readonly blocks: number
  readonly now: number
}

/** Orders that the screen hands to the runtime. */
export type Order =
  | { readonly type: 'mail' | 'steer'; readonly to: string; readonly text: string }
  | { readonly type: 'interrupt'; readonly to: string }
  | { readonly type: 'answer'; readonly id: string; readonly act: Act; readonly advice: string }
  | { readonly type: 'leave' | 'redraw' }

export interface Pressed {
  readonly ui: Ui
  readonly order?: Order
}

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
  const isTyped = stroke.text !== '' && draftOf(ui).text !== ''
  if (act === null || isTyped) return { ui: stroke.text === '' ? ui : pasted(ui, stroke.text) }
  return order(ui, act) ?? { ui: edited(ui, act) ?? scrolled(ui, act, moment) ?? looked(ui, act, moment) }
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
  return { ...ui, overlay: answering ? 'questions' : ui.overlay, question: { id: first.id, since: now } }
}

function order(ui: Ui, act: Act): Pressed | null {
  const { text } = draftOf(ui)
  if (act === 'leave' || act === 'redraw') return { ui, order: { type: act } }
  if (act === 'interrupt') return { ui, order: { type: act, to: ui.focus } }
  if (act !== 'mail' && act !== 'steer') return null
  if (text.trim() === '') return { ui }
  return { ui: withDraft(ui, emptyLine), order: { type: act, to: ui.focus, text } }
}

function edited(ui: Ui, act: Act): Ui | null {
  const draft = draftOf(ui)
  if (act === 'erase') return withDraft(ui, erased(draft))
  if (act === 'erase_word') return withDraft(ui, wordErased(draft))
  if (act === 'erase_all') return withDraft(ui, emptyLine)
  if (act === 'left' || act === 'right') return withDraft(ui, moveCursor(draft, act === 'left' ? -1 : 1))
  if (act === 'start') return withDraft(ui, moveCursor(draft, -Infinity))
  return act === 'tail' && draft.text !== '' ? withDraft(ui, moveCursor(draft, Infinity)) : null
}

function scrolled(ui: Ui, act: Act, { page, blocks }: Moment): Ui | null {
  const steps: Partial<Record<Act, number>> = {
    page_up: page - 1,
    page_down: 1 - page,
    up: 1,
    down: -1,
    tail: -Infinity,
  }
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
  return { ...ui, overlay: 'questions', question: { id: ui.question?.id ?? first.id, since: now } }
}

function inQuestions(ui: Ui, stroke: Stroke, { pending, now }: Moment): Pressed {
  const id = ui.question?.id
  const inFront = pending.find((request) => request.id === id)
  const act = actOf(keysFor('questions', inFront), stroke)
  if (act === 'leave' || act === 'redraw') return { ui, order: { type: act } }
  if (act === 'close' || id === undefined) return { ui: { ...ui, overlay: null } }
  if (act === 'next' || act === 'previous') {
    const ids = pending.map((request) => request.id)
    return { ui: { ...ui, question: { id: beside(ids, id, act), since: now } } }
  }
  if (act === null || now - (ui.question?.since ?? now) < graceMs) return { ui }
  if (act === 'advise') return { ui: { ...ui, overlay: 'advice' } }
  return { ui, order: { type: 'answer', id, act, advice: '' } }
}

function inAdvice(ui: Ui, stroke: Stroke): Pressed {
  const id = ui.question?.id
  const act = actOf(adviceKeys, stroke) ?? actOf(mainKeys, stroke)
  if (act === 'leave' || act === 'redraw') return { ui, order: { type: act } }
  if (act === 'close' || id === undefined) return { ui: { ...ui, overlay: 'questions' } }
  if (act === 'deny') {
    const advice = draftOf(ui).text.trim()
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

const graphemes = new Intl.Segmenter()

/** A line that is being typed; `cursor` counts characters as a reader sees them. */
interface InputLine {
  readonly text: string
  readonly cursor: number
}

const emptyLine: InputLine = { text: '', cursor: 0 }

/** Puts typed or pasted text where the cursor stands. */
function typed(draft: InputLine, text: string): InputLine {
  const [before, after] = halves(draft)
  return { text: before + text + after, cursor: characters(before + text).length }
}

/** Takes away the character before the cursor. */
function erased(draft: InputLine): InputLine {
  const [before, after] = halves(draft)
  const kept = characters(before).slice(0, -1)
  return { text: kept.join('') + after, cursor: kept.length }
}

/** Takes away the word before the cursor. */
function wordErased(draft: InputLine): InputLine {
  const [before, after] = halves(draft)
  const kept = before.replace(/\S*\s*$/, '')
  return { text: kept + after, cursor: characters(kept).length }
}

function moveCursor(draft: InputLine, by: number): InputLine {
  const cursor = Math.min(Math.max(0, draft.cursor + by), characters(draft.text).length)
  return { ...draft, cursor }
}

/** The text before the cursor, and the text behind it. */
export function halves({ text, cursor }: InputLine): readonly [string, string] {
  const all = characters(text)
  return [all.slice(0, cursor).join(''), all.slice(cursor).join('')]
}

function characters(text: string): readonly string[] {
  return [...graphemes.segment(text)].map(({ segment }) => segment)
}
