import { bodyText } from '../../../protocol/work/body-text.ts'
import type { BoardTask } from '../../../protocol/work/task.ts'
import { callLabel } from '../../../projections/screen/call-label.ts'
import { tokensOf, type Spending } from '../../../projections/cost/cost.ts'
import { evidenceText, isUnfinished } from '../../../projections/team/task-board.ts'
import { memberName } from '../../../protocol/words/ids.ts'
import { localTime } from '../../../protocol/words/local-time.ts'
import { placeOfEntry } from '../../../projections/screen/place-of-entry.ts'
import type { TranscriptLine } from '../../../projections/screen/transcript.ts'
import type { MailItem } from '../../../runtime/mail/inspect-mail.ts'
import { costText, tokensText } from '../../text/figures.ts'
import type { Tone } from '../../text/terminal-text.ts'
import { draftText, emptyLine } from '../state/input-line.ts'
import { machineRows } from './machine-rows.ts'
import { memberCounts, memberRows } from './member-rows.ts'
import { optionRows, optionsHead } from './option-rows.ts'
import type { Picture } from '../state/picture.ts'
import type { ListName, Row, RowKey, Tab } from '../state/ui.ts'
import { rowOf } from './row.ts'

/** The rows of the list that is shown, without those that the filter leaves out. */
export function rowsOf(picture: Picture): readonly Row[] {
  const { tab, filters } = picture.ui
  const rows = rowsByTab[tab](picture)
  const wanted = draftText(filters.get(tab) ?? emptyLine)
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (wanted.length === 0) return rows
  return rows.filter((row) => {
    const words = row.words().toLowerCase()
    return wanted.every((word) => words.includes(word))
  })
}

const rowsByTab: Readonly<Record<ListName, (picture: Picture) => readonly Row[]>> = {
  members: memberRows,
  board: ({ panes, paint }) => [...panes.board.tasks.values()].map((task) => taskRow(task, paint)),
  mail: ({ mail, paint }) => mail.toSorted(byMailState).map((item) => mailRow(item, paint)),
  approvals: ({ pending, paint }) =>
    pending.map(({ id, member, tool, input, decision }) => {
      const cells = [memberName(member), callLabel(tool, input), decision.reason]
      return rowOf({ id, leads: 'question', cells, widths: [16, 40], whole: '', tone: 'yellow' }, paint)
    }),
  cost: ({ panes: { cost }, paint }) => [
    costRow({ id: 'total', leads: null, name: 'in all', spent: cost.total }, paint),
    ...bySpending(cost.models).map(([name, spent]) =>
      costRow({ id: `model ${name}`, leads: null, name, spent }, paint),
    ),
    ...bySpending(cost.members).map(([name, spent]) => costRow({ id: name, leads: 'member', name, spent }, paint)),
  ],
  machine: machineRows,
  options: optionRows,
  log: ({ panes, paint }) => {
    const { lines } = panes.log
    const first = Math.max(0, lines.length - mostLogRows)
    return lines.slice(first).map((line, index) => ({
      ...logRow(line, String(first + index), paint),
      ...(line.kind === 'warning' && { place: () => placeOfEntry(panes, line.entry) }),
    }))
  },
}

/** A longer log is one for `troupe logs`. */
const mostLogRows = 2_000

/** The line above each list: what it counts. */
export function listHead(picture: Picture): string {
  return heads[picture.ui.tab](picture)
}

const heads: Readonly<Record<ListName, (picture: Picture) => string>> = {
  members: memberCounts,
  board: ({ panes: { board } }) => {
    const tasks = [...board.tasks.values()]
    return `${tasks.filter(isUnfinished).length} of ${tasks.length} tasks unfinished`
  },
  mail: ({ mail }) => {
    const words = ['unread', 'dead', 'read'] as const
    return words.map((word) => `${mail.filter(({ state }) => mailWords[state] === word).length} ${word}`).join(' · ')
  },
  approvals: ({ pending }) => `questions that wait for you: ${pending.length}`,
  cost: () => 'cost, tokens and answers: in all, by model, by member',
  options: optionsHead,
  machine: () => 'the state of every chart, as the journals tell it: member, agent, tool calls, coordinator',
  log: ({ panes }) => {
    const all = panes.log.lines.length
    return all > mostLogRows ? `the latest ${mostLogRows} of ${all} lines · troupe logs shows all` : `${all} lines`
  },
}

