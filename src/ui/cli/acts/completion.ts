import {
  completable,
  type CompletableProgram,
  bashScript,
  fishScript,
  zshScript,
} from '../completion/completion-scripts.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { shippedTeamNames } from '../runs/find-team.ts'
import { print, type Host } from '../host/host.ts'

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
