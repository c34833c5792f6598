/** Commands of Troupe with which a person answers, trusts, speaks, steers or ends, or passes by the rules. */
const personal =
  /^(trust|stop|undo|resume|continue|fork|attach|send|compact|model|mode|acp|serve|dashboard|permissions (answer|add)|memory (edit|forget|import)|mcp (add|remove|login|call|serve)|plugin (add|remove)|mail (requeue|purge)|runs gc|worktrees (merge|archive|rm))$/

/**
 * Whether a command of Troupe is for persons alone.
 *
 * @param command The words behind `troupe`, without options and arguments.
 * @example isForPersons('permissions answer') // true
 */
export function isForPersons(command: string): boolean {
  return personal.test(command)
}
