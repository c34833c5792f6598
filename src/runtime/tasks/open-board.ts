import type { Actor } from 'xstate'
import type { taskMachine, TaskEvent, TaskInput } from '../../../machines/task/task.ts'
import { taskEnding, isUnfinished, type TaskBoard } from '../../projections/team/task-board.ts'
import type { EntryOf } from '../../projections/fold/fold.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { Envelope } from '../../protocol/mail/envelope.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import type { BoardTask, TaskPolicy } from '../../protocol/work/task.ts'
import type { TeamPast } from '../journals/team-journal.ts'
import type { Broadcast } from '../actors/broadcast.ts'
import type { Clock } from '../actors/clock.ts'
import { tell } from '../actors/spawn.ts'
import { ruleOn, type MayCreate } from './rule-on.ts'
import { taskAnswers, type TaskAnswers } from '../reach/task-answers.ts'

interface BoardOptions {
  readonly policy: TaskPolicy
  readonly clock: Pick<Clock, 'now'>
  readonly facts: Broadcast<Recorded>
  /** Journals a fact in the team's journal and tells the world. */
  record(facts: readonly Fact[]): void
  crashed(error: unknown): void
  /** The board in the team's journal; it goes on with each line that is written. */
  readonly past: Pick<TeamPast, 'board' | 'asks'>
  /** Takes the mail that came for the leader into its journal. */
  receive(): readonly Envelope[]
  readonly mayCreate?: MayCreate
  /** Shows a task, as it stands now, to other processes. */
  publish(task: BoardTask): void
  /** Starts the machine of a task. */
  spawn(input: TaskInput): Actor<typeof taskMachine>
}

/** The running task board of one team. */
export interface RunningBoard {
  readonly answers: TaskAnswers
  /** Mail for the leader may have come. */
  rung(): void
  /** A member is gone or lost: what it held is free again. */
  lost(member: string, reason: string): void
  /** Tasks that somebody still has to do something about. */
  unfinished(): readonly BoardTask[]
  close(): void
}

/**
 * The board in the leader's process: one actor per task, asks in, facts out. What it knows is a fold of the team's journal,
 * so that a board that is opened again goes on where it stood, asks without an answer included.
 */
export function openBoard(parts: BoardOptions): RunningBoard {
  const { facts, past, clock, record } = parts
  const { board, asks } = past
  const answers = taskAnswers(board, facts)
  const tasks = taskActors(board, parts)
  const show = (task: BoardTask | undefined): void => {
    if (task) parts.publish(task)
  }
  const unfollow = facts.subscribe(({ owner, entry }) => {
    if (owner !== leaderName) return
    if (entry.type === 'task.finished') tasks.ended(entry)
    if ('task' in entry && typeof entry.task === 'number') show(board.tasks.get(entry.task))
  })
  const answer = (envelope: Envelope): void => {
    const { mayCreate } = parts
    const ruling = ruleOn(envelope, { board, at: clock.now(), ...(mayCreate ? { mayCreate } : {}) })
    if ('event' in ruling) {
      tasks.tell(ruling.task, ruling.event)
      return
    }
    record([ruling.fact])
    if (ruling.fact.type === 'task.created') tasks.start(ruling.fact.task)
  }
  for (const task of board.tasks.values()) {
    show(task)
    if (isUnfinished(task)) tasks.start(task.task)
  }
  for (const ask of asks.values()) answer(ask)
  return {
    answers,
    rung: () => queueMicrotask(() => takeAsks(parts, answer)),
    lost: (member, reason) => tasks.tellAll({ type: 'member.lost', member, reason, at: clock.now() }),
    unfinished: () => [...board.tasks.values()].filter(isUnfinished),
    close() {
      unfollow()
      tasks.close()
    },
  }
}

/** A ring may come in the middle of a fact that is still being told, so this is called after it. */
function takeAsks({ receive, crashed }: BoardOptions, answer: (envelope: Envelope) => void): void {
  try {
    receive().forEach(answer)
  } catch (error) {
    crashed(error)
  }
}

/** The actors of the tasks that are not over, by number. */
function taskActors(board: TaskBoard, parts: BoardOptions) {
  const actors = new Map<number, ReturnType<typeof startTask>>()
  const tellOne = (task: number, event: TaskEvent): void => {
    const actor = actors.get(task)
    if (actor) tell(actor, event)
  }
  return {
    start(id: number): void {
      const task = board.tasks.get(id)
      if (!task) return
      actors.set(id, startTask(task, board.lapsed.get(id) ?? [], parts))
      // An earlier leader may have died before it stated the consequences of these ends.
      for (const blocker of task.blocked_by) {
        const ended = board.tasks.get(blocker)
        const status = ended ? taskEnding(ended) : null
        if (status !== null) tellOne(id, { type: 'blocker.ended', task: blocker, status, at: parts.clock.now() })
      }
    },
    tell: tellOne,
    tellAll(event: TaskEvent): void {
      for (const actor of actors.values()) tell(actor, event)
    },
    ended({ task, status, at }: EntryOf<'task.finished'>): void {
      actors.delete(task)
      for (const other of board.tasks.values()) {
        if (other.blocked_by.includes(task)) tellOne(other.task, { type: 'blocker.ended', task, status, at })
      }
    },
    close(): void {
      for (const actor of actors.values()) actor.stop()
    },
  }
}

function startTask(task: BoardTask, unaware: readonly string[], parts: BoardOptions) {
  const { policy, clock, spawn } = parts
  const { state, by, epoch, until, evidence } = task
  const blockers = state === 'blocked' ? task.blocked_by : []
  const recalled = epoch === 0 ? {} : { recalled: { state, by, epoch, until, evidence, unaware, at: clock.now() } }
  const input = { task: task.task, author: task.author, policy, blockers, ...recalled }
  return spawn(input)
}
