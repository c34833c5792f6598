import type { Entry, Recorded } from '../../../src/protocol/facts/entry.ts'
import { memberName } from '../../../src/protocol/words/ids.ts'
import { callsOf, textOf, type Message } from '../../../src/protocol/conversation/message.ts'
import type { RunResult } from '../../../src/protocol/team/run.ts'

/**
 * A run as a text that is the same every time: what the team's journal says of requests, then each member's story, without
 * ids and times. Of what comes from several members at once only the set is told: its lines are sorted.
 */
export function goldenTranscript(recorded: readonly Recorded[], { status, reason, result }: RunResult): string {
  const owners = [...new Set(recorded.map(({ owner }) => owner))].toSorted(byPlace)
  const stories = owners.flatMap((owner) => {
    const lines = recorded.flatMap((each) => (each.owner === owner ? lineOf(each.entry) : []))
    // A run that breaks off does so at any moment of its members' rest, and before or after they read their mail.
    const told = status === 'failed' ? lines.filter((line) => !/^(rests|gets result)/.test(line)) : lines
    return lines.length === 0
      ? []
      : [owner, ...steady(told.filter((_, place) => !isBetweenTasks(told, place))).map((line) => `  ${line}`), '']
  })
  const requests = requestsIn(recorded).length
  const end = `${status} (${reason})`
  return [`model requests: ${requests}`, `ended: ${tidy(end)}`, `result: ${tidy(result ?? '-')}`, '', ...stories].join(
    '\n',
  )
}

/** Who asked a model, request by request; what a budget refused was never sent. */
export function requestsIn(recorded: readonly Recorded[]): readonly string[] {
  const owners: string[] = []
  for (const { owner, entry } of recorded) {
    if (entry.type === 'model.requested') owners.push(owner)
    if (entry.type === 'budget.exhausted') owners.splice(owners.lastIndexOf(owner), 1)
  }
  return owners
}

/** The team first, its lead next, workers by number. */
function byPlace(a: string, b: string): number {
  const rank = (name: string): number => ['team', 'lead'].indexOf(name) >>> 0
  return rank(a) - rank(b) || a.localeCompare(b, 'en', { numeric: true })
}

function lineOf(entry: Entry): readonly string[] {
  switch (entry.type) {
    case 'request.held':
      return [`${entry.request} for ${entry.worker} waits for ${entry.depends_on.join(', ') || 'another to end'}`]
    case 'request.opened':
      return [`${entry.request} to ${entry.worker}${entry.attempt > 1 ? `, attempt ${entry.attempt}` : ''}`]
    case 'request.settled':
      return [`${entry.request} of ${entry.worker} ${entry.status}${because(entry.reason)}`]
    case 'gather.settled':
      return [`gathered: ${entry.why}`]
    case 'coordinator.moved':
      return [`coordinator ${entry.state}: ${entry.tools.join(' ') || 'no tools'}`]
    case 'model.requested':
      return ['asks its model']
    case 'message.appended':
      return spoken(entry.message)
    case 'mail.received': {
      const { kind, from, request = '', status = '', body } = entry.envelope
      return [`gets ${[kind, request, status].filter(Boolean).join(' ')} from ${nameOf(from)}: ${tidy(body)}`]
    }
    case 'model.escalated':
      return [`turns to another model (${entry.trigger})${because(entry.reason)}`]
    case 'model.consulted':
      return [`asks another model: ${entry.purpose}`]
    case 'verify.settled':
      return [`check after ${entry.after}: ${entry.verdict}${because(entry.reason)}`]
    case 'turn.continued':
      return told.has(entry.reason) ? [`goes on: ${entry.reason}`] : []
    case 'agent.ended':
      return [`ends: ${entry.reason}`]
    case 'member.idled':
      return [`rests: ${[entry.reason ?? '?', ...(entry.waiting_for ?? [])].join(' ')}`]
    case 'member.lost':
      return [`${entry.member} is lost`]
    case 'member.refused':
      return [`${entry.member} is not started (${entry.limit}): ${entry.reason}`]
    case 'budget.warned':
      return [`four fifths of the ${entry.scope}'s ${entry.unit} are used`]
    case 'budget.exhausted':
      return [`the ${entry.scope}'s ${entry.unit} are used up${entry.last ? ', not even a report fits' : ''}`]
    case 'warning.raised':
      return [`warns: ${entry.code}: ${tidy(entry.message)}`]
    case 'event.dropped':
      return [`${entry.type}: ${JSON.stringify(entry)}`]
    default:
      return []
  }
}

/** The reasons to go on that nothing else in a transcript shows. */
const told: ReadonlySet<string> = new Set(['verify_failed', 'escalated'])

function spoken(message: Message): readonly string[] {
  if (message.role === 'user') return [`is told: ${tidy(textOf(message))}`]
  if (message.role === 'tool') {
    return message.results.map((result) => `${result.is_error ? 'error' : 'result'}: ${tidy(textOf(result))}`)
  }
  const text = textOf(message)
  const calls = callsOf(message).map(({ name, input }) => `calls ${name} ${JSON.stringify(input)}`)
  return text === '' && calls.length > 0 ? calls : [`says: ${tidy(text)}`, ...calls]
}

function nameOf(from: string): string {
  return from.includes('@') ? memberName(from as `${string}@${string}`) : from
}

function because(reason: string | undefined): string {
  return reason === undefined ? '' : `: ${tidy(reason)}`
}

/** One line, without what differs from run to run, and without the status of a refusal, which scripts do not have. */
function tidy(text: string): string {
  return text
    .replaceAll(/(?<=\bfailed: )5\d\d /g, '')
    .replaceAll(/\/\S*troupe-(?:runtime|cli)-\w+/g, '<cwd>')
    .replaceAll(/\s*\n\s*/g, ' ⏎ ')
    .replaceAll(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, '<id>')
}

const crowd = /^(?:r\d+ (?:of|to) |gets result )/

/** Whether a member comes to rest between two pieces of work is a matter of a moment. */
function isBetweenTasks(lines: readonly string[], place: number): boolean {
  return lines[place] === 'rests: nothing_to_do' && /^gets (?:task|question) /.test(lines[place + 1] ?? '')
}

/** Neighbours that may come in any order, in one order; a progress that several results settled is told once. */
function steady(lines: readonly string[]): readonly string[] {
  const steadied: string[] = []
  const group: string[] = []
  const kindOf = (line: string | undefined): string => (line?.startsWith('gets') ? 'gets' : (line?.split(' ')[1] ?? ''))
  const close = (): void =>
    void steadied.push(...group.splice(0).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })))
  for (const line of lines) {
    if (!crowd.test(line) || (group.length > 0 && kindOf(group[0]) !== kindOf(line))) close()
    if (crowd.test(line)) group.push(line)
    else steadied.push(line)
  }
  close()
  return steadied
}
