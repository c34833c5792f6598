import type { Deliverability } from '../../adapters/mailbox/send/outbox.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { Broadcast } from '../actors/broadcast.ts'

/**
 * Whether mail to a member would be read, as the facts of a running team say: a member that was given up reads nothing
 * any more, one that left is started again for its mail, which its sender should know.
 */
export function deliverability(
  facts: Broadcast<Recorded>,
  earlier: readonly Recorded[] = [],
): (member: string) => Deliverability {
  const known = new Map<string, Deliverability>()
  const note = ({ owner, entry }: Recorded): void => {
    if (entry.type === 'member.lost') {
      known.set(entry.member, { refuse: lostText(entry.member) })
    } else if (entry.type === 'member.gone') {
      known.set(owner, { note: stoppedText(owner) })
    } else if (entry.type === 'member.started') {
      known.delete(owner)
    }
  }
  for (const recorded of earlier) note(recorded)
  facts.subscribe(note)
  return (member) => known.get(member) ?? null
}

export function lostText(member: string): string {
  return `${member} failed and is not started again: nobody would read this.`
}

export function stoppedText(member: string): string {
  return `${member} was stopped; it is started again to read this.`
}
