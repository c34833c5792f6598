import { actOf, mainKeys, type Stroke } from '../state/keys.ts'
import { draftText } from '../state/input-line.ts'
import type { OptionList } from '../state/option-list.ts'
import { draftOf, selectedRow, type Moment, type Pressed, type Ui } from '../state/ui.ts'
import { inFilter } from './list-keys.ts'

/** The screen with the list of options in front, the one selected that the first of the members has. */
export function withOptions(ui: Ui, { choose, members, options }: OptionList): Ui {
  const { view, tab } = ui
  const now = options.find(({ held }) => held.includes(members[0] ?? ''))
  const selected = new Map(ui.selected)
  if (now) selected.set('options', now.value)
  const choosing = { choose, members, options, back: { view, tab } }
  return { ...ui, choosing, view: 'list', tab: 'options', overlay: 'filter', selected }
}

/** The state after a key at the list of options: letters are its filter; a number picks where none has two digits. */
export function inOptions(ui: Ui, stroke: Stroke, moment: Moment): Pressed {
  const { choosing } = ui
  if (choosing === null) return { ui }
  const act = actOf(mainKeys, stroke)
  if (act === 'close') return { ui: left(ui, choosing) }
  const { options } = choosing
  const isNumber = /^[1-9]$/.test(stroke.text) && options.length < 10 && draftText(draftOf(ui)) === ''
  const row = isNumber ? options[Number(stroke.text) - 1]?.value : selectedRow(ui, moment.rows)?.id
  if (!isNumber && act !== 'mail') return inFilter(ui, stroke, moment)
  const option = options.find(({ value }) => value === row)
  if (option === undefined) return { ui }
  const { choose, members: to } = choosing
  const { value, refused } = option
  if (refused !== null) return { ui: { ...ui, note: `${choose} ${value}: ${refused}` } }
  return { ui: left(ui, choosing), order: { type: 'choose', choose, value, to } }
}

/** The screen as it was before the list. */
function left(ui: Ui, { back }: NonNullable<Ui['choosing']>): Ui {
  const filters = new Map(ui.filters)
  filters.delete('options')
  return { ...ui, ...back, filters, overlay: null, choosing: null }
}
