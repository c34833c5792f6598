import type { TaskAnswer, TaskBoard } from '../../projections/team/task-board.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import { agentId, leaderName } from '../../protocol/words/ids.ts'
import type { TaskPort, TaskReply } from '../../protocol/work/task.ts'
import type { TeamReceipt } from '../../protocol/tools/tool.ts'
import type { MailDraft } from '../../protocol/mail/envelope.ts'
import type { Broadcast } from '../actors/broadcast.ts'

/** The board as this process knows it, and the answers that its members wait for. */
export interface TaskAnswers {
  readonly board: TaskBoard
  /** The answer to an ask, by the id of its mail. */
  of(mailId: string, signal: AbortSignal): Promise<TaskAnswer>
}

/**
 * Hears the answers in the facts of this process.
 * @param board has taken a fact in before it is told
 */
export function taskAnswers(board: TaskBoard, facts: Broadcast<Recorded>): TaskAnswers {
  const waiting = new Map<string, (answer: TaskAnswer) => void>()
  facts.subscribe(({ owner, entry }) => {
    if (owner !== leaderName) return
    const mailId = 'mail_id' in entry ? (entry.mail_id ?? '') : ''
    const answer = board.answers.get(mailId)
    if (answer) waiting.get(mailId)?.(answer)
  })
  return {
    board,
    of(mailId, signal) {
      const known = board.answers.get(mailId)
      if (known) return Promise.resolve(known)
      const { promise, resolve, reject } = Promise.withResolvers<TaskAnswer>()
      waiting.set(mailId, resolve)
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      return promise.finally(() => waiting.delete(mailId))
    },
  }
}

/** The board for one member's tools: asks go to the leader by mail, answers are read in the team's journal. */
export function taskPort(team: string, answers: TaskAnswers, send: (draft: MailDraft) => TeamReceipt): TaskPort {
  return {
    list: () => [...answers.board.tasks.values()],
    async ask(ask, { callId, signal }) {
      const mail = { to: agentId(leaderName, team), kind: 'control', body: JSON.stringify(ask) } as const
      const receipt = send({ ...mail, key: `call:${callId}` })
      if ('error' in receipt) return receipt
      return replyOf(await answers.of(receipt.id, signal), answers.board)
    },
  }
}

function replyOf(answer: TaskAnswer, { tasks }: TaskBoard): TaskReply {
  if (answer.type === 'task.refused') return { error: answer.reason }
  const { task } = answer
  return { task, state: tasks.get(task)?.state ?? 'open' }
}
