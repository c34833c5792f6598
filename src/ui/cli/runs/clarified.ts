import type { ResolvedTeam } from '../../../protocol/team/team-card.ts'
import { clarifiedTask, VagueTask } from '../../../runtime/run/clarify-task.ts'
import { askLine } from '../host/ask-line.ts'
import { hasPerson } from '../host/has-person.ts'
import type { Host } from '../host/host.ts'
import { UserError } from '../host/user-error.ts'

/** The task with what a person at the terminal adds to it, where it says too little. @throws UserError where nobody is there */
export async function clarified(team: ResolvedTeam, task: string, host: Host): Promise<string> {
  const ask = hasPerson(host) ? (question: string) => askLine(`${question}\n> `, host) : null
  try {
    return await clarifiedTask(team, task, ask)
  } catch (error) {
    throw error instanceof VagueTask ? new UserError(error.message) : error
  }
}
