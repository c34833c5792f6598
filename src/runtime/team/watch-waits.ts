import type { MailDraft } from '../../protocol/mail/envelope.ts'
import { agentId } from '../../protocol/words/ids.ts'
import { applyWaits, emptyWaits, vainWaits, waitingFor } from '../../projections/team/waits.ts'
import type { Entry } from '../../protocol/facts/entry.ts'
import type { RunContext } from '../context/run-context.ts'

/** Facts after which nobody may move any more. A worker may rest before the leader has stated that its task is out. */
const stills = new Set<Entry['type']>([
  'request.opened',
  'member.idled',
  'agent.parked',
  'member.gone',
  'member.lost',
  'member.refused',
  'request.settled',
  'mail.died',
])

/** The waits of a run, for the leader. */
export interface WaitWatch {
  /** The members that one waits for. */
  of(member: string): readonly string[]
}

/**
 * Follows who waits for whom, and tells those who wait in vain. It looks when all that follows from a fact at once has
 * happened: a piece that is handed out in the same moment is no end.
 * @param send sends mail in the lead's name; a box that takes nothing more belongs to a member that has enough to read
 */
export function watchWaits(
  { team, clock, facts, earlier }: Pick<RunContext, 'team' | 'clock' | 'facts' | 'earlier'>,
  send: (mail: MailDraft) => void,
): WaitWatch {
  const waits = emptyWaits(team.coordinator, new Map(team.members.map(({ name, card }) => [name, card])))
  for (const recorded of earlier.recorded) applyWaits(waits, recorded)
  const told = new Set<string>()
  let timer: unknown = null
  const look = (): void => {
    timer = null
    for (const { member, wait, text: body } of vainWaits(waits)) {
      const key = `release:${member}:${wait}`
      if (told.has(key)) continue
      told.add(key)
      send({ to: agentId(member, team.name), kind: 'control', reply_to: wait, body, key })
    }
  }
  facts.subscribe((recorded) => {
    applyWaits(waits, recorded)
    if (stills.has(recorded.entry.type)) timer ??= clock.setTimeout(look, 0)
  })
  return { of: (member) => waitingFor(waits, member) }
}
