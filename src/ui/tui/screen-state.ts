import { emptyPanes } from '../../projections/screen/panes.ts'
import type { ApprovalFile } from '../../protocol/permissions/approval-file.ts'
import type { Player } from '../../runtime/replay/play-run.ts'
import type { RunCast } from '../../runtime/runs/read-cast.ts'
import type { ChoiceOption } from '../../runtime/settings/list-options.ts'
import type { CommandWorld } from './orders/carry-out-command.ts'
import type { Edit } from './orders/desk.ts'
import type { Frames } from './terminal/frames.ts'
import type { Picture } from './state/picture.ts'
import type { OptionList } from './state/option-list.ts'
import { firstUi, type Ui } from './state/ui.ts'

/** The present content of the screen. */
export type ScreenState = {
  -readonly [Name in 'panes' | 'led' | 'pending' | 'mail' | 'queued' | 'notes' | 'described' | 'ui']: Picture[Name]
}

/** Options of a screen's controller. */
export interface ScreenOptions extends CommandWorld {
  readonly home: string
  readonly picture: () => Picture
  /** The wall clock, in milliseconds since 1970: notes fade by it. */
  readonly now: () => number
  /** Milliseconds on a clock that nobody sets: the grace time of a question runs on it. */
  readonly monotonic: () => number
  readonly frames: Frames
  /** A question in words. */
  readonly describe: (request: ApprovalFile) => Promise<string>
  /** The models or modes that can be chosen for members. */
  readonly options: (asked: Pick<OptionList, 'choose' | 'members'>) => Promise<readonly ChoiceOption[]>
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

/** Shows the next state of the view and the typing. */
export type Become = (ui: Ui) => void

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
