import type { ApprovalFile } from '../../../protocol/permissions/approval-file.ts'
import { ownQuestion } from '../../../protocol/tools/own-question.ts'
import { fitWidth, wrapWidth } from '../../text/terminal-text.ts'
import { keysFor, type Act, type Binding } from '../state/keys.ts'
import type { Picture, Room } from '../state/picture.ts'
import type { Caches } from '../state/line-caches.ts'
import { visibleText } from '../../text/plain-text.ts'
import { draftText } from '../state/input-line.ts'
import { draftOf, type View } from '../state/ui.ts'

/** Lines that say which keys do what, the keys in a column. */
export function helpLines(map: readonly Pick<Binding, 'keys' | 'does'>[]): readonly string[] {
  const names = map.map(({ keys }) => keys.join(', '))
  const width = Math.max(...names.map((name) => name.length))
  return map.map(({ does }, n) => `${(names[n] ?? '').padEnd(width)}  ${does}`)
}

/** The part of the question in front that has room, above the keys that answer it. */
export function questionLines(picture: Picture, room: Room): readonly string[] {
  const { ui, pending, paint } = picture
  const index = pending.findIndex(({ id }) => id === ui.question?.id)
  const also = ui.question?.also.length ?? 0
  const together = also === 0 ? '' : `· ${also + 1} calls together: one answer for all of them `
  const title = paint('inverse', fitWidth(` Question ${index + 1} of ${pending.length} ${together}`, room.columns))
  const { text, keys, rows } = partsOf(picture, room)
  const top = Math.min(ui.question?.top ?? 0, Math.max(0, text.length - rows))
  const rest = text.length - top - rows
  const more = text.length > rows ? [paint('dim', fitWidth(moreText(top, rest), room.columns))] : []
  return [title, ...text.slice(top, top + rows), ...more, '', ...keys]
}

function moreText(above: number, below: number): string {
  if (below <= 0) return `… ${above} lines above · PageUp · the end`
  return `… ${below} more lines · PageDown shows them, then it can be allowed`
}

/** How much of the question in front a screen shows at once; null as long as nothing of it can be shown. */
export function viewOfQuestion(picture: Picture, room: Room): View | null {
  const { overlay, question } = picture.ui
  // A screen of one row shows the title only.
  if (picture.described === null || question === null || room.rows < 2) return null
  if (overlay !== 'questions' && overlay !== 'advice' && overlay !== 'change') return null
  const { text, rows } = partsOf(picture, room)
  return { lines: text.length, rows }
}

interface Parts {
  readonly text: readonly string[]
  readonly keys: readonly string[]
  /** Rows for the text. */
  readonly rows: number
}

/** Where there are few rows the text has more than half of them: it has to be read, keys can be looked up. */
function partsOf({ ui, pending, described, caches }: Picture, { columns, rows }: Room): Parts {
  const request = pending.find(({ id }) => id === ui.question?.id)
  const map = keysFor(ui.overlay === 'advice' || ui.overlay === 'change' ? ui.overlay : 'questions', request)
  const words = wordsOf(request)
  const offered = map.filter(({ act }) => isOffered(act, request, pending))
  const helpOf = (keys: readonly Binding[]): readonly string[] =>
    helpLines(keys.map((key) => ({ ...key, does: words[key.act] ?? key.does }))).map((line) => fitWidth(line, columns))
  const changed =
    ui.overlay === 'change'
      ? `${request?.tool === 'ExitPlanMode' ? 'The plan as it will be approved' : 'The call as it will run'}:\n\n${visibleText(draftText(draftOf(ui)))}`
      : described
  const text = changed === null ? ['…'] : linesIn(changed, columns, caches)
  // The title, the line that counts, and the empty one.
  const free = Math.max(1, rows - 3)
  const least = Math.min(text.length, Math.ceil(free / 2))
  const short = helpOf(offered.filter(({ act }) => !pagingActs.has(act)))
  const isWhole = text.length + short.length <= free
  const keys = isWhole ? short : helpOf(offered).slice(0, free - least)
  return { text, keys, rows: Math.max(1, free - keys.length) }
}

/** Keys of a text that has more lines than room. */
const pagingActs: ReadonlySet<Act> = new Set(['page_up', 'page_down', 'up', 'down'])

function linesIn(text: string, width: number, { question }: Caches): readonly string[] {
  if (question.made?.text !== text || question.made.width !== width) {
    question.made = { text, width, lines: text.split('\n').flatMap((line) => wrapWidth(line, width)) }
  }
  return question.made.lines
}

/** The words for keys at a plan, and at a member's own question, in the words of these. */
function wordsOf(request: ApprovalFile | undefined): Partial<Readonly<Record<Act, string>>> {
  if (request === undefined) return {}
  if (ownQuestion(request) !== null) return { page_down: 'page on' }
  if (request.tool !== 'ExitPlanMode') return {}
  return {
    allow: 'approve this plan',
    advise: 'send it back, and say what to change',
    deny_stop: 'refuse it and end what the member is doing',
    edit: 'change the plan, and approve it so',
    page_down: 'page on: it can be approved when its end was shown',
  }
}

/** No key promises a rule that nobody can write. */
function isOffered(act: Act, request: ApprovalFile | undefined, pending: readonly ApprovalFile[]): boolean {
  if (act === 'previous' || act === 'next') return pending.length > 1
  if (act === 'batch') return pending.filter(({ tool }) => tool === request?.tool).length > 1
  if (act === 'allow_session') return (request?.grants.session.length ?? 0) > 0
  return act === 'allow_save' ? (request?.grants.save.length ?? 0) > 0 : true
}
