import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import type { Approver } from '../../protocol/port.ts'
import { isVague } from '../../rules/prompt/task-words.ts'
import { VagueTask } from './vague-task.ts'

/** The question about a task that says too little. */
export const clarifyQuestion = 'This task says too little. What is it about, and when is it done?'
/** The answer of a person for whom the task says enough. */
export const asItIs = 'It is meant as it stands.'

/**
 * Asks about a task that says too little, where its team wants that (`clarify: true`), before anything is spent.
 *
 * @param approver asks the person, where there is one
 * @returns the task, with the answer after it
 * @throws VagueTask naming the task and the remedy, where nobody answers
 * @example await clarifiedTask(team, 'Fix it.', { approver, signal }) // 'Fix it.\n\nThe login: it fails with a plus in the name.'
 */
export async function clarifiedTask(
  { clarify = false, name, coordinator: member }: Pick<ResolvedTeam, 'clarify' | 'name' | 'coordinator'>,
  task: string,
  { approver, signal }: { readonly approver?: Approver | undefined; readonly signal: AbortSignal },
): Promise<string> {
  if (!clarify || !isVague(task)) return task
  const said = await approver
    ?.ask?.({ member, question: clarifyQuestion, options: [asItIs] }, signal)
    .catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  if (signal.aborted) return task
  if (typeof said !== 'string') {
    const why = `the task "${task.trim()}" says too little, and the team ${name} asks about such tasks (clarify: true)`
    throw new VagueTask(`${why}: say what it is about and when it is done`)
  }
  return said.trim() === '' || said === asItIs ? task : `${task.trimEnd()}\n\n${said.trim()}`
}
