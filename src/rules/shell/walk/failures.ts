import type { AndOr, CommandNode, PipelineNode } from 'unbash'
import { joined, type ShellState } from './shell-values.ts'

/** Behind a command that may not have gone well, the shell may still be where it was: `cd x`, `time cd x`. */
export function orFailed(
  command: AndOr | PipelineNode,
  { before, after }: { readonly before: ShellState; readonly after: ShellState },
): ShellState {
  const isOne = command.type === 'Command' || (command.type === 'Pipeline' && command.commands.length === 1)
  if (!isOne || after.directories === before.directories) return after
  return { ...after, directories: joined(before, after).directories }
}

/** `X=1` goes well unless a command in it does not. */
export function neverFails(node: PipelineNode | undefined): boolean {
  return (
    node?.type === 'Command' && node.name === undefined && node.redirects.length === 0 && !/\$\(|`/.test(textOf(node))
  )
}

function textOf({ prefix }: Extract<CommandNode, { type: 'Command' }>): string {
  return prefix.map((part) => (part.type === 'Assignment' ? part.text : '')).join(' ')
}
