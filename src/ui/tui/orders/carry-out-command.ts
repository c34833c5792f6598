import { errorText } from '../../../protocol/words/error-text.ts'
import { readModes } from '../../../runtime/settings/run-modes.ts'
import { todoLines } from '../../../runtime/tasks/read-tasks.ts'
import { builtinCommands } from '../state/screen-commands.ts'
import type { RunCast } from '../../../runtime/runs/read-cast.ts'
import type { Picture } from '../state/picture.ts'
import type { Order } from '../state/ui.ts'

/** The run and the program around a screen, as commands use them. */
export interface CommandWorld {
  /** The run directory. */
  readonly dir: string
  readonly run: RunCast
  readonly home: string
  readonly policyRoot: string
  readonly picture: () => Picture
  /** Runs a command line of Troupe and says what it printed. */
  readonly troupe: (args: readonly string[]) => Promise<string>
}

/** Does what a local command does, and says what came of it. */
export async function carryOutCommand(
  { name, args, to: member }: Extract<Order, { type: 'command' }>,
  { dir, home, policyRoot, run, troupe, picture }: CommandWorld,
): Promise<string> {
  try {
    if (name === 'permissions') return await troupe(['permissions', 'list', '--cwd', run.cwd])
    const command = builtinCommands.find((each) => each.name === name)
    if (command?.calls) return await troupe(command.calls({ dir, member, args }))
    if (command?.reads === 'todo') return todoLines(dir, member) || `${member} has no todo list`
    if (command?.reads === 'model') return models([...picture().panes.panes.values()], run.run)
    if (command?.reads === 'mode') return modes(await readModes(dir, { home, policyRoot }), run.run)
    return `/${name} does nothing here`
  } catch (error) {
    return `not done: ${errorText(error)}`
  }
}

function models(panes: readonly { readonly name: string; readonly model: string }[], run: string): string {
  const lines = panes.map(({ name, model }) => `${name}  ${model}`)
  return [...lines, '', `When nobody leads it: troupe continue ${run} "…" --model provider/model`].join('\n')
}

function modes(members: Awaited<ReturnType<typeof readModes>>, run: string): string {
  const lines = members.map(({ name, mode }) => `${name}  ${mode}`)
  return [
    ...lines,
    '',
    `permissions.defaultMode in your settings changes it at once where ${run} was not started with --mode and the team names none.`,
  ].join('\n')
}
