import type { ExecutorKind } from '../../protocol/team/team-card.ts'

/** Where this process runs. */
export interface Whereabouts {
  /** The terminal whose windows can be opened, by name. */
  readonly terminal: string | null
  /** Inside tmux, and the program is there. */
  readonly tmux: boolean
  /** A person sits at a terminal. */
  readonly interactive: boolean
}

/**
 * The meaning of `executor: auto` here: windows of the person's own terminal, then panes of its tmux window, but only for
 * somebody who sits there; else this process.
 * @example chooseExecutor({ terminal: null, tmux: true, interactive: false }).kind // 'in-process'
 */
export function chooseExecutor({ terminal, tmux, interactive }: Whereabouts): {
  readonly kind: Exclude<ExecutorKind, 'auto'>
  readonly why: string
} {
  if (!interactive) return { kind: 'in-process', why: 'nobody sits at a terminal' }
  if (terminal !== null) return { kind: 'terminal', why: `this is ${terminal}` }
  if (tmux) return { kind: 'tmux-panes', why: 'this is inside tmux' }
  return { kind: 'in-process', why: 'this is neither inside tmux nor a terminal whose windows can be opened' }
}
