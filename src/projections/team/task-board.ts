import type { Millis } from '../../protocol/words/ids.ts'
import type { BoardTask, Evidence, TaskEnding } from '../../protocol/work/task.ts'
import { foldOver, type EntryOf } from '../fold/fold.ts'

/** Facts that answer a member's ask. */
export type TaskAnswer = EntryOf<
  'task.created' | 'task.claimed' | 'task.released' | 'task.submitted' | 'task.finished' | 'task.refused'
>

export interface TaskBoard {
  readonly tasks: Map<number, BoardTask>
  /** The answer to each ask of late, by the id of the ask's mail: an ask is answered once. */
  readonly answers: Map<string, TaskAnswer>
  /** By task: since when the one who holds it, or did it, works on it. Renewing a claim does not change that. */
  readonly heldSince: Map<number, Millis>
  /** By task: whose claim ended by itself, and who did not claim it again. */
  readonly lapsed: Map<number, readonly string[]>
}

export function emptyTaskBoard(): TaskBoard {
  return { tasks: new Map(), answers: new Map(), heldSince: new Map(), lapsed: new Map() }
}

/** How a task ended; null while somebody still has to do something about it. */
export function taskEnding({ state }: Pick<BoardTask, 'state'>): TaskEnding | null {
  return state === 'done' || state === 'failed' || state === 'cancelled' ? state : null
}

export function isUnfinished(task: Pick<BoardTask, 'state'>): boolean {
  return taskEnding(task) === null
}

/** One piece of evidence in words. */
export function evidenceText(evidence: Evidence): string {
  if ('command' in evidence) return `exit ${evidence.exit_code}: ${evidence.command}`
  return 'file' in evidence ? evidence.file : `check ${evidence.check}`
}

/** Follows the team's journal. */
export const applyTaskBoard = foldOver<TaskBoard, 'task'>({
  'task.created': (board, entry) => {
    const { task, subject, description, blocked_by, author, restrictions, at } = entry
    answerAsk(board, entry.mail_id, entry)
    board.tasks.set(task, {
      task,
      subject,
      ...(description === undefined ? {} : { description }),
      blocked_by,
      author,
      ...(restrictions === undefined ? {} : { restrictions }),
      created_at: at,
      state: blocked_by.every((id) => board.tasks.get(id)?.state === 'done') ? 'open' : 'blocked',
      by: null,
      epoch: 0,
      until: 0,
      evidence: [],
      changed_at: at,
    })
  },
  'task.opened': (board, { task, at }) => change(board, task, { state: 'open', changed_at: at }),
  'task.claimed': (board, entry) => {
    const { task, by, epoch, until, at } = entry
    answerAsk(board, entry.mail_id, entry)
    board.lapsed.set(task, othersThan(by, board.lapsed.get(task)))
    const held = board.tasks.get(task)
    const renewed = held?.state === 'claimed' && held.by === by
    if (!renewed) board.heldSince.set(task, at)
    change(board, task, { state: 'claimed', by, epoch, until, evidence: [], changed_at: at })
  },
  'task.released': (board, entry) => {
    const { task, by, reason, mail_id, at } = entry
    if (mail_id === undefined) board.lapsed.set(task, [...othersThan(by, board.lapsed.get(task)), by])
    else answerAsk(board, mail_id, entry)
    change(board, task, { state: 'open', by: null, reason, evidence: [], changed_at: at })
  },
  'task.submitted': (board, entry) => {
    answerAsk(board, entry.mail_id, entry)
    change(board, entry.task, { state: 'review', evidence: entry.evidence, changed_at: entry.at })
  },
  'task.finished': (board, entry) => {
    const { task, status, by, reason, evidence, confirmed_by, mail_id, at } = entry
    if (mail_id !== undefined) answerAsk(board, mail_id, entry)
    change(board, task, {
      state: status,
      by,
      changed_at: at,
      ...(evidence ? { evidence } : {}),
      ...(reason === undefined ? {} : { reason }),
      ...(confirmed_by === undefined ? {} : { confirmed_by }),
    })
  },
  'task.refused': (board, entry) => answerAsk(board, entry.mail_id, entry),
})

/** An asker reads its answer at once, and one that died in between asks again with its next life: that is soon, too. */
const keptAnswers = 10_000

function answerAsk({ answers }: TaskBoard, mail: string, entry: TaskAnswer): void {
  answers.set(mail, entry)
  if (answers.size <= keptAnswers) return
  const [oldest = ''] = answers.keys()
  answers.delete(oldest)
}

function othersThan(name: string, names: readonly string[] = []): readonly string[] {
  return names.filter((each) => each !== name)
}

function change({ tasks }: TaskBoard, id: number, news: Partial<BoardTask>): void {
  const task = tasks.get(id)
  if (task) tasks.set(id, { ...task, ...news })
}
