import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import { loadTeam } from '../../../src/runtime/team-files/load-team.ts'
import { runTeam } from '../../../src/runtime/run/run-team.ts'
import type { Delta } from '../../../src/runtime/agent/agent-deps.ts'
import type { TalkingServer } from '../../support/talking-server.ts'
import { tempDir } from './stage.ts'
import { bareEnv } from '../../support/bare-env.ts'

/** A team of a lead and a worker, both spoken by the server, that has begun; `hear` is told what it is writing. */
export async function spokenDuo(
  executor: 'in-process' | 'process',
  server: TalkingServer,
  hear: (delta: Delta) => void = () => undefined,
) {
  const cwd = tempDir()
  const home = join(cwd, 'home')
  mkdirSync(home)
  const team = {
    name: 'duo',
    model: 'openai-compatible/talker',
    coordinator: { prompt: 'You lead.' },
    workers: { ana: { description: 'Looks.', prompt: 'You look.', tools: ['LS', 'Bash'], executor } },
  }
  writeFileSync(join(cwd, 'duo.yaml'), stringify(team))
  const env = { ...bareEnv, HOME: home, OPENAI_COMPATIBLE_BASE_URL: server.url, TMPDIR: cwd }
  const loaded = await loadTeam(join(cwd, 'duo.yaml'), { env })
  const run = runTeam(loaded, { task: 'Begin.', cwd, home, env, permissionWaitMs: 60_000 })
  run.deltas(hear)
  onTestFinished(async () => {
    run.abort()
    await run.result
  })
  const first = await server.next()
  first.call('Delegate', { subtasks: [{ worker: 'ana', task: 'Look around.' }] })
  first.end()
  return { run, home, ana: await server.next() }
}
