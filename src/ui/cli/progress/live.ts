import { applyLed } from '../../../projections/screen/led.ts'
import { applyNotices, emptyNotices, type Notice } from '../../../projections/screen/notices.ts'
import {
  applyRoster,
  emptyRoster,
  currentCall,
  doing,
  waitText,
  type Roster,
  type MemberView,
} from '../../../projections/screen/roster.ts'
import { conditionOf } from '../../../projections/screen/condition.ts'
import { plainLine, plainText } from '../../text/plain-text.ts'
import { type Paint, conditionSigns, fitWidth, padWidth, widthOf, wrapWidth } from '../../text/terminal-text.ts'
import { paintFor } from '../../text/theme.ts'
import type { Host, Output } from '../host/host.ts'
import type { Progress } from './progress.ts'
import { openScreen } from './screen.ts'
import { tokensOf } from '../../../projections/cost/cost.ts'
import { untilText } from '../../../projections/screen/recovery-text.ts'
import { tokensText } from '../../text/figures.ts'

/** A notice takes so many rows at most. */
const noticeRows = 3

/**
 * Progress on a terminal: one line per member, repainted in place; notices scroll by above.
 *
 * @param members names, in the order of the screen
 */
export function liveProgress(
  members: readonly string[],
  host: Pick<Host, 'stderr' | 'env' | 'onExit' | 'onResize'>,
): Progress {
  const terminal = host.stderr
  const paint = paintFor(terminal, host.env)
  const roster = emptyRoster(members)
  let foot: readonly string[] = []
  const screen = openScreen(host, () => picture({ roster, foot }, terminal, paint))
  return {
    hear(recorded) {
      applyRoster(roster, recorded)
      const notices = emptyNotices()
      applyNotices(notices, recorded)
      for (const notice of notices) screen.note(noticeText(notice, terminal, paint))
      screen.drawSoon()
    },
    note: (text) => screen.note(plainLine(text)),
    print: screen.note,
    foot(lines) {
      foot = lines ?? []
      screen.drawNow()
    },
    close() {
      applyLed(roster, false)
      screen.close()
    },
  }
}

interface Shown {
  readonly roster: Roster
  /** Lines of a dialog. */
  readonly foot: readonly string[]
}

/** A line per member above the dialog, as many as the terminal has rows for; the last one counts the others. */
function picture({ roster, foot }: Shown, terminal: Output, paint: Paint): readonly string[] {
  const columns = columnsOf(terminal)
  const most = Math.max(1, (terminal.rows || 24) - 1)
  const below = foot.flatMap((line) => wrapWidth(plainText(line), columns)).slice(-most)
  return [...memberLines(roster, { columns, rows: most - below.length, paint }), ...below]
}

interface MemberRows {
  readonly columns: number
  readonly rows: number
  readonly paint: Paint
}

function memberLines(roster: Roster, { columns, rows, paint }: MemberRows): readonly string[] {
  if (rows <= 0) return []
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

/** How wide a line may be and how wide its name column is, so that the lines of a team stand in columns. */
interface LineLayout {
  readonly columns: number
  readonly nameWidth: number
  readonly paint: Paint
}

/**
 * One member on one line that never exceeds `columns`: sign, name, what it is doing, turn, tokens, and the call
 * that runs or the last thing it said.
 */
export function memberLine(view: MemberView, { columns, nameWidth, paint }: LineLayout): string {
  const [sign, tone] = conditionSigns[conditionOf(view)]
  const name = padWidth(view.name, nameWidth)
  const word = padWidth(doing(view), 11)
  const turn = padWidth(view.turn > 0 ? `t${view.turn}` : '', 4)
  const tokens = tokensText(tokensOf(view.spending.usage)).padStart(6)
  const plain = `${sign} ${name} ${word} ${turn} ${tokens}  `
  const room = columns - widthOf(plain)
  if (room <= 0) return fitWidth(plain.trimEnd(), columns)
  const rest = fitWidth(latest(view), room)
  return `${paint(tone, sign)} ${paint('bold', name)} ${word} ${paint('dim', `${turn} ${tokens}`)}  ${rest}`.trimEnd()
}

/** The name column of a team: as wide as its longest name, within reason. */
export function nameWidthOf(names: readonly string[]): number {
  return Math.min(24, Math.max(4, ...names.map(widthOf)))
}

function latest(view: MemberView): string {
  if (view.trouble !== null) return plainLine(view.trouble)
  if (view.phase === 'paused' && view.until !== null) return untilText(view.until)
  const [asked] = view.waiting.values()
  if (asked !== undefined) return plainLine(asked)
  const call = view.interrupted ? null : currentCall(view)
  if (call === null) return plainLine(view.ended ?? waitText(view) ?? view.text)
  return plainLine(call.others > 0 ? `${call.label} +${call.others}` : call.label)
}
