import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import { isVague } from '../../rules/prompt/task-words.ts'

/** The question about a task that says too little. */
export const clarifyQuestion = 'This task says too little. What is it about, and when is it done?'

/** A vague task that nobody was there to explain. */
export class VagueTask extends Error {
  override readonly name = 'VagueTask'
}

/**
 * Asks about a task that says too little, where its team wants that (`clarify: true`), before anything is spent.
 *
 * @param ask null where nobody can answer; an empty answer leaves the task as it is
 * @returns the task, with the answer after it
 * @throws VagueTask naming the task and the remedy
 * @example await clarifiedTask(team, 'Fix it.', readLine) // 'Fix it.\n\nThe login: it fails with a plus in the name.'
 */
export async function clarifiedTask(
  { clarify = false, name }: Pick<ResolvedTeam, 'clarify' | 'name'>,
  task: string,
  ask: ((question: string) => Promise<string>) | null,
): Promise<string> {
  if (!clarify || !isVague(task)) return task
  if (ask === null) {
    const why = `the task "${task.trim()}" says too little, and the team ${name} asks about such tasks (clarify: true)`
    throw new VagueTask(`${why}: say what it is about and when it is done`)
  }
  const said = (await ask(clarifyQuestion)).trim()
  return said === '' ? task : `${task.trimEnd()}\n\n${said}`
}
