import { approvalIdPattern, type ApprovalFile } from '../../../protocol/permissions/approval-file.ts'
import { ownQuestion } from '../../../protocol/tools/own-question.ts'
import { everybody } from '../../../protocol/words/ids.ts'
import { guessName } from '../../../runtime/runs/read-runs.ts'
import { commandOrder } from '../press/typed-command.ts'
import type { Act } from '../state/keys.ts'
import type { Moment, Order, Ui } from '../state/ui.ts'

/** The state that a line is read in. */
export interface LineMoment extends Pick<Moment, 'commands'> {
  /** The member that a line without an address goes to, and all of them. */
  readonly ui: Ui
  /** Questions that wait and were printed; no other can be answered. */
  readonly told: readonly ApprovalFile[]
}

/** The outcome of a line: the state after it, words to print, and something to do. */
export interface LineRead {
  readonly ui: Ui
  readonly say?: string
  readonly order?: Order
}

const decisions: ReadonlyMap<string, Act> = new Map([
  ['allow', 'allow'],
  ['session', 'allow_session'],
  ['always', 'allow_save'],
  ['deny', 'deny'],
  ['stop', 'deny_stop'],
])

/**
 * Reads one typed line: `ID decision` answers the question with this id, `@name words` is mail, `/name` a command, and
 * everything else is mail to the member in front. An answer has to name its question, so that what was typed before a question came
 * cannot answer it.
 */
export function readLine(typed: string, moment: LineMoment): LineRead {
  const { ui, told } = moment
  const line = typed.trim()
  if (line === '') return { ui }
  if (line === '?') return { ui, say: plainHelp(ui) }
  const [first = '', ...words] = line.split(/\s+/)
  const rest = line.slice(first.length).trim()
  const asked = told.find(({ id }) => id === first)
  if (asked) return { ui, ...answered(asked, words, rest) }
  if (approvalIdPattern.test(first)) return { ui, say: `not sent: no question ${first} waits here` }
  // Meant for a question, and perhaps typed before this one came.
  const [waits] = told
  if (waits && words.length === 0 && decisions.has(first)) return { ui, say: `not answered: ${howToAnswer(waits)}` }
  if (first.startsWith('@')) return { ui, ...addressed(first.slice(1), rest, ui) }
  const command = commandOrder(ui, line, moment)
  if (command === null) return { ui, order: { type: 'mail', to: [ui.focus], text: line } }
  const { ui: next, order } = command.pressed
  const moved = next.focus === ui.focus ? '' : `lines go to ${next.focus} now`
  const say = next.output?.text ?? next.note ?? moved
  const after = { ...next, overlay: null, output: null, note: null }
  return { ui: after, ...(say === '' ? {} : { say }), ...(order === undefined ? {} : { order }) }
}

function answered(asked: ApprovalFile, [word = '']: readonly string[], rest: string): Omit<LineRead, 'ui'> {
  const { id } = asked
  const isOwn = ownQuestion(asked) !== null
  if (isOwn && rest !== '') return { order: { type: 'answer', id, act: 'deny', advice: rest } }
  const act = decisions.get(word)
  if (isOwn || act === undefined || !isOffered(act, asked)) return { say: `not answered: ${howToAnswer(asked)}` }
  const advice = act === 'deny' ? rest.slice(word.length).trim() : ''
  return { order: { type: 'answer', id, act, advice } }
}

function isOffered(act: Act, { grants }: ApprovalFile): boolean {
  if (act === 'allow_session') return grants.session.length > 0
  return act === 'allow_save' ? grants.save.length > 0 : true
}

/** The lines that answer a question: `type: ana-7-1 allow, or ana-7-1 deny with your advice …`. */
export function howToAnswer(asked: ApprovalFile): string {
  const { id } = asked
  const own = ownQuestion(asked)
  if (own !== null) {
    const number = own.several ? '1, 2' : '1'
    return own.options.length === 0 ? `type: ${id} and your answer` : `type: ${id} ${number}  or: ${id} and your answer`
  }
  const offered = [...decisions].filter(([, act]) => isOffered(act, asked))
  return `type: ${id} and one of: ${offered.map(([word]) => word).join(', ')}; behind deny you may give advice`
}

function addressed(name: string, text: string, { names }: Ui): Omit<LineRead, 'ui'> {
  const to = name === everybody ? names : names.filter((each) => each === name)
  if (to.length === 0) {
    const guess = guessName(name, names)
    return { say: `not sent: there is no member ${name}${guess === undefined ? '' : `, did you mean ${guess}?`}` }
  }
  return text === '' ? { say: `not sent: there are no words behind @${name}` } : { order: { type: 'mail', to, text } }
}

/** The kinds of lines that can be typed. */
export function plainHelp({ focus, names }: Pick<Ui, 'focus' | 'names'>): string {
  return [
    `a line goes to ${focus}; /attach NAME chooses another: ${names.join(', ')}`,
    '@NAME words: mail to a member; @all words: to all of them',
    'ID and your answer: answers the question with this id',
    '/help: the commands; Ctrl+D ends typing, Ctrl+C leaves; the team goes on',
  ].join('\n')
}
