import { applyNotices, emptyNotices, type Notice } from '../../../projections/screen/notices.ts'
import { applyRoster, emptyRoster, type Roster } from '../../../projections/screen/roster.ts'
import { paintFor, type Paint } from '../../text/colour.ts'
import { fitWidth } from '../../text/fit-width.ts'
import type { Host, Output } from '../host/host.ts'
import { plainLine } from '../../text/plain-text.ts'
import { memberLine, nameWidthOf } from './member-line.ts'
import type { Progress } from './progress.ts'
import { openScreen } from './screen.ts'

/** A notice takes so many rows at most. */
const noticeRows = 3

/**
 * Progress on a terminal: one line per member, repainted in place; notices scroll by above.
 *
 * @param members names, in the order of the screen
 */
export function liveProgress(members: readonly string[], host: Pick<Host, 'stderr' | 'env' | 'onExit'>): Progress {
  const terminal = host.stderr
  const paint = paintFor(terminal, host.env)
  const roster = emptyRoster(members)
  const screen = openScreen(host, () => picture(roster, terminal, paint))
  return {
    ...screen,
    hear(recorded) {
      applyRoster(roster, recorded)
      const notices = emptyNotices()
      applyNotices(notices, recorded)
      for (const notice of notices) screen.note(noticeText(notice, terminal, paint))
      screen.drawSoon()
    },
    note: (text) => screen.note(plainLine(text)),
  }
}

/** A line per member, as many as the terminal has rows for; the last one counts the others. */
function picture(roster: Roster, terminal: Output, paint: Paint): readonly string[] {
  const columns = columnsOf(terminal)
  const rows = Math.max(1, (terminal.rows || 24) - 1)
  const layout = { columns, nameWidth: nameWidthOf([...roster.keys()]), paint }
  const lines = [...roster.values()].map((view) => memberLine(view, layout))
  if (lines.length <= rows) return lines
  return [...lines.slice(0, rows - 1), fitWidth(`… and ${lines.length - rows + 1} more`, columns)]
}

function noticeText({ severity, text }: Notice, terminal: Output, paint: Paint): string {
  return paint(severity === 'error' ? 'red' : 'yellow', fitWidth(plainLine(text), columnsOf(terminal) * noticeRows))
}

/** One column stays free, a terminal wraps when the last one is written; a terminal of size 0 does not know its own. */
function columnsOf(terminal: Output): number {
  return Math.max(1, (terminal.columns || 80) - 1)
}
