import { Argument } from '@commander-js/extra-typings'
import { command, examples, type Context } from '../host/command.ts'

export const shells = ['bash', 'zsh', 'fish'] as const

/** `troupe completion <shell>` */
export function completionCommand({ host, finish }: Context) {
  return command('completion', 'Print a completion script for a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText(
      'after',
      examples(
        'troupe completion bash > ~/.local/share/bash-completion/completions/troupe',
        'troupe completion zsh > "${fpath[1]}/_troupe"',
        'troupe completion fish > ~/.config/fish/completions/troupe.fish',
      ),
    )
    .action((shell, _, self) =>
      finish(import('../acts/completion.ts').then(({ completion }) => completion(shell, self.parent ?? self, host))),
    )
}
