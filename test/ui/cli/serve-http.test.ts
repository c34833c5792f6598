import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { acquireLease } from '../../../src/adapters/lease/lease.ts'
import { createRun } from '../../../src/adapters/sessions/run-directory.ts'
import { writeJson } from '../../../src/adapters/sessions/write-json.ts'
import { systemClock } from '../../../src/runtime/actors/clock.ts'
import { stopFile } from '../../../src/runtime/runs/stop-file.ts'
import { main } from '../../../src/ui/cli/main.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'
import { tempDir } from '../../runtime/support/stage.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { fakeHost } from './fake-host.ts'

test('a run that cannot be removed is said, and the server goes on', async () => {
  const [cwd, home] = [tempDir(), tempDir()]
  const { mint, now } = systemClock()
  const place = { root: join(cwd, '.troupe/runs'), home, cwd, git_head: null }
  const { id, dir } = createRun({ ...place, team: sampleTeam(), task: 'Go.', ulid: mint(), created: now() })
  acquireLease({ dir: join(dir, 'lease'), name: 'team', incarnation: '01J', now }).release()
  writeJson(stopFile(dir), { at: now(), reason: 'a person' })
  const key = join(home, '.troupe/keys', id)
  rmSync(key, { force: true })
  mkdirSync(key, { recursive: true })
  const host = fakeHost({ cwd, home, env: bareEnv })
  const ended = main(['serve', '--port', '0', '--keep', '0'], host)
  await expect.poll(() => host.stderr.text).toContain('counts once')
  expect(host.stderr.text).toMatch(new RegExp(`^old runs are not removed: .*${id}`, 'm'))
  const url = host.stdout.text.trim()
  expect((await fetch(url)).status).toBe(200)
  host.raise('SIGTERM')
  expect(await ended).toBe(0)
})
