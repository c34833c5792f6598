import { systemClock } from '../../../runtime/actors/clock.ts'
import { sweepRuns } from '../../../runtime/upkeep/sweep-runs.ts'
import { plainText } from '../../text/terminal-text.ts'
import { print, type Host } from '../host/host.ts'

/** Takes away what killed runs of a directory left, and says what it did. */
export async function sweep(cwd: string, host: Host): Promise<void> {
  const swept = await sweepRuns({ cwd, env: host.env, clock: systemClock() })
  for (const text of swept) await print(host.stderr, `${plainText(text)}\n`)
}
