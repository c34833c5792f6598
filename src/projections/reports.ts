import type { Recorded } from '../protocol/entry.ts'
import type { Envelope } from '../protocol/envelope.ts'
import { memberName } from '../protocol/ids.ts'
import { foldOver, getOrMake, ignore, type EntryOf } from './fold.ts'

/** Calls of one tool: how many ended, and how many of them badly. */
interface Uses {
  calls: number
  errors: number
}

/** What is known of the work on one request. */
export interface Report {
  /** The latest result that was sent; null while there is none. */
  result: Envelope | null
  /** What its worker did for it so far, by tool. */
  readonly uses: Map<string, Uses>
  /** What came of the latest check of its work; null while nothing checked it. */
  check: { readonly command: string; readonly verdict: EntryOf<'verify.settled'>['verdict'] } | null
}

export interface Reports {
  readonly of: Map<string, Report>
  /** By worker: the requests that it is working on. */
  readonly underway: Map<string, Set<string>>
}

export function emptyReports(): Reports {
  return { of: new Map(), underway: new Map() }
}

/**
 * The work on a request as the tools know it and the worker need not be asked: `Read 3, Bash 2 (1 failed)`.
 * @returns undefined for a request that nobody has begun
 */
export function evidenceOf({ of }: Reports, request: string): string | undefined {
  const report = of.get(request)
  if (!report) return undefined
  const { uses, check } = report
  const used = [...uses].map(([tool, { calls, errors }]) => `${tool} ${calls}${errorsText(errors)}`)
  const checked = check === null ? [] : [`check \`${check.command}\` ${checkWords[check.verdict]}`]
  return [...(used.length === 0 ? ['no tool was used'] : used), ...checked].join(', ')
}

const checkWords = { passed: 'passed', failed: 'did not pass', not_run: 'was not run' } as const

function errorsText(errors: number): string {
  return errors === 0 ? '' : ` (${errors} failed)`
}

/** Follows all journals of a run. A worker that has several requests at once is credited with its calls for each. */
export const applyReports: (state: Reports, recorded: Recorded) => void = foldOver<Reports, 'mail' | 'call' | 'work'>({
  'mail.sent'({ of, underway }, { envelope }, owner) {
    const { kind, request } = envelope
    if (kind !== 'result' || request === undefined) return
    getOrMake(of, request, emptyReport).result = envelope
    underway.get(owner)?.delete(request)
  },
  'mail.received'({ of, underway }, { envelope }) {
    const { kind, request, to } = envelope
    if (kind !== 'task' || request === undefined) return
    of.set(request, emptyReport())
    getOrMake(underway, memberName(to), () => new Set<string>()).add(request)
  },
  'mail.died': ignore,
  'member.replied': ignore,
  'call.started': ignore,
  'call.finished'({ of, underway }, { tool, is_error }, owner) {
    for (const request of underway.get(owner) ?? []) {
      const uses = getOrMake(getOrMake(of, request, emptyReport).uses, tool, () => ({ calls: 0, errors: 0 }))
      uses.calls += 1
      if (is_error) uses.errors += 1
    }
  },
  'model.escalated': ignore,
  'plan.entered': ignore,
  'plan.approved': ignore,
  'verify.started': ignore,
  'verify.settled'({ of, underway }, { command, verdict }, owner) {
    for (const request of underway.get(owner) ?? []) {
      getOrMake(of, request, emptyReport).check = { command, verdict }
    }
  },
})

function emptyReport(): Report {
  return { result: null, uses: new Map(), check: null }
}
