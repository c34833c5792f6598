/*
 * The one list of parts that stand and that nothing fills yet, each with the work that will fill it. `docs/machines.md`
 * draws the states of this list dashed; a test holds the list against the machines. A part that is filled leaves the
 * list; a part that nothing will fill leaves the code.
 */

type Parts = Readonly<Record<string, string>>

/** States that no run reaches yet, by machine. */
export const awaitedStates: Readonly<Record<string, Parts>> = {}

/** Ports that always answer "no opinion" until then, by machine. */
export const awaitedPorts: Readonly<Record<string, Parts>> = {}

/** Names in the protocol and the rules that nobody writes, or nobody reads, yet. */
export const awaitedNames: Parts = {
  background: 'model calls that nobody waits for: titles and summaries beside the work',
  blockedHosts: 'a settings key for hosts that no call may reach',
  nextMode: 'a key of the screen that goes through the permission modes',
}
