import type { ApprovalFile } from '../../../protocol/permissions/approval-file.ts'
import type { BlockPlace } from '../../../projections/screen/place-of-entry.ts'
import type { ChoiceAsk } from '../../../protocol/work/choice-ask.ts'
import type { OptionList } from './option-list.ts'
import { type InputLine, emptyLine, typed, erased, wordErased, moved, draftText } from './input-line.ts'
import type { Act } from './keys.ts'
import type { FilePlace } from './file-place.ts'
import type { ShownCommand } from './screen-commands.ts'

/** How far a pane is scrolled back: lines from its end, of the blocks that were there when that began. */
export interface Scroll {
  readonly back: number
  readonly blocks: number
}

/** The selected block of a transcript, and the line of it that is shown near the top. */
export interface Reading {
  readonly block: number
  readonly line: number
}

/** The transcript of the focused pane, for a person who reads it block by block. */
export interface ReadTranscript {
  readonly count: number
  /** The lines of a block on the screen now. */
  lines(block: number): readonly string[]
  /** The name under which a block is folded alone. */
  key(block: number): string
  text(block: number): string
  /** The file that a block speaks of. */
  file(block: number): FilePlace | null
  /** The journal entry of a block. */
  entry(block: number): string
  /** The next place of the words behind or before another one; `turns`: only the unfolded block shows it. */
  find(words: string, from: Reading, step: 1 | -1): (Reading & { readonly turns: boolean }) | null
}

/** The lists of a run, in the order of the bar that names them. */
export const tabs = ['members', 'board', 'mail', 'approvals', 'cost', 'machine', 'log'] as const
export type Tab = (typeof tabs)[number]

/** A list that can be in front: one of the run, or what can be chosen for members. */
export type ListName = Tab | 'options'

/** The view and the typing of the person at the screen. */
export interface Ui {
  /** Members, in the order of the team; a member's number is its place here. */
  readonly names: readonly string[]
  readonly focus: string
  /** A list with the selected row in full below it, or members' panes. */
  readonly view: 'list' | 'panes'
  readonly tab: ListName
  /** Of the list of options, while it is in front. */
  readonly choosing: (OptionList & { readonly back: Pick<Ui, 'view' | 'tab'> }) | null
  /** The selected row of each list by its id; a list without one selects its first row, the log its last. */
  readonly selected: ReadonlyMap<ListName, string>
  /** Only rows with these words are listed. */
  readonly filters: ReadonlyMap<ListName, InputLine>
  /** Digits of the member's number that is being typed. */
  readonly jump: string
  /** The act, and the member whose life the same key once more ends. */
  readonly doomed: string | null
  /** Members that are written to together. */
  readonly marked: ReadonlySet<string>
  readonly zoomed: boolean
  /** Clicks and the wheel are ours; the terminal selects no text by itself then. */
  readonly mouse: boolean
  /**
   * `filter`: the filter is being typed. `write`: mail to the selected or marked members is. `whole`: the selected row
   * is shown alone. `read`: the transcript of the member in front is read block by block, `search`: what is looked for in it
   * is typed. `advice`: a denial of the question in front is being written, `change`: the call
   * that it is about. `output`: what a command has printed.
   */
  readonly overlay:
    | 'help'
    | 'whole'
    | 'filter'
    | 'read'
    | 'search'
    | 'write'
    | 'questions'
    | 'advice'
    | 'change'
    | 'output'
    | null
  /** The first line of help, or of a row shown alone, on the screen. */
  readonly top: number
  /** Members whose blocks are all unfolded. */
  readonly unfolded: ReadonlySet<string>
  /** Blocks that are folded otherwise than the others of their member. */
  readonly turned: ReadonlySet<string>
  readonly reading: Reading | null
  /** The words that are looked for in transcripts. */
  readonly search: InputLine
  readonly scrolls: ReadonlyMap<string, Scroll>
  /** The typed line for each member, set of members and question: no line ends up with another one. */
  readonly drafts: ReadonlyMap<string, InputLine>
  readonly question: QuestionInFront | null
  /** The outcome of the last order, until the next key. */
  readonly note: string | null
  /** The text of the latest command, and the first of its lines on the screen. */
  readonly output: { readonly title: string; readonly text: string; readonly top: number } | null
}

