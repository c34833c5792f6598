import type { Envelope } from '../../protocol/mail/envelope.ts'
import { personSender } from '../../protocol/words/ids.ts'
import { shortLine } from '../conversation/mail-frame.ts'

/** How long a worker that is to stop may take to save, finish or refuse, where nobody says otherwise. */
export const stopGraceMs = 10_000

/** The wish that a worker stops: whose, and why. */
interface Wish {
  /** A member, or `user`. */
  readonly by: string
  readonly reason: string
}

const whoWants = (by: string): string => (by === personSender ? 'A person' : by)

/**
 * The text for a worker that is asked to stop.
 * @param lead whom it tells that it goes on
 */
export function stopAskText({ by, reason }: Wish, lead: string, graceMs: number): string {
  return [
    `${whoWants(by)} asks you to stop within ${Math.ceil(graceMs / 1000)} s: ${reason}`,
    'To stop: save what is worth keeping and end your turn. What you say last is your result, finished or not.',
    `To go on: tell ${lead} why with SendMessage, now. Without that you are ended when the time is up.`,
  ].join('\n')
}

/** The text for the lead of a worker that a person stops. */
export function stoppedByPersonText(worker: string, reason: string, isAsked: boolean): string {
  const how = isAsked ? 'It is asked first, and may finish or refuse.' : 'It is ended now.'
  return `A person stops ${worker}: ${reason}. ${how} The others go on.`
}

/** The text for the sender of a mail that a stopped member will never read. */
export function returnedText(member: string, body: string): string {
  return `Returned: ${member} was stopped before it read this, and nobody will read it:\n${body}`
}

/** The same for a person who watches, in a line. */
export function returnedLine(member: string, { body }: Pick<Envelope, 'body'>): string {
  return `${member} was stopped before it read what you wrote: "${shortLine(body, 200)}"`
}
