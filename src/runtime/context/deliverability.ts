import type { Deliverability } from '../../adapters/mailbox/send/outbox.ts'
import { hearing } from '../../projections/fold/fold.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { Broadcast } from '../actors/broadcast.ts'
import { join } from 'node:path'
import { journalCursor } from '../../adapters/sessions/journal-cursor.ts'
import { readMember } from '../../adapters/sessions/read-run.ts'
import { leaderName } from '../../protocol/words/ids.ts'

/**
 * Whether mail to a member would be read, as the facts of a running team say: a member that was given up reads nothing
 * any more, one that left is started again for its mail, which its sender should know.
 */
export function deliverability(
  facts: Broadcast<Recorded>,
  earlier: readonly Recorded[] = [],
): (member: string) => Deliverability {
  const known = new Map<string, Deliverability>()
  const note = hearing({
    'member.lost': ({ member }) => void known.set(member, { refuse: lostText(member) }),
    'member.gone': (_, owner) => void known.set(owner, { note: stoppedText(owner) }),
    'member.started': (_, owner) => void known.delete(owner),
  })
  for (const recorded of earlier) note(recorded)
  facts.subscribe(note)
  return (member) => known.get(member) ?? null
}

function lostText(member: string): string {
  return `${member} failed and is not started again: nobody would read this.`
}

function stoppedText(member: string): string {
  return `${member} was stopped; it is started again to read this.`
}

/**
 * Whether mail to a member would be read, for a process that does not lead its run: as the run directory says at the
 * moment of asking.
 */
export function deliverabilityOnDisk(dir: string): (member: string) => Deliverability {
  const journal = journalCursor(join(dir, 'journal', `${leaderName}.jsonl`))
  const lost = new Set<string>()
  return (member) => {
    journal.each((entry) => {
      if (entry.type === 'member.lost') lost.add(entry.member)
      else if (entry.type === 'member.spawned') lost.delete(entry.member)
    })
    if (lost.has(member)) return { refuse: lostText(member) }
    return readMember(dir, member)?.state === 'gone' ? { note: stoppedText(member) } : null
  }
}
