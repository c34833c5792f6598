import type { ApprovalFile } from '../../../protocol/permissions/approval-file.ts'
import { changeableName, changeableText, changedInput } from '../../../projections/screen/changed-call.ts'
import { draftText, emptyLine, movedByLine } from '../state/input-line.ts'
import { actOf, changeKeys, mainKeys, type Stroke } from '../state/keys.ts'
import { draftOf, edited, pasted, withDraft, type Moment, type Pressed, type Ui } from '../state/ui.ts'

/** The call of the question in front as a line that can be changed. */
export function withChange(ui: Ui, request: ApprovalFile): Ui {
  const changing: Ui = { ...ui, overlay: 'change' }
  const kept = draftText(draftOf(changing))
  return withDraft(changing, { before: kept === '' ? changeableText(request) : kept, after: '' })
}

/** The state after a key while a call is changed. */
export function inChange(ui: Ui, stroke: Stroke, { pending }: Moment): Pressed {
  const request = pending.find(({ id }) => id === ui.question?.id)
  const act = actOf(changeKeys, stroke) ?? actOf(mainKeys, stroke)
  if (act === 'leave' || act === 'redraw') return { ui, order: { type: act } }
  if (act === 'close' || request === undefined) return { ui: { ...ui, overlay: 'questions' } }
  const text = draftText(draftOf(ui))
  if (act === 'edit_file') return { ui, order: { type: 'change', name: changeableName(request), text } }
  if (act === 'up' || act === 'down') return { ui: withDraft(ui, movedByLine(draftOf(ui), act)) }
  if (act !== 'allow') return { ui: stroke.text === '' ? (edited(ui, act) ?? ui) : pasted(ui, stroke.text) }
  const changed = changedInput(request, text)
  if ('trouble' in changed) return { ui: { ...ui, note: `not allowed: ${changed.trouble}` } }
  const { id } = request
  const order = { type: 'answer', id, act, advice: '', input: changed.input } as const
  return { ui: { ...withDraft(ui, emptyLine), overlay: 'questions' }, order }
}
