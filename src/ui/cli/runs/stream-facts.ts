import type { TeamRun } from '../../../runtime/run/run-team.ts'
import { print, type Host } from '../host/host.ts'

const deltaTypes = {
  text: 'text.delta',
  thinking: 'thinking.delta',
  progress: 'tool.progress',
  reset: 'text.reset',
} as const

/**
 * Writes every recorded fact of a run to stdout, one JSON line each, in the order in which the leader heard them;
 * with `partial` also what is being written, as it comes. Settles when the run has no more facts.
 */
export async function streamFacts(run: TeamRun, partial: boolean, host: Pick<Host, 'stdout'>): Promise<void> {
  const deaf = partial
    ? run.deltas(({ type, ...delta }) => host.stdout.write(`${JSON.stringify({ type: deltaTypes[type], ...delta })}\n`))
    : () => undefined
  try {
    for await (const recorded of run.facts()) await print(host.stdout, `${JSON.stringify(recorded)}\n`)
  } finally {
    deaf()
  }
}
