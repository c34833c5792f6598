import { hearing } from '../../projections/fold/fold.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { Restriction } from '../../protocol/permissions/restriction.ts'

/** The restrictions of requests as they were asked for: later attempts, and what was held, carry the same. */
export function boundRequests(lead: string): {
  hear(recorded: Recorded): void
  of(request: string): readonly Restriction[]
} {
  const bound = new Map<string, readonly Restriction[]>()
  const note = (request: string, restrictions: readonly Restriction[] = []): void => {
    if (restrictions.length > 0) bound.set(request, restrictions)
  }
  return {
    hear: hearing({
      'request.held': ({ request, restrictions }) => note(request, restrictions),
      'mail.sent'({ envelope: { kind, request, restrictions } }, owner) {
        if (owner === lead && kind === 'task' && request !== undefined) note(request, restrictions)
      },
    }),
    of: (request) => bound.get(request) ?? [],
  }
}
