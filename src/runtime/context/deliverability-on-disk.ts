import { join } from 'node:path'
import type { Deliverability } from '../../adapters/mailbox/send/outbox.ts'
import { journalCursor } from '../../adapters/sessions/journal-cursor.ts'
import { readMember } from '../../adapters/sessions/read-run.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import { lostText, stoppedText } from './deliverability.ts'

/**
 * Whether mail to a member would be read, for a process that does not lead its run: as the run directory says at the
 * moment of asking.
 */
export function deliverabilityOnDisk(dir: string): (member: string) => Deliverability {
  const journal = journalCursor(join(dir, 'journal', `${leaderName}.jsonl`))
  const lost = new Set<string>()
  return (member) => {
    for (const entry of journal.read().entries) {
      if (entry.type === 'member.lost') lost.add(entry.member)
      else if (entry.type === 'member.spawned') lost.delete(entry.member)
    }
    if (lost.has(member)) return { refuse: lostText(member) }
    return readMember(dir, member)?.state === 'gone' ? { note: stoppedText(member) } : null
  }
}
