import { spawn, spawnSync } from 'node:child_process'
import { describe, expect } from 'vitest'
import type { WorkerPlace } from '../../../src/adapters/executors/place.ts'
import { tmuxSocket } from '../../../src/runtime/runs/place-members.ts'
import { executorContract } from '../../contracts/executor.ts'

executorContract('in-process')
executorContract('process')

/** The least that a place of somebody's own has to do. */
const box: WorkerPlace = {
  launch({ argv: [program, ...args], env, cwd }) {
    const child = spawn(program, args, { env, cwd, detached: true, stdio: 'ignore' })
    return Promise.resolve({ exited: new Promise((resolve) => child.once('exit', () => resolve())) })
  },
}
executorContract('box', { executors: { box } })

const hasTmux = spawnSync('tmux', ['-V']).status === 0
if (!hasTmux) console.warn('SKIPPED: workers in tmux are not tried, tmux is not installed')
describe.skipIf(!hasTmux)('with a tmux server of the run', () => {
  executorContract('tmux', {
    afterwards({ run }) {
      const left = spawnSync('tmux', ['-L', tmuxSocket(run.id), 'list-panes', '-a'], { encoding: 'utf8' })
      expect(left).toMatchObject({ status: 1, stdout: '' })
      expect(left.stderr).toMatch(/No such file/)
    },
  })
})
