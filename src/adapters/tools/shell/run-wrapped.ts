import type { WrappedCommand } from '../../../protocol/tools/tool.ts'
import type { CommandEnd } from '../../process/run-command.ts'

/**
 * Runs a command to its end, and what has to come behind it; what there is to tell stands behind its errors.
 *
 * @param run Starts the program; never rejects.
 * @example await runWrapped(program, (argv) => runCommand(argv, options))
 */
export async function runWrapped(
  { argv, behind }: WrappedCommand,
  run: (argv: WrappedCommand['argv']) => Promise<CommandEnd>,
): Promise<CommandEnd> {
  const end = await run(argv)
  const said = await behind?.()
  return said === undefined || said === '' ? end : { ...end, errors: end.errors + said }
}
