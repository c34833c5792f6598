import type { MailDraft } from '../../protocol/mail/envelope.ts'
import { agentId } from '../../protocol/words/ids.ts'
import { withdrawTasks } from '../../adapters/mailbox/send/withdraw.ts'
import {
  applyWaits,
  emptyWaits,
  hasAtHand,
  nextDeadline,
  overdueParts,
  strayParts,
  vainWaits,
  waitingFor,
  type OpenPart,
  type TeamWaits,
} from '../../projections/team/waits.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
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
  /** No more is looked after. */
  end(): void
}

/** The acts that follow from waits. */
interface WaitActs {
  /** Sends mail in the lead's name; a box that takes nothing more belongs to a member that has enough to read. */
  send(mail: MailDraft): void
  record(facts: readonly Fact[]): void
}

/**
 * Follows who waits for whom, tells those who wait in vain, and calls off the parts of work that nobody waits for any more.
 * It looks when all that follows from a fact at once has happened: a piece that is handed out in the same moment is no end.
 */
export function watchWaits(context: WatchedRun, acts: WaitActs): WaitWatch {
  const { team, clock, facts, earlier } = context
  const waits = emptyWaits(team.coordinator, new Map(team.members.map(({ name, card }) => [name, card])))
  for (const recorded of earlier.recorded) applyWaits(waits, recorded)
  const told = new Set<string>()
  let [timer, alarm]: unknown[] = [null, null]
  const once = (key: string, act: () => void): void => {
    if (told.has(key)) return
    told.add(key)
    act()
  }
  const look = (): void => {
    timer = null
    const now = clock.now()
    for (const { member, wait, text: body } of [...vainWaits(waits), ...overdueParts(waits, now)])
      once(`release:${member}:${wait}`, () =>
        acts.send({
          to: agentId(member, team.name),
          kind: 'control',
          reply_to: wait,
          body,
          key: `release:${member}:${wait}`,
        }),
      )
    for (const part of strayParts(waits)) once(`recall:${part.mail}`, () => callOff(context, waits, { part, acts }))
    clock.clearTimeout(alarm)
    const next = nextDeadline(waits)
    alarm = next === null ? null : clock.setTimeout(look, Math.max(1, next - now))
  }
  const hasParts = (): boolean => waits.parts.size > 0
  if (hasParts()) timer = clock.setTimeout(look, 0)
  facts.subscribe((recorded) => {
    applyWaits(waits, recorded)
    if (stills.has(recorded.entry.type) || hasParts()) timer ??= clock.setTimeout(look, 0)
  })
  const end = (): void => [timer, alarm].forEach((id) => clock.clearTimeout(id))
  return { of: (member) => waitingFor(waits, member), end }
}

/** The run whose waits are watched. */
type WatchedRun = Pick<RunContext, 'team' | 'clock' | 'facts' | 'earlier' | 'run'>

/** An unread part is taken out of the box of its doer; who works on it is told. Nobody is started for that. */
function callOff(
  { team, run }: WatchedRun,
  waits: TeamWaits,
  { part, acts }: { readonly part: OpenPart; readonly acts: WaitActs },
): void {
  const { by, to, request, mail } = part
  const unread = withdrawTasks(run.mail, { sender: by, to, requests: [request] })
  acts.record(unread.map(({ fact }) => fact))
  const atHand = hasAtHand(waits, part)
  if (unread.length > 0 || atHand === null) return
  const priority = atHand ? 'interrupt' : 'normal'
  const body = `${by} does not work on that any more`
  acts.send({
    to: agentId(to, team.name),
    kind: 'control',
    priority,
    body,
    request,
    reply_to: mail,
    key: `recall:${mail}`,
  })
}
