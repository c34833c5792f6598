import { commandProblem } from '../../../runtime/skills/list-commands.ts'
import type { Host } from '../host/host.ts'
import { UserError } from '../host/user-error.ts'

/**
 * Refuses a text for a team that calls a command which is not there, or which speaks to no member.
 * @param cwd where the team works
 * @throws UserError with what to do instead
 */
export async function refuseUnknownCommand(text: string, cwd: string, { home }: Pick<Host, 'home'>): Promise<void> {
  if (!text.startsWith('/')) return
  const { builtinCommands } = await import('../../tui/state/screen-commands.ts')
  const cure = 'call it in troupe attach'
  const problem = commandProblem(text, { cwd, home }, new Map(builtinCommands.map(({ name }) => [name, cure])))
  if (problem !== null) throw new UserError(problem)
}
