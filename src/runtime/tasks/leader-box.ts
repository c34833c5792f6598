import { mailLogOf } from '../../adapters/mailbox/files/mail-log.ts'
import { createMailbox, type Mailbox } from '../../adapters/mailbox/mailbox.ts'
import type { Envelope } from '../../protocol/mail/envelope.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import { lifeAskIn, type LifeAsk } from '../../protocol/work/life-ask.ts'
import { agentId, leaderName } from '../../protocol/words/ids.ts'
import type { RunContext } from '../context/run-context.ts'
import type { TeamPast } from '../journals/team-journal.ts'

/** The leader's own mailbox: asks about tasks, and people's wishes that a member stops or begins again. */
export interface LeaderBox extends Pick<Mailbox, 'watch' | 'close'> {
  /** Takes what came; wishes about lives are handed on, asks about tasks returned. */
  receive(): readonly Envelope[]
}

interface LeaderBoxOptions {
  record(facts: readonly Fact[]): void
  crashed(error: unknown): void
  obey(ask: LifeAsk): void
}

/** Opens the leader's mailbox over the team's journal. Where a board asks for what came, nobody else does. */
export function openLeaderBox(
  { team, box, doorbell, seal }: RunContext,
  past: TeamPast,
  { record, crashed, obey }: LeaderBoxOptions,
): LeaderBox {
  const log = mailLogOf(record, past.mail)
  const from = agentId(leaderName, team.name)
  const mailbox = createMailbox({ ...box, owner: leaderName, from, log, doorbell, seal })
  const receive = (): readonly Envelope[] =>
    mailbox.receive().filter((mail) => {
      const ask = lifeAskIn(mail)
      if (ask) obey(ask)
      return ask === null
    })
  const rung = (): void =>
    queueMicrotask(() => {
      try {
        receive()
      } catch (error) {
        crashed(error)
      }
    })
  if (!team.tasks) mailbox.watch(rung)
  return { receive, watch: mailbox.watch, close: mailbox.close }
}
