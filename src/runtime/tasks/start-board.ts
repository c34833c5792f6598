import { fromPromise } from 'xstate'
import { taskMachine } from '../../../machines/task/task.ts'
import { writeTask } from '../../adapters/sessions/task-file.ts'
import { hearing } from '../../projections/fold/fold.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { CheckEvidenceInput, CheckEvidenceOutput } from '../../protocol/work/task-port.ts'
import type { TaskPolicy } from '../../protocol/work/task.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import type { TeamPast } from '../journals/team-journal.ts'
import type { LifeAsk } from '../../protocol/work/life-ask.ts'
import { openLeaderBox, type LeaderBox } from './leader-box.ts'
import type { RunContext } from '../context/run-context.ts'
import { perSystem, spawnRoot } from '../actors/spawn.ts'
import { checkEvidence, type EvidenceOptions } from './check-evidence.ts'
import { openBoard, type RunningBoard } from './open-board.ts'

/** Parts of the leader that the board uses. */
interface StartBoardOptions {
  /** Journals facts in the team's journal and tells the world. */
  record(facts: readonly Fact[]): void
  crashed(error: unknown): void
  /** The past, as the team's journal tells it. */
  readonly past: TeamPast
  /** Where asks come. */
  readonly box: Pick<LeaderBox, 'receive' | 'watch'>
}

/**
 * Opens the leader's mailbox, where asks of members and people come, and the board that rules on those about tasks, where
 * the team has one.
 */
export function openDesk(
  context: RunContext,
  past: TeamPast,
  parts: Pick<StartBoardOptions, 'record' | 'crashed'> & { obey(ask: LifeAsk): void },
): { readonly box: LeaderBox; readonly board: RunningBoard | null } {
  const { tasks } = context.team
  const box = openLeaderBox(context, past, parts)
  return { box, board: tasks ? startBoard(context, tasks, { ...parts, past, box }) : null }
}

/** Opens the task board, which the leader's mailbox feeds. */
function startBoard(
  context: RunContext,
  policy: TaskPolicy,
  { record, crashed, past, box }: StartBoardOptions,
): RunningBoard {
  const { run, clock, facts } = context
  const plan = evidenceGround(context, (task) => board.answers.board.heldSince.get(task) ?? 0)
  const board = openBoard({
    policy,
    clock,
    facts,
    record,
    crashed,
    past,
    receive: box.receive,
    publish: (task) => writeTask(run.dir, task),
    spawn: (input) =>
      spawnRoot<typeof providedTask>(providedTask, input, {
        id: `task-${input.task}`,
        clock,
        record,
        crashed,
        bind: (actor) => taskPorts.bind(actor, { check: (given, signal) => checkEvidence(given, plan, signal) }),
      }),
  })
  box.watch(board.rung)
  board.rung()
  const unfollow = facts.subscribe(losses(board))
  return {
    ...board,
    close() {
      unfollow()
      board.close()
    },
  }
}

/** Tells a board whose claims end. */
export function losses({ lost }: Pick<RunningBoard, 'lost'>): (recorded: Recorded) => void {
  const crashed = ({ member }: { readonly member: string }): void => lost(member, `${member} crashed`)
  return hearing({
    'member.gone': (_, owner) => lost(owner, `${owner} is gone`),
    'member.crashed': crashed,
    'member.stopped': ({ member }) => lost(member, `${member} was stopped`),
    'member.lost': crashed,
  })
}

/** The acts behind the ports of a task's machine. */
interface TaskPorts {
  check(input: CheckEvidenceInput, signal: AbortSignal): Promise<CheckEvidenceOutput>
}

const taskPorts = perSystem<TaskPorts>()

/** The task machine with its port wired. */
const providedTask = taskMachine.provide({
  actors: {
    check: fromPromise<CheckEvidenceOutput, CheckEvidenceInput>(({ input, system, signal }) =>
      taskPorts.of(system).check(input, signal),
    ),
  },
})

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
