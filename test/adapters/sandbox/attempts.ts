import { existsSync, readFileSync } from 'node:fs'
import type { sandboxGround } from './ground.ts'

/** Commands in a folder, one after the other, each harmless when it ends, and what somebody does there afterwards. */
export type Attempt = readonly [name: string, calls: string | readonly string[], after: string, before?: string]

/**
 * Makes attempts, each in a folder of its own below `plain` with a folder of its own below `tmp`: one call holds a command of each
 * attempt.
 *
 * @returns the names of those that ran evil.sh
 * @example await attempted(attempts, ground, (script) => ground.inside(script, 'plain'))
 */
export async function attempted(
  attempts: readonly Attempt[],
  { at, outside }: ReturnType<typeof sandboxGround>,
  call: (script: string) => unknown,
): Promise<readonly string[]> {
  const all = (line: (attempt: Attempt) => string | undefined): string =>
    attempts
      .flatMap((attempt, n) => {
        const command = line(attempt)
        const place = `cd $B/plain/${n}; export N=${n} T=$B/tmp/${n}`
        return command === undefined ? [] : [`(${place}\n${command}\n) > $B/tmp/${n}/out 2>&1 < /dev/null &`]
      })
      .join('\n')
      .concat('\nwait\n')
  outside(`for n in {0..${attempts.length - 1}}; do mkdir -p plain/$n tmp/$n; cp tmp/config tmp/$n; done`)
  outside(all(([, , , before]) => before))
  for (let turn = 0; attempts.some(([, calls]) => turn < [calls].flat().length); turn += 1)
    await call(all(([, calls]) => [calls].flat()[turn]))
  outside(all(([, , after]) => after))
  if (!existsSync(at('PWNED'))) return []
  const found = new Set(readFileSync(at('PWNED'), 'utf8').split('\n'))
  return attempts.flatMap(([name], n) => (found.has(String(n)) ? [name] : []))
}
