import type { ApprovalFile } from '../../protocol/permissions/approval-file.ts'
import type { InputLine } from './input-line.ts'
import type { Act } from './keys.ts'
import type { ShownCommand } from './screen-commands.ts'

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
  /** `advice`: a denial of the question in front is being written; `output`: what a command has printed. */
  readonly overlay: 'help' | 'questions' | 'advice' | 'output' | null
  readonly unfolded: ReadonlySet<string>
  readonly scrolls: ReadonlyMap<string, Scroll>
  /** The typed line for each member and each question: no line ends up with another one. */
  readonly drafts: ReadonlyMap<string, InputLine>
  readonly question: QuestionInFront | null
  /** The outcome of the last order, until the next key. */
  readonly note: string | null
  /** The text of the latest command, and the first of its lines on the screen. */
  readonly output: { readonly title: string; readonly text: string; readonly top: number } | null
}

/** The question that is asked now. */
export interface QuestionInFront {
  readonly id: string
  /** When it came to the front. */
  readonly since: number
  /** The first of its lines on the screen. */
  readonly top: number
  /** When its end was on the screen first; null before that. */
  readonly read: number | null
}

/** How much of a question a screen shows at once. */
export interface View {
  readonly lines: number
  readonly rows: number
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
  readonly now: number
  /** The commands that can be called now. */
  commands(): readonly ShownCommand[]
}

/** Orders that the screen hands to the runtime. */
export type Order =
  | { readonly type: 'mail' | 'steer'; readonly to: string; readonly text: string }
  | { readonly type: 'interrupt'; readonly to: string }
  | { readonly type: 'answer'; readonly id: string; readonly act: Act; readonly advice: string }
  | { readonly type: 'command'; readonly name: string; readonly args: readonly string[]; readonly to: string }
  | { readonly type: 'leave' | 'redraw' }

export interface Pressed {
  readonly ui: Ui
  readonly order?: Order
}
