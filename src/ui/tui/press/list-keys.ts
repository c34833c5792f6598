import { emptyLine, draftText } from '../state/input-line.ts'
import { actOf, listKeys, mainKeys, writeKeys, type Act, type Stroke } from '../state/keys.ts'
import { heldApart } from './held-key.ts'
import { withOpenQuestion } from './question-keys.ts'
import {
  beside,
  draftOf,
  edited,
  pasted,
  recipientsOf,
  selectedRow,
  stepsOf,
  tabs,
  withDraft,
  type Moment,
  type Pressed,
  type Ui,
} from '../state/ui.ts'

/** The state after a key at a list of the run. A key that is held down may come several times at once. */
export function inList(before: Ui, whole: Stroke, moment: Moment): Pressed {
  const { first: ui, stroke } = heldApart(before, whole, (each, key) => inList(each, key, moment).ui)
  const typesNumber = ui.tab === 'members' && /^\d+$/.test(stroke.text)
  if (typesNumber) return { ui: jumped(ui, stroke.text) }
  const times = /^M{2,}$/.test(stroke.text) ? stroke.text.length : 1
  const act = times > 1 ? 'mode' : actOf(listKeys, stroke)
  const settled = { ...ui, jump: '', doomed: null }
  if (act === 'leave' || act === 'redraw') return { ui: settled, order: { type: act } }
  const row = selectedRow(ui, moment.rows)
  if ((act === 'interrupt' || act === 'mode') && row?.leads !== 'member') return { ui: settled }
  if (act === 'choose_model' || act === 'choose_mode') return choosingFor(settled, act, row)
  if (act === 'interrupt' && row) return { ui: settled, order: { type: act, to: row.id } }
  if (act === 'mode' && row) return { ui: settled, order: { type: act, to: row.id, ...(times > 1 && { times }) } }
  if ((act === 'stop' || act === 'restart') && row?.leads === 'member') return twice(ui, act, row.id)
  return { ui: act === null ? settled : (selecting(settled, act, moment) ?? looking(settled, act, moment)) }
}

/** The marked members are chosen for, or the selected one. */
function choosingFor(ui: Ui, act: 'choose_model' | 'choose_mode', row: Moment['rows'][number] | undefined): Pressed {
  const marked = ui.names.filter((name) => ui.marked.has(name))
  if (row?.leads !== 'member') return { ui }
  const choose = act === 'choose_model' ? 'model' : 'mode'
  return { ui, order: { type: 'options', choose, to: marked.length > 0 ? marked : [row.id] } }
}

/** One key press ends the life of nobody. */
function twice(ui: Ui, act: 'stop' | 'restart', member: string): Pressed {
  const doomed = `${act} ${member}`
  const note = {
    stop: `X again stops ${member} for good; the team goes on`,
    restart: `R again cuts ${member} off and starts it again, with its conversation`,
  }[act]
  if (ui.doomed !== doomed) return { ui: { ...ui, doomed, note } }
  const name = act === 'stop' ? 'end' : act
  return { ui: { ...ui, doomed: null }, order: { type: 'command', name, args: [], to: member } }
}

/** A member is found by its number, digit by digit: 1, then 12. What names nobody begins anew. */
function jumped(ui: Ui, digits: string): Ui {
  const jump = [ui.jump + digits, digits].find((each) => ui.names[Number(each) - 1] !== undefined)
  if (jump === undefined) return { ...ui, jump: '', note: `no member has the number ${ui.jump}${digits}` }
  return { ...ui, jump, focus: ui.names[Number(jump) - 1] ?? ui.focus, filters: without(ui) }
}

function without({ filters, tab }: Ui): Ui['filters'] {
  return new Map([...filters].filter(([each]) => each !== tab))
}

function selecting(ui: Ui, act: Act, { rows, page }: Moment): Ui | null {
  const row = selectedRow(ui, rows)
  const index = row ? rows.indexOf(row) : 0
  const steps: Partial<Record<Act, number>> = { ...stepsOf(page), start: Infinity, tail: -Infinity }
  const step = steps[act]
  if (step === undefined) return null
  const found = rows[Math.max(0, Math.min(rows.length - 1, index - step))]
  if (!found) return ui
  if (ui.tab === 'members') return { ...ui, focus: found.id }
  // The end of the log is followed while more comes.
  const follows = ui.tab === 'log' && found === rows.at(-1)
  const selected = new Map(ui.selected)
  if (follows) selected.delete(ui.tab)
  else selected.set(ui.tab, found.id)
  return { ...ui, selected }
}