/** How much of a question a screen shows at once. */
export interface View {
  readonly lines: number
  readonly rows: number
}

export interface QuestionInFront {
  readonly id: string
  /** When it was on the screen first, as far as there was room; null before that, and no key answers it. */
  readonly since: number | null
  /** The first of its lines on the screen. */
  readonly top: number
  /** When its end was on the screen first; null before that. */
  readonly read: number | null
  /** The other calls of the same tool that are shown with it, and judged like it. */
  readonly also: readonly string[]
}

/** The content of the screen at the press of a key, and the time. */
export interface Moment {
  readonly pending: readonly ApprovalFile[]
  /** Rows that a pane has for its text. */
  readonly page: number
  /** Rows that the question in front has. */
  readonly questionPage: number
  /** Blocks of the focused pane. */
  readonly blocks: number
  /** Ids of the rows in the list that is shown, and the member or question each of them leads to. */
  readonly rows: readonly RowKey[]
  /** Milliseconds on a clock that nobody sets. */
  readonly now: number
  transcript(): ReadTranscript
  /** The commands that can be called now. */
  commands(): readonly ShownCommand[]
}

export interface RowKey {
  readonly id: string
  /** A row about neither is shown alone instead. */
  readonly leads: 'member' | 'question' | null
  /** The block of a transcript that a warning is about. */
  place?(): BlockPlace | null
}

/** One row of a list. */
export interface Row extends RowKey {
  /** The text that a filter looks at. */
  words(): string
  /** Exactly so wide. */
  line(width: number): string
  /** All that is known of it; empty where a pane says more. */
  whole(): string
}

/** Orders that the screen hands to the runtime. */
export type Order =
  | { readonly type: 'mail' | 'steer'; readonly to: readonly string[]; readonly text: string }
  | { readonly type: 'interrupt'; readonly to: string }
  /** `times`: how often the key came at once; once when left out. */
  | { readonly type: 'mode'; readonly to: string; readonly times?: number }
  | {
      readonly type: 'answer'
      readonly id: string
      readonly act: Act
      readonly advice: string
      /** Other questions that have the same answer. */
      readonly also?: readonly string[]
      /** The changed input of the call. */
      readonly input?: unknown
    }
  | { readonly type: 'change'; readonly name: string; readonly text: string }
  | { readonly type: 'command'; readonly name: string; readonly args: readonly string[]; readonly to: string }
  /** The list of what can be chosen for these members, and one thing chosen of it. */
  | { readonly type: 'options'; readonly choose: ChoiceAsk['choose']; readonly to: readonly string[] }
  | {
      readonly type: 'choose'
      readonly choose: ChoiceAsk['choose']
      readonly value: string
      readonly to: readonly string[]
    }
  | { readonly type: 'copy'; readonly text: string }
  | { readonly type: 'open'; readonly place: FilePlace }
  | { readonly type: 'view'; readonly title: string; readonly text: string }
  | { readonly type: 'leave' | 'redraw' }

export interface Pressed {
  readonly ui: Ui
  readonly order?: Order
}

/** @param member shown alone at first; a team of several begins with the list of its members otherwise */
export function firstUi(names: readonly string[], lead: string, member: string | null): Ui {
  return {
    names,
    focus: member ?? lead,
    view: member === null && names.length > 1 ? 'list' : 'panes',
    tab: 'members',
    choosing: null,
    selected: new Map(),
    filters: new Map(),
    jump: '',
    doomed: null,
    marked: new Set(),
    zoomed: true,
    mouse: true,
    overlay: null,
    top: 0,
    unfolded: new Set(),
    turned: new Set(),
    reading: null,
    search: emptyLine,
    scrolls: new Map(),
    drafts: new Map(),
    question: null,
    note: null,
    output: null,
  }
}

