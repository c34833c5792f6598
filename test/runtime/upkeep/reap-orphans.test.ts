import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { markedProcesses } from '../../../src/adapters/process/end-process.ts'
import { isAlive } from '../../../src/adapters/process/liveness.ts'
import { readMember } from '../../../src/adapters/sessions/read-run.ts'
import { reapOrphans } from '../../../src/runtime/upkeep/reap-orphans.ts'
import { runsRoot } from '../../../src/runtime/runs/read-runs.ts'
import { directoryWith, journalOf, onlyRun, start, teamRunning, troupe } from '../../ui/cli/process/troupe.ts'
import { existsSync, readdirSync } from 'node:fs'

/** A directory in which the leader of a run was killed while its member in its own process ran a long command. */
async function killedLeader(): Promise<{ cwd: string; run: string; orphan: number }> {
  const cwd = directoryWith(teamRunning('echo $$ > pid; sleep 1000'))
  const { child, ended } = start(cwd, ['run', 'one', '--dangerously-skip-permissions'])
  const pid = join(cwd, 'pid')
  while (!existsSync(pid) || readFileSync(pid, 'utf8') === '') await new Promise((resolve) => setTimeout(resolve, 20))
  const run = onlyRun(cwd)
  child.kill('SIGKILL')
  await ended
  const orphan = Number(readFileSync(pid, 'utf8'))
  expect(markedProcesses(readMember(run, 'hand')?.incarnation ?? '')).toContain(orphan)
  return { cwd, run, orphan }
}

describe('what a killed leader left running is ended', () => {
  test('by whoever asks what runs here', async () => {
    const { cwd, run, orphan } = await killedLeader()
    const { stdout, stderr } = await troupe(cwd, ['ps'])
    expect(stderr).toMatch(/^ended \w+ process(es)? that hand of one-\w+ had left running/)
    expect(stdout).toMatch(/interrupted \(stale\)/)
    expect(isAlive(orphan, 0)).toBe(false)
    expect(markedProcesses(readMember(run, 'hand')?.incarnation ?? '')).toEqual([])
    expect(reapOrphans(runsRoot(cwd))).toEqual([])
  })

  test('by the next run there, which says so', async () => {
    const { cwd, run: earlier, orphan } = await killedLeader()
    const { child, said, ended } = start(cwd, ['run', 'one'])
    await said('had left running when it was killed')
    // A killed process takes a moment to go.
    await expect.poll(() => isAlive(orphan, 0)).toBe(false)
    child.kill('SIGTERM')
    await ended
    const runs = readdirSync(runsRoot(cwd)).map((name) => join(runsRoot(cwd), name))
    const [later = ''] = runs.filter((dir) => dir !== earlier)
    expect(journalOf(later, 'team')).toContainEqual(
      expect.objectContaining({ type: 'warning.raised', code: 'orphans' }) as unknown,
    )
  })
})