function looking(ui: Ui, act: Act, moment: Moment): Ui {
  const row = selectedRow(ui, moment.rows)
  if (act === 'next' || act === 'previous') return { ...ui, tab: beside(tabs, ui.tab, act) }
  if (act === 'questions') return withOpenQuestion(ui, moment)
  if (act === 'help') return { ...ui, overlay: 'help', top: 0 }
  if (act === 'filter') return { ...ui, overlay: 'filter' }
  if (act === 'close') return { ...ui, filters: without(ui), marked: new Set() }
  if (act === 'zoom') return { ...ui, view: 'panes', zoomed: false }
  if (!row) return ui
  if (act === 'open') return opened(ui, row, moment)
  if (row.leads !== 'member') return ui
  if (act === 'write') return { ...ui, focus: row.id, overlay: 'write' }
  return marked({ ...ui, focus: row.id }, act, moment)
}

function opened(ui: Ui, row: Moment['rows'][number], moment: Moment): Ui {
  const { id, leads } = row
  if (leads === 'question') return withOpenQuestion(ui, moment, id)
  if (leads === 'member') return { ...ui, view: 'panes', zoomed: true, focus: id }
  const place = row.place?.() ?? null
  if (place !== null) {
    const { member: focus, block } = place
    return { ...ui, focus, overlay: 'read', reading: { block, line: 0 } }
  }
  return { ...ui, overlay: 'whole', top: 0 }
}

function marked(ui: Ui, act: Act, { rows }: Moment): Ui {
  const all = rows.map(({ id }) => id)
  if (act === 'mark_all') return { ...ui, marked: new Set(all.every((id) => ui.marked.has(id)) ? [] : all) }
  if (act !== 'mark') return ui
  const next = new Set(ui.marked)
  if (!next.delete(ui.focus)) next.add(ui.focus)
  return { ...ui, marked: next }
}

/** The member that the filter names, before those of whom it says something else. */
function wanted(ui: Ui, { rows }: Moment): string {
  const row = selectedRow(ui, rows)
  if (ui.tab !== 'members' || row === undefined) return ui.focus
  const words = draftText(draftOf(ui)).trim().toLowerCase()
  const isNamed = ({ id }: Moment['rows'][number]): boolean => id.toLowerCase().includes(words)
  return (isNamed(row) ? row : (rows.find(isNamed) ?? row)).id
}

/** The state after a key while the filter of a list is typed: its rows follow each letter. */
export function inFilter(ui: Ui, stroke: Stroke, moment: Moment): Pressed {
  const act = actOf(mainKeys, stroke)
  if (act === 'leave' || act === 'redraw') return { ui, order: { type: act } }
  if (act === 'close') return { ui: { ...ui, overlay: null, filters: without(ui) } }
  if (act === 'mail') return { ui: { ...ui, overlay: null, focus: wanted(ui, moment) } }
  const moves = act === 'up' || act === 'down' || act === 'page_up' || act === 'page_down'
  if (moves) return { ui: selecting(ui, act, moment) ?? ui }
  return { ui: stroke.text === '' ? (edited(ui, act) ?? ui) : pasted(ui, stroke.text) }
}

/** The state after a key while mail to the selected or marked members is written. */
export function inWrite(ui: Ui, stroke: Stroke): Pressed {
  const act = actOf(writeKeys, stroke) ?? actOf(mainKeys, stroke)
  if (act === 'leave' || act === 'redraw') return { ui, order: { type: act } }
  if (act === 'close') return { ui: { ...ui, overlay: null } }
  if (act === 'mail' || act === 'steer') {
    const text = draftText(draftOf(ui))
    if (text.trim() === '') return { ui: { ...ui, overlay: null } }
    const sent = { ...withDraft(ui, emptyLine), overlay: null, marked: new Set<string>() }
    return { ui: sent, order: { type: act, to: recipientsOf(ui), text } }
  }
  return { ui: stroke.text === '' ? (edited(ui, act) ?? ui) : pasted(ui, stroke.text) }
}