/** The line that is being typed. */
export function draftOf(ui: Ui): InputLine {
  if (ui.overlay === 'search') return ui.search
  if (ui.overlay === 'filter') return ui.filters.get(ui.tab) ?? emptyLine
  return ui.drafts.get(subjectOf(ui)) ?? emptyLine
}

export function withDraft(ui: Ui, draft: InputLine): Ui {
  if (ui.overlay === 'search') return { ...ui, search: draft }
  if (ui.overlay === 'filter') return { ...ui, filters: new Map(ui.filters).set(ui.tab, draft) }
  return { ...ui, drafts: new Map(ui.drafts).set(subjectOf(ui), draft) }
}

/** The members, or the question, that the typed line is about. */
function subjectOf(ui: Ui): string {
  const { overlay, question } = ui
  if (overlay === 'change' && question) return `change ${question.id}`
  return overlay === 'advice' && question ? question.id : recipientsOf(ui).join(',')
}

/** The members that the typed line goes to. */
export function recipientsOf({ overlay, marked, names, focus }: Ui): readonly string[] {
  return overlay === 'write' && marked.size > 0 ? names.filter((name) => marked.has(name)) : [focus]
}

/** Text that was typed or pasted; a list and a question take none. */
export function pasted(ui: Ui, text: string): Ui {
  if (!isTyping(ui)) return ui
  return withDraft(ui, typed(draftOf(ui), text.replaceAll(/\r\n?/g, '\n')))
}

const typingOverlays: ReadonlySet<string> = new Set(['filter', 'search', 'write', 'advice', 'change'])

/** Whether keys are letters of a line, and no commands. */
export function isTyping({ overlay, view }: Pick<Ui, 'overlay' | 'view'>): boolean {
  if (overlay === null) return view === 'panes'
  return overlay !== null && typingOverlays.has(overlay)
}

/** Whether the question in front is on the screen. */
export function isAtQuestion({ overlay }: Pick<Ui, 'overlay'>): boolean {
  return overlay === 'questions' || overlay === 'advice' || overlay === 'change'
}

/** The line after a key that edits it; null when the key does not. */
export function edited(ui: Ui, act: Act | null): Ui | null {
  const draft = draftOf(ui)
  if (act === 'erase') return withDraft(ui, erased(draft))
  if (act === 'erase_word') return withDraft(ui, wordErased(draft))
  if (act === 'erase_all') return withDraft(ui, emptyLine)
  if (act === 'left' || act === 'right' || act === 'start') return withDraft(ui, moved(draft, act))
  return act === 'tail' && draftText(draft) !== '' ? withDraft(ui, moved(draft, 'end')) : null
}

/** Lines back that a key goes. */
export function stepsOf(page: number): Partial<Record<Act, number>> {
  const wide = Math.max(1, page - 1)
  return { page_up: wide, page_down: -wide, up: 1, down: -1 }
}

export function beside<Item>(all: readonly Item[], one: Item, act: 'next' | 'previous'): Item {
  const step = act === 'next' ? 1 : -1
  return all.at((all.indexOf(one) + step) % all.length) ?? one
}

export function inFront(id: string): QuestionInFront {
  return { id, since: null, top: 0, read: null, also: [] }
}

/** The row that a list has selected among those it shows; undefined in an empty one. */
export function selectedRow<Row extends { readonly id: string }>(
  { tab, focus, selected }: Ui,
  rows: readonly Row[],
): Row | undefined {
  const id = tab === 'members' ? focus : selected.get(tab)
  return rows.find((row) => row.id === id) ?? (tab === 'log' ? rows.at(-1) : rows[0])
}
