import type { TaskEvent } from '../../../machines/task/task.ts'
import { parseJson } from '../../adapters/fs/parse-json.ts'
import { isUnfinished, type TaskBoard } from '../../projections/team/task-board.ts'
import type { Envelope } from '../../protocol/mail/envelope.ts'
import type { FactOf } from '../../protocol/facts/fact.ts'
import { memberName, personSender } from '../../protocol/words/ids.ts'
import { taskAskSchema, type TaskAsk } from '../../protocol/work/task.ts'

type Creation = Extract<TaskAsk, { ask: 'create' }>

/** A check before a task is created: a complaint, or null to let the task pass. */
export type MayCreate = (creation: Creation, author: string) => string | null

/** The outcome of an ask: a fact that answers it, or an event that its task has to judge. */
export type Ruling =
  | { readonly fact: FactOf<'task.created' | 'task.refused'> }
  | { readonly task: number; readonly event: TaskEvent }

/** The board and the time that a ruling is based on. */
export interface RulingContext {
  readonly board: TaskBoard
  readonly at: number
  readonly mayCreate?: MayCreate
}

/**
 * Rules on one mail to the board: who asks is what the envelope says, never what the body says.
 *
 * @example ruleOn(envelope, { board, at: clock.now() }) // { fact: { type: 'task.refused', … } }
 */
export function ruleOn(envelope: Envelope, { board, at, mayCreate = () => null }: RulingContext): Ruling {
  const { id: mail_id, from, restrictions } = envelope
  const ask = askIn(envelope)
  const by = from === personSender ? from : memberName(from)
  if (typeof ask === 'string') return refusal(mail_id, ask)
  if (ask.ask === 'create') {
    const flaw = flawIn(ask, board) ?? mayCreate(ask, by)
    return flaw === null
      ? creation(ask, board, { author: by, mail_id, ...(restrictions && { restrictions }) })
      : refusal(mail_id, flaw)
  }
  const { task } = ask
  const known = board.tasks.get(task)
  if (!known) return refusal(mail_id, `There is no task ${task}.`)
  if (!isUnfinished(known)) return refusal(mail_id, `Task ${task} is over: it is ${known.state}.`)
  return { task, event: { ...wishIn(ask), by, mail_id, at } }
}

function wishIn(ask: Exclude<TaskAsk, Creation>) {
  if (ask.ask === 'claim') return { type: ask.ask }
  return ask.ask === 'submit' ? { type: ask.ask, evidence: ask.evidence } : { type: ask.ask, reason: ask.reason }
}

function refusal(mail_id: string, reason: string): Ruling {
  return { fact: { type: 'task.refused', mail_id, reason } }
}

/** Ids go on from the highest there ever was: no task is ever taken off the board. */
function creation(
  ask: Creation,
  { tasks }: TaskBoard,
  asked: Pick<FactOf<'task.created'>, 'author' | 'mail_id' | 'restrictions'>,
): Ruling {
  const { subject, description, blocked_by } = ask
  const text = description === undefined ? {} : { description }
  const task = Math.max(0, ...tasks.keys()) + 1
  return { fact: { type: 'task.created', task, subject, ...text, blocked_by, ...asked } }
}

function askIn({ kind, body }: Envelope): TaskAsk | string {
  if (kind !== 'control') return 'The leader takes no letters, only asks about tasks.'
  const parsed = taskAskSchema.safeParse(parseJson(body))
  return parsed.success ? parsed.data : `This is no ask about a task: ${parsed.error.issues[0]?.message ?? 'not JSON'}.`
}

function flawIn({ blocked_by }: Creation, { tasks }: TaskBoard): string | null {
  for (const id of blocked_by) {
    const state = tasks.get(id)?.state
    if (state === undefined) return `There is no task ${id} that it could wait for.`
    if (state === 'failed' || state === 'cancelled')
      return `Task ${id} is ${state}: what waits for it could never begin.`
  }
  return null
}
