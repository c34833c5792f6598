import type { Envelope } from '../mail/envelope.ts'
import { choiceAskIn } from './choice-ask.ts'
import { taskAskSchema, type TaskAsk } from './task.ts'

/**
 * Mail as people read it: a choice, or what is asked of the task board, in words; the body of any other mail.
 *
 * @example bodyText({ from: 'ana@chores', kind: 'control', body: '{"ask":"claim","task":1}' }) // 'claim task 1'
 */
export function bodyText(mail: Pick<Envelope, 'from' | 'kind' | 'body'>): string {
  const choice = choiceAskIn(mail)
  if (choice !== null) return `choose the ${choice.choose} ${choice.value}`
  const ask = taskAskIn(mail)
  return ask === null ? mail.body : taskAskText(ask)
}

function taskAskIn({ kind, body }: Pick<Envelope, 'kind' | 'body'>): TaskAsk | null {
  if (kind !== 'control' || !body.startsWith('{"ask":')) return null
  try {
    return taskAskSchema.safeParse(JSON.parse(body)).data ?? null
  } catch {
    return null
  }
}

function taskAskText(ask: TaskAsk): string {
  if (ask.ask === 'create') return `new task: ${ask.subject}`
  if (ask.ask === 'claim') return `claim task ${ask.task}`
  if (ask.ask === 'submit') return `task ${ask.task} is done`
  return `${ask.ask} task ${ask.task}${ask.reason === '' ? '' : `: ${ask.reason}`}`
}
