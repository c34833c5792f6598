import { spawnSync } from 'node:child_process'
import { describe } from 'vitest'
import { expect } from 'vitest'
import { tmuxSocket } from '../../../src/runtime/runs/place-members.ts'
import { executorContract } from '../../contracts/executor.ts'

executorContract('in-process')
executorContract('process')

const hasTmux = spawnSync('tmux', ['-V']).status === 0
if (!hasTmux) console.warn('SKIPPED: workers in tmux are not tried, tmux is not installed')
describe.skipIf(!hasTmux)('with a tmux server of the run', () => {
  executorContract('tmux', ({ run }) => {
    const left = spawnSync('tmux', ['-L', tmuxSocket(run.id), 'list-panes', '-a'], { encoding: 'utf8' })
    expect(left).toMatchObject({ status: 1, stdout: '' })
    expect(left.stderr).toMatch(/No such file/)
  })
})
