import type { CoordinatorEvent } from '../../../machines/coordinator/coordinator.ts'
import { hearing, type EntryOf } from '../../projections/fold/fold.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { Envelope } from '../../protocol/mail/envelope.ts'

/** A result or answer that was sent and will never be read. */
export interface DeadResult {
  readonly envelope: Envelope
  readonly died: EntryOf<'mail.died'>
}

type ResultReceived = Extract<CoordinatorEvent, { type: 'result.received' }>

/** Results that were given up, as far as a run has come. */
export function deadResultsIn(recorded: readonly Recorded[]): readonly DeadResult[] {
  const dead: DeadResult[] = []
  const follow = followResults((result) => dead.push(result))
  for (const each of recorded) follow(each)
  return dead
}

/**
 * Tells of results that are given up from now on.
 * @param earlier what was recorded before somebody leads the run on: some of it may be on its way still
 */
export function deadResults(
  earlier: readonly Recorded[],
  tell: (dead: DeadResult) => void,
): (recorded: Recorded) => void {
  let isEarlier = true
  const follow = followResults((dead) => {
    if (!isEarlier) tell(dead)
  })
  for (const recorded of earlier) follow(recorded)
  isEarlier = false
  return follow
}

/** For the coordinator it is the end of its request. */
export function endOfRequest({ envelope: { request }, died: { reason, at } }: DeadResult): ResultReceived | null {
  return request === undefined ? null : { type: 'result.received', request, status: 'failed', reason, at }
}

/**
 * Follows results on their way: what its sender's journal says was sent and its recipient's says had to be given up.
 * The file itself is not believed; it may be torn or forged.
 */
function followResults(tell: (dead: DeadResult) => void): (recorded: Recorded) => void {
  const inFlight = new Map<string, Envelope>()
  return hearing({
    'mail.sent'({ envelope }) {
      if (envelope.kind === 'result' || envelope.kind === 'answer') inFlight.set(envelope.id, envelope)
    },
    'mail.received': ({ envelope }) => void inFlight.delete(envelope.id),
    'mail.died'(died) {
      const envelope = inFlight.get(died.mail_id ?? '')
      if (envelope) tell({ envelope, died })
    },
  })
}

/** The message to the coordinator about a result that could not be delivered. */
export function deadResultText({ envelope, died }: DeadResult): string {
  const { from, to, kind, id } = envelope
  return `The ${kind} ${id} from ${from} to ${to} could not be delivered: ${died.reason}. Ask ${from} again if it is needed.`
}
