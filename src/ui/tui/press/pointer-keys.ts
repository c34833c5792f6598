import type { Target } from '../state/target.ts'
import type { Pointer } from '../terminal/pointer.ts'
import { selectedRow, type Moment, type Pressed, type Ui } from '../state/ui.ts'
import { withOpenQuestion } from './question-keys.ts'
import { pressed } from './ui-state.ts'

export interface Pointing extends Pick<Pointer, 'does'> {
  readonly target: Target | null
}

/** Lines that the wheel moves a text by. */
const notch = 3

/**
 * The state after a click or a turn of the wheel. A click selects, a second one opens what is selected; no click answers a
 * question.
 */
export function pointedAt(before: Ui, { does, target }: Pointing, moment: Moment): Pressed {
  if (does !== 'click') return { ui: turned(before, does === 'wheel_up', moment) }
  const ui = { ...before, doomed: null }
  if (target === null) return { ui }
  if (target.at === 'tab') return { ui: { ...ui, tab: target.tab } }
  if (target.at === 'pane') return { ui: { ...ui, focus: target.name } }
  if (target.at === 'questions') return { ui: withOpenQuestion(ui, moment) }
  if (selectedRow(ui, moment.rows)?.id === target.id) return pressed(ui, { name: 'Enter', text: '' }, moment)
  if (ui.tab === 'members') return { ui: { ...ui, focus: target.id } }
  return { ui: { ...ui, selected: new Map(ui.selected).set(ui.tab, target.id) } }
}

/** The wheel moves by lines what keys move by lines; of a question its text, never which one is in front. */
function turned(ui: Ui, isUp: boolean, moment: Moment): Ui {
  const inList = ui.view === 'list' && (ui.overlay === null || ui.overlay === 'filter')
  const arrow = isUp ? 'Up' : 'Down'
  const letter = isUp ? 'k' : 'j'
  const stroke = { name: ui.overlay === 'questions' ? letter : arrow, text: '' }
  let now = ui
  for (let n = 0; n < (inList || ui.overlay === 'read' ? 1 : notch); n += 1) now = pressed(now, stroke, moment).ui
  return now
}
