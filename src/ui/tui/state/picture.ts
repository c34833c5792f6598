import type { ApprovalFile } from '../../../protocol/permissions/approval-file.ts'
import type { Panes } from '../../../projections/screen/panes.ts'
import type { RunCast } from '../../../runtime/runs/read-cast.ts'
import type { Playback } from '../../../runtime/replay/play-run.ts'
import type { Paint } from '../../text/terminal-text.ts'
import type { Caches } from './line-caches.ts'
import type { ShownCommand } from './screen-commands.ts'
import type { Ui } from './ui.ts'
import type { MailItem } from '../../../runtime/mail/inspect-mail.ts'

/** A size in columns and rows. */
export interface Room {
  readonly columns: number
  readonly rows: number
}

/** News for the person at the screen, which fades. */
export interface ScreenNote {
  readonly text: string
  /** Milliseconds since the Unix epoch. */
  readonly at: number
}

/** The content of the screen, before it is drawn. */
export interface Picture {
  readonly panes: Panes
  readonly run: RunCast
  readonly ui: Ui
  /** The run's leader lives. */
  readonly led: boolean
  readonly pending: readonly ApprovalFile[]
  /** The mail of the run, as far as a list of it is shown. */
  readonly mail: readonly MailItem[]
  /** Mail that the member in front has not read yet. */
  readonly queued: readonly MailItem[]
  /** The question in front, described; null as long as that is being made. */
  readonly described: string | null
  /** News of a moment ago, the latest last. */
  readonly notes: readonly ScreenNote[]
  readonly size: Room
  readonly paint: Paint
  readonly caches: Caches
  /** Of a recorded run that is being played; null at a run as it is now. */
  readonly playback: Playback | null
  /** The commands that can be called now. */
  commands(): readonly ShownCommand[]
}

/** A block of lines on the screen, its place counted from the upper left corner. No two share a cell. */
export interface Panel {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** From the top, each within the width; below them it is empty. */
  readonly lines: readonly string[]
}
