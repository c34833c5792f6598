import { doing, currentCall, type MemberView } from '../../../projections/screen/roster.ts'
import { tokensOf } from '../../../projections/cost/cost.ts'
import { untilText } from '../../../projections/screen/recovery-text.ts'
import type { Paint } from '../../text/colour.ts'
import { tokensText } from '../../text/figures.ts'
import { fitWidth, padWidth, widthOf } from '../../text/fit-width.ts'
import { memberSigns } from '../../text/member-sign.ts'
import { plainLine } from '../../text/plain-text.ts'

/** How wide a line may be and how wide its name column is, so that the lines of a team stand in columns. */
export interface LineLayout {
  readonly columns: number
  readonly nameWidth: number
  readonly paint: Paint
}

/**
 * One member on one line that never exceeds `columns`: sign, name, what it is doing, turn, tokens, and the call
 * that runs or the last thing it said.
 */
export function memberLine(view: MemberView, { columns, nameWidth, paint }: LineLayout): string {
  const [sign, tone] = memberSigns[view.state]
  const name = padWidth(view.name, nameWidth)
  const word = padWidth(doing(view), 9)
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
  const call = currentCall(view)
  if (call === null) return plainLine(view.text)
  return plainLine(call.others > 0 ? `${call.label} +${call.others}` : call.label)
}
