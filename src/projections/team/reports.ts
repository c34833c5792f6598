import type { Entry, Recorded } from '../../protocol/facts/entry.ts'
import type { Envelope } from '../../protocol/mail/envelope.ts'
import { exitText } from '../../rules/shell/walk/exit-signal.ts'
import { emptyTasks, isTask, nextTask, type TaskQueue } from '../../rules/conversation/task-queue.ts'
import { foldOver, getOrMake, ignore, type EntryOf } from '../fold/fold.ts'

/** Calls of one tool that ended: how many, how many of them badly, and with which exit codes. */
interface Uses {
  calls: number
  errors: number
  /** Calls that were not permitted. */
  denied: number
  readonly failed: Set<number>
  /** Calls that ended with a code that is an answer, and those codes. */
  answered: number
  readonly answers: Set<number>
}

/** The known work on one request. */
export interface Report {
  /** The latest result that was sent; null while there is none. */
  result: Envelope | null
  /** Calls of the worker for the request so far, by tool. */
  readonly uses: Map<string, Uses>
  /** The latest check of the work; null before the first one. */
  check: { readonly command: string; readonly verdict: EntryOf<'verify.settled'>['verdict'] } | null
}

export interface Reports {
  readonly of: Map<string, Report>
  /** By worker: what it works on, and what waits there. */
  readonly tasks: Map<string, TaskQueue>
  /** Calls that were not permitted and have not ended yet. */
  readonly denied: Set<string>
}

export function emptyReports(): Reports {
  return { of: new Map(), tasks: new Map(), denied: new Set() }
}

/**
 * The work on a request as the tools know it and the worker need not be asked: `Read 3, Bash 2 (1 failed: exit 1)`.
 * @returns undefined for a request that nobody has begun
 */
export function evidenceOf({ of }: Reports, request: string): string | undefined {
  const report = of.get(request)
  if (!report) return undefined
  const { uses, check } = report
  const used = [...uses].map(([tool, of]) => `${tool} ${of.calls}${endsText(of)}`)
  const checked = check === null ? [] : [`check \`${check.command}\` ${checkWords[check.verdict]}`]
  return [...(used.length === 0 ? ['no tool was used'] : used), ...checked].join(', ')
}

const checkWords = { passed: 'passed', failed: 'did not pass', not_run: 'was not run' } as const

function endsText({ errors, denied, failed, answered, answers }: Uses): string {
  const codes = failed.size === 0 ? '' : `: ${[...failed].map(exitText).join(', ')}`
  const ends = [
    ...(errors === 0 ? [] : [`${errors} failed${codes}`]),
    ...(denied === 0 ? [] : [`${denied} denied`]),
    ...(answered === 0 ? [] : [`${answered} with exit ${[...answers].join(', ')}`]),
  ]
  return ends.length === 0 ? '' : ` (${ends.join('; ')})`
}

/** Follows all journals of a run. What a worker does is credited to the request that it has at hand. */
export const applyReports: (state: Reports, recorded: Recorded) => void = foldOver<
  Reports,
  'mail' | 'call' | 'permission' | 'work'
>({
  'mail.sent'({ of }, { envelope }) {
    const { kind, request } = envelope
    if (kind !== 'result' || request === undefined) return
    const report = getOrMake(of, request, emptyReport)
    report.result = withAmendment(report.result, envelope)
  },
  'mail.received'(reports, entry, owner) {
    const { envelope } = entry
    if (isTask(envelope) && envelope.request !== undefined) reports.of.set(envelope.request, emptyReport())
    turn(reports, entry, owner)
  },
  'mail.handled': ignore,
  'mail.died': ignore,
  'member.replied': turn,
  'call.started': ignore,
  'permission.requested': ignore,
  'permission.decided'({ denied }, { call_id, decision: { behavior } }, owner) {
    if (behavior === 'deny') denied.add(`${owner} ${call_id}`)
  },
  'call.finished'(reports, { call_id, tool, is_error, exit, skipped = false }, owner) {
    const wasDenied = reports.denied.delete(`${owner} ${call_id}`)
    const report = atHand(reports, owner)
    if (!report || skipped) return
    const uses = getOrMake(report.uses, tool, noUses)
    uses.calls += 1
    if (wasDenied) uses.denied += 1
    else if (is_error || exit?.failed === true) uses.errors += 1
    if (exit !== undefined && exit.failed) uses.failed.add(exit.code)
    if (exit === undefined || exit.failed) return
    uses.answered += 1
    uses.answers.add(exit.code)
  },
  'model.escalated': ignore,
  'skill.opened': ignore,
  'plan.entered': ignore,
  'plan.approved': ignore,
  'todos.changed': ignore,
  'verify.started': ignore,
  'verify.settled'(reports, { command, verdict }, owner) {
    const report = atHand(reports, owner)
    if (report) report.check = { command, verdict }
  },
})

function turn({ tasks }: Reports, entry: Entry, owner: string): void {
  nextTask(getOrMake(tasks, owner, emptyTasks), entry)
}

function withAmendment(before: Envelope | null, { amends, ...envelope }: Envelope): Envelope {
  if (before === null || !amends) return envelope
  return { ...envelope, body: `${before.body}\n\n[Added later]\n${envelope.body}` }
}

/** Of the request that a worker works on; undefined when it works on none. */
function atHand({ of, tasks }: Reports, owner: string): Report | undefined {
  const request = tasks.get(owner)?.atHand?.envelope.request
  return request === undefined ? undefined : getOrMake(of, request, emptyReport)
}

function noUses(): Uses {
  return { calls: 0, errors: 0, denied: 0, failed: new Set(), answered: 0, answers: new Set() }
}

function emptyReport(): Report {
  return { result: null, uses: new Map(), check: null }
}
