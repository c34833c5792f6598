import { completable, type CompletableProgram } from '../completion-model.ts'
import { bashScript, fishScript, zshScript } from '../completion-scripts.ts'
import { exitCodes, type ExitCode } from '../exit-codes.ts'
import { shippedTeamNames } from '../find-team.ts'
import { print, type Host } from '../host.ts'

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const

/** Prints the completion script of a shell, written from the program as it is declared. */
export async function completion(
  shell: keyof typeof scripts,
  program: CompletableProgram,
  host: Host,
): Promise<ExitCode> {
  const commands = completable(program)
  await print(host.stdout, scripts[shell]({ commands, teams: shippedTeamNames() }))
  return exitCodes.done
}
