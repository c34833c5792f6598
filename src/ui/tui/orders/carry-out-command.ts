import { errorText } from '../../../protocol/words/error-text.ts'
import { todoLines } from '../../../runtime/tasks/read-tasks.ts'
import { builtinCommands } from '../state/screen-commands.ts'
import type { RunCast } from '../../../runtime/runs/read-cast.ts'
import type { Order } from '../state/ui.ts'

/** The run and the program around a screen, as commands use them. */
export interface CommandWorld {
  /** The run directory. */
  readonly dir: string
  readonly run: RunCast
  /** Runs a command line of Troupe and says what it printed. */
  readonly troupe: (args: readonly string[]) => Promise<string>
}

/** Does what a local command does, and says what came of it. */
export async function carryOutCommand(
  { name, args, to: member }: Extract<Order, { type: 'command' }>,
  { dir, run, troupe }: CommandWorld,
): Promise<string> {
  try {
    if (name === 'permissions') return await troupe(['permissions', 'list', '--cwd', run.cwd])
    const command = builtinCommands.find((each) => each.name === name)
    if (command?.calls) return await troupe(command.calls({ dir, member, args }))
    if (command?.reads === 'todo') return todoLines(dir, member) || `${member} has no todo list`
    return `/${name} does nothing here`
  } catch (error) {
    return `not done: ${errorText(error)}`
  }
}
