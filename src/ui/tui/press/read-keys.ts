import { heldApart } from './held-key.ts'
import { draftText, emptyLine } from '../state/input-line.ts'
import { actOf, mainKeys, readKeys, type Act, type Stroke } from '../state/keys.ts'
import { edited, pasted, type Moment, type Pressed, type Reading, type ReadTranscript, type Ui } from '../state/ui.ts'

/** The screen with the latest block of the member in front selected. */
export function withReading(ui: Ui, { transcript }: Moment): Ui {
  const { count } = transcript()
  if (count === 0) return { ...ui, note: `${ui.focus} has said nothing yet` }
  return { ...ui, overlay: 'read', reading: { block: count - 1, line: 0 } }
}

/** The state after a key while a transcript is read. */
export function inReading(before: Ui, whole: Stroke, moment: Moment): Pressed {
  const { first: ui, stroke } = heldApart(before, whole, (each, key) => inReading(each, key, moment).ui)
  const act = actOf(readKeys, stroke)
  if (act === 'leave' || act === 'redraw') return { ui, order: { type: act } }
  if (act === null || ui.reading === null) return { ui }
  if (act === 'close') return { ui: { ...ui, overlay: null, reading: null, search: emptyLine } }
  if (act === 'filter') return { ui: { ...ui, overlay: 'search', search: emptyLine } }
  if (act === 'help') return { ui: { ...ui, overlay: 'help', top: 0 } }
  const transcript = moment.transcript()
  const moved = movedTo(ui.reading, act, { transcript, page: moment.page })
  if (moved !== null) return { ui: { ...ui, reading: moved } }
  if (act === 'found_next' || act === 'found_before')
    return { ui: found(ui, act === 'found_next' ? 1 : -1, transcript) }
  return done(ui, act, { transcript, block: ui.reading.block })
}

/** The state after a key while the words to search for are typed. Enter looks backwards: the latest comes first. */
export function inSearch(ui: Ui, stroke: Stroke, moment: Moment): Pressed {
  const act = actOf(mainKeys, stroke)
  if (act === 'leave' || act === 'redraw') return { ui, order: { type: act } }
  if (act === 'close') return { ui: { ...ui, overlay: 'read', search: emptyLine } }
  if (act === 'mail') return { ui: found({ ...ui, overlay: 'read' }, -1, moment.transcript()) }
  return { ui: stroke.text === '' ? (edited(ui, act) ?? ui) : pasted(ui, stroke.text) }
}

/** Goes on at the other end where there is nothing more in this direction. */
function found(ui: Ui, step: 1 | -1, transcript: ReadTranscript): Ui {
  const words = draftText(ui.search)
  if (words === '' || ui.reading === null) return { ...ui, note: 'nothing is searched for: / and words' }
  const end = step > 0 ? { block: 0, line: -1 } : { block: transcript.count - 1, line: Infinity }
  const here = transcript.find(words, ui.reading, step)
  const place = here ?? transcript.find(words, end, step)
  if (place === null) return { ...ui, note: `"${words}" is nowhere in it` }
  const { block, line, turns } = place
  const next = { ...ui, reading: { block, line }, ...(here === null ? { note: 'from the other end' } : {}) }
  return turns ? turned(next, transcript.key(block)) : next
}

interface Place {
  readonly transcript: ReadTranscript
  readonly page: number
}

function movedTo({ block, line }: Reading, act: Act, { transcript, page }: Place): Reading | null {
  const last = transcript.count - 1
  if (act === 'start') return { block: 0, line: 0 }
  if (act === 'tail') return { block: last, line: 0 }
  if (act === 'previous') return line > 0 ? { block, line: 0 } : { block: Math.max(0, block - 1), line: 0 }
  if (act === 'next') return { block: Math.min(last, block + 1), line: 0 }
  if (act !== 'page_up' && act !== 'page_down') return null
  let at = { block, line: line + (act === 'page_down' ? page : -page) }
  while (at.line < 0 && at.block > 0)
    at = { block: at.block - 1, line: at.line + transcript.lines(at.block - 1).length }
  for (let rows = transcript.lines(at.block).length; at.line >= rows && at.block < last;) {
    at = { block: at.block + 1, line: at.line - rows }
    rows = transcript.lines(at.block).length
  }
  return { block: at.block, line: Math.max(0, Math.min(at.line, transcript.lines(at.block).length - 1)) }
}

function done(ui: Ui, act: Act, { transcript, block }: { transcript: ReadTranscript; block: number }): Pressed {
  const text = transcript.text(block)
  if (act === 'open') return { ui: turned({ ...ui, reading: { block, line: 0 } }, transcript.key(block)) }
  if (act === 'unfold') return { ui: allTurned(ui) }
  if (act === 'copy') return { ui, order: { type: 'copy', text } }
  if (act === 'whole') return { ui, order: { type: 'view', title: `${ui.focus} · ${block + 1}`, text } }
  if (act === 'fork')
    return { ui, order: { type: 'command', name: 'fork', args: [transcript.entry(block)], to: ui.focus } }
  const place = transcript.file(block)
  return place === null ? { ui: { ...ui, note: 'this block names no file' } } : { ui, order: { type: 'open', place } }
}

function turned(ui: Ui, key: string): Ui {
  return { ...ui, turned: toggled(ui.turned, key) }
}

/** All blocks of the member in front the other way, those too that were turned alone. */
export function allTurned(ui: Ui): Ui {
  const kept = [...ui.turned].filter((key) => !key.startsWith(`${ui.focus} `))
  return { ...ui, unfolded: toggled(ui.unfolded, ui.focus), turned: new Set(kept) }
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys)
  if (!next.delete(key)) next.add(key)
  return next
}
