import type { Entry } from '../../protocol/facts/entry.ts'
import type { Attachment } from '../../protocol/conversation/message.ts'
import type { Envelope } from '../../protocol/mail/envelope.ts'

/** A task as it was received: the entry that tells of it, and the mail. */
export interface QueuedTask {
  readonly id: string
  readonly envelope: Envelope
  readonly attached?: readonly Attachment[] | undefined
}

/**
 * The tasks of one member as a fold over its journal: one is at hand, the others wait for their turn as they came. So
 * each has an answer of its own.
 */
export interface TaskQueue {
  atHand: QueuedTask | null
  readonly waiting: QueuedTask[]
}

/** A member that was given nothing. */
export function emptyTasks(): TaskQueue {
  return { atHand: null, waiting: [] }
}

/** The name under which a debt is settled: the delegated request, else the mail itself. */
export function debtOf(envelope: Envelope): string {
  return envelope.request ?? envelope.id
}

/**
 * Whether a mail asks its recipient for a piece of work, which then is done by itself: a task of the coordinator, or a
 * part of a worker's own work, which is a question with a request.
 */
export function isTask(mail: Pick<Envelope, 'kind' | 'request'>): boolean {
  return mail.kind === 'task' || isPart(mail)
}

/** Whether a mail hands on a part of its sender's own work. */
export function isPart({ kind, request }: Pick<Envelope, 'kind' | 'request'>): boolean {
  return kind === 'question' && request !== undefined
}

/**
 * Takes one journal entry in, changing the queue in place. A task leaves it with its reply, or when its sender recalls it.
 * @returns the task whose turn comes with this entry; null when none does
 * @example nextTask(queue, received) // the task itself when nothing else is at hand, else null
 */
export function nextTask(queue: TaskQueue, entry: Entry): QueuedTask | null {
  if (entry.type === 'member.replied') return leave(queue, ({ envelope }) => debtOf(envelope) === entry.request)
  if (entry.type !== 'mail.received') return null
  const { id, envelope, attached } = entry
  if (isTask(envelope)) return enter(queue, { id, envelope, attached })
  if (envelope.kind !== 'control' || envelope.request === undefined) return null
  return leave(queue, (task) => isRecallOf(envelope, task.envelope))
}

/**
 * Whether a control mail takes back what was asked: its asker takes it back, or, of a part of a worker's work, the
 * coordinator, which names the mail.
 */
export function isRecallOf(recall: Envelope, asked: Envelope): boolean {
  if (recall.request === undefined || recall.request !== asked.request) return false
  return recall.from === asked.from || (isPart(asked) && recall.reply_to === asked.id)
}

/** A task that is given once more takes the place that it has. */
function enter(queue: TaskQueue, task: QueuedTask): QueuedTask | null {
  const isSame = (other: QueuedTask): boolean => debtOf(other.envelope) === debtOf(task.envelope)
  if (queue.atHand === null || isSame(queue.atHand)) return (queue.atHand = task)
  const place = queue.waiting.findIndex(isSame)
  if (place < 0) queue.waiting.push(task)
  else queue.waiting[place] = task
  return null
}

function leave(queue: TaskQueue, isMeant: (task: QueuedTask) => boolean): QueuedTask | null {
  if (queue.atHand !== null && isMeant(queue.atHand)) return (queue.atHand = queue.waiting.shift() ?? null)
  const place = queue.waiting.findIndex(isMeant)
  if (place >= 0) queue.waiting.splice(place, 1)
  return null
}