/** The name of a list with what it counts. */
export function tabName({ panes, ui, pending }: Picture, tab: Tab): string {
  // The letters themselves are read only when their list is looked at.
  const unread = [...panes.panes.values()].reduce((sum, pane) => sum + pane.unread, 0)
  const counts: Readonly<Record<Tab, string>> = {
    members: ` ${ui.names.length}`,
    board: ` ${panes.board.tasks.size}`,
    mail: ` ${unread}`,
    approvals: ` ${pending.length}`,
    cost: ` ${costText(panes.cost.total.cost_usd)}`,
    machine: '',
    log: '',
  }
  return `${tab[0]?.toUpperCase()}${tab.slice(1)}${counts[tab]}`
}

const taskTones: Partial<Readonly<Record<BoardTask['state'], Tone>>> = { done: 'dim', failed: 'red', cancelled: 'dim' }

function taskRow(task: BoardTask, paint: Picture['paint']): Row {
  const { state, by, blocked_by, subject, description, reason, evidence } = task
  const after = blocked_by.length > 0 ? ` (after ${blocked_by.join(', ')})` : ''
  const whole = [
    `Task ${task.task}: ${subject}`,
    `${state}${by === null ? '' : ` by ${by}`}${after}, put up by ${task.author}`,
    ...(reason === undefined ? [] : [reason]),
    ...evidence.map((each) => `evidence: ${evidenceText(each)}`),
    ...(description === undefined ? [] : ['', description]),
  ].join('\n')
  const cells = [String(task.task), state, by ?? '', `${subject}${after}`]
  return rowOf(
    { id: String(task.task), leads: null, cells, widths: [3, 9, 12], whole, tone: taskTones[state] ?? null },
    paint,
  )
}

const mailWords = { written: 'unread', claimed: 'unread', acked: 'read', handled: 'read', dead: 'dead' } as const

const mailOrder = ['dead', 'unread', 'read'] as const

/** Dead mail first, then unread mail; the newest of each first. */
function byMailState(one: MailItem, other: MailItem): number {
  const [a, b] = [one, other].map(({ state }) => mailOrder.indexOf(mailWords[state])) as [number, number]
  return a - b || ((one.id ?? '') < (other.id ?? '') ? 1 : -1)
}

const mailTones = { unread: null, read: 'dim', dead: 'red' } as const

function mailRow({ member, state, file, id, envelope, reason }: MailItem, paint: Picture['paint']): Row {
  const from = envelope === null ? '?' : (envelope.from.split('@')[0] ?? '?')
  const kind = envelope?.kind ?? 'no mail'
  const cut = envelope?.artifact === undefined ? [] : ['', `The whole text: troupe mail show ${id ?? file}`]
  const said = envelope === null ? file : bodyText(envelope)
  const whole = [
    `${kind} from ${from} to ${member}, ${mailWords[state]}`,
    ...(reason === undefined ? [] : [`given up: ${reason}`]),
    '',
    said,
    ...cut,
  ].join('\n')
  const cells = [mailWords[state], `${from} → ${member}`, kind, said]
  return rowOf({ id: file, leads: null, cells, widths: [6, 24, 8], whole, tone: mailTones[mailWords[state]] }, paint)
}

function bySpending(spent: ReadonlyMap<string, Spending>): readonly [string, Spending][] {
  return [...spent].toSorted(([, a], [, b]) => (b.cost_usd ?? Infinity) - (a.cost_usd ?? Infinity))
}

interface Spent extends RowKey {
  readonly name: string
  readonly spent: Spending
}

function costRow({ id, leads, name, spent }: Spent, paint: Picture['paint']): Row {
  const { usage, cost_usd, answers } = spent
  const cells = [
    costText(cost_usd).padStart(8),
    tokensText(tokensOf(usage)).padStart(6),
    String(answers).padStart(5),
    name,
  ]
  const whole = [
    `${name}: ${costText(cost_usd)}, ${answers} answers`,
    `tokens: ${usage.input} in, ${usage.output} out, ${usage.cache_read} read from caches, ${usage.cache_write} written to them`,
  ].join('\n')
  return rowOf({ id, leads, cells, widths: [12, 6, 5], whole, tone: null }, paint)
}

const logTones: Partial<Readonly<Record<TranscriptLine['kind'], Tone>>> = {
  person: 'bold',
  think: 'dim',
  error: 'red',
  sent: 'cyan',
  received: 'cyan',
  life: 'dim',
  warning: 'yellow',
}

function logRow({ at, owner, kind, head, text }: TranscriptLine, id: string, paint: Picture['paint']): Row {
  const said = [head, text].filter((each) => each.trim() !== '')
  const cells = [localTime(at).clock, owner, kind, said.join(': ')]
  const whole = [`${localTime(at).clock} ${owner} ${kind}${head === '' ? '' : `: ${head}`}`, '', text].join('\n')
  return rowOf({ id, leads: null, cells, widths: [8, 14, 8], whole, tone: logTones[kind] ?? null }, paint)
}
