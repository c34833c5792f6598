import { systemClock } from '../../../runtime/actors/clock.ts'
import { runDirectoriesIn } from '../../../runtime/runs/answer-approval.ts'
import { watchRuns } from '../../../runtime/runs/take-over.ts'
import { sweepRuns } from '../../../runtime/upkeep/sweep-runs.ts'
import { plainText } from '../../text/plain-text.ts'
import { noteTo, print, type Host } from '../host/host.ts'

/** Makes clear which runs of a directory are led, takes away what killed ones left, and says what it did. */
export async function sweep(cwd: string, host: Host): Promise<void> {
  await watch(cwd, host)
  const swept = await sweepRuns({ cwd, env: host.env, clock: systemClock() })
  for (const text of swept) await print(host.stderr, `${plainText(text)}\n`)
}

/** Makes clear which runs of a directory are led. */
export function watch(cwd: string, host: Host): Promise<void> {
  return watchRuns(runDirectoriesIn(cwd), noteTo(host))
}
