import type { FactOf } from '../protocol/fact.ts'

/** A request as far as a note needs it. */
export interface Gap {
  readonly request: string
  readonly worker: string
  readonly status: 'open' | FactOf<'request.settled'>['status']
}

/**
 * What the lead is told when a round of requests ends with something missing, so that no share is lost in
 * silence; `null` when every request was done.
 * @example gatherNote('timeout', [{ request: 'r1', worker: 'historian', status: 'timed_out' }])
 */
export function gatherNote(why: FactOf<'gather.settled'>['why'], requests: readonly Gap[]): string | null {
  const gaps = requests.filter(({ status }) => status !== 'done')
  if (gaps.length === 0) return null
  return [
    `The round of requests ended (${why}). Say in your answer what is missing:`,
    ...gaps.map(({ worker, request, status }) => `- ${worker} (${request}): ${wording[status]}`),
  ].join('\n')
}

const wording: Readonly<Record<Gap['status'], string>> = {
  open: 'no result yet',
  done: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  timed_out: 'no result in time',
}
