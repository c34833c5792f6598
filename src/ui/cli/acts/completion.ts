import { completable } from '../completion-model.ts'
import { bashScript, fishScript, zshScript } from '../completion-scripts.ts'
import type { Shell } from '../commands/completion.ts'
import { exitCodes, type ExitCode } from '../exit-codes.ts'
import { shippedTeamNames } from '../find-team.ts'
import { print, type Host } from '../host.ts'
import { buildProgram } from '../program.ts'

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const

/** Prints the completion script of a shell, written from the program as it is declared. */
export async function completion(shell: Shell, host: Host): Promise<ExitCode> {
  const commands = completable(buildProgram({ host, finish: () => undefined }))
  await print(host.stdout, scripts[shell]({ commands, teams: shippedTeamNames() }))
  return exitCodes.done
}
