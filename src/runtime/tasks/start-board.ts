import { mailLogOf } from '../../adapters/mailbox/files/mail-log.ts'
import { createMailbox } from '../../adapters/mailbox/mailbox.ts'
import { hearing } from '../../projections/fold/fold.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import { agentId, leaderName } from '../../protocol/words/ids.ts'
import type { TaskPolicy } from '../../protocol/work/task.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import type { TeamPast } from '../journals/team-journal.ts'
import type { RunContext } from '../context/run-context.ts'
import { checkEvidence, type EvidenceOptions } from './check-evidence.ts'
import { openBoard, type RunningBoard } from './open-board.ts'

/** Parts of the leader that the board uses. */
export interface StartBoardOptions {
  /** Journals facts in the team's journal and tells the world. */
  record(facts: readonly Fact[]): void
  crashed(error: unknown): void
  /** The past, as the team's journal tells it. */
  readonly past: TeamPast
}

/** Opens the task board and the leader's mailbox that feeds it. */
export function startBoard(
  context: RunContext,
  policy: TaskPolicy,
  { record, crashed, past }: StartBoardOptions,
): RunningBoard {
  const { team, run, clock, facts, box, doorbell, seal } = context
  const log = mailLogOf(record, past.mail)
  const from = agentId(leaderName, team.name)
  const mailbox = createMailbox({ ...box, owner: leaderName, from, log, doorbell, seal })
  const plan = evidenceGround(context, (task) => board.answers.board.heldSince.get(task) ?? 0)
  const board = openBoard({
    policy,
    dir: run.dir,
    clock,
    facts,
    record,
    crashed,
    past,
    receive: () => mailbox.receive(),
    check: (input, signal) => checkEvidence(input, plan, signal),
  })
  mailbox.watch(board.rung)
  board.rung()
  const crashedNow = ({ member }: { readonly member: string }): void => board.lost(member, `${member} crashed`)
  const unfollow = facts.subscribe(
    hearing({
      'member.gone': (_, owner) => board.lost(owner, `${owner} is gone`),
      'member.crashed': crashedNow,
      'member.lost': crashedNow,
    }),
  )
  return {
    ...board,
    close() {
      unfollow()
      board.close()
      mailbox.close()
    },
  }
}

function evidenceGround(
  { workplace, home, env, team, policy, run }: RunContext,
  claimedAt: (task: number) => number,
): EvidenceOptions {
  const cardOf = (member: string): MemberCard => {
    const card = team.members.find(({ name }) => name === member)
    if (!card) throw new Error(`${member} is no member of ${team.name}`)
    return card
  }
  return {
    cwd: (member) => workplace(cardOf(member)).cwd,
    home,
    env,
    claimedAt,
    journalFile: run.journalFile,
    policy: (member) => policy(cardOf(member)),
  }
}
