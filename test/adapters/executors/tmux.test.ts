import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { describe, expect, onTestFinished, test } from 'vitest'
import { tmuxPlace } from '../../../src/adapters/executors/tmux.ts'
import { killMarked, markVariable } from '../../../src/adapters/process/end-process.ts'
import { bareEnv } from '../../support/bare-env.ts'

const hasTmux = spawnSync('tmux', ['-V']).status === 0
if (!hasTmux) console.warn('SKIPPED: panes of tmux are not tried, tmux is not installed')

describe.skipIf(!hasTmux)('panes of one tmux server', () => {
  test('outlive the first of them, whatever its worker leaves behind is ended with', async () => {
    const socket = `panes-${process.pid}`
    const place = tmuxPlace({ socket })
    onTestFinished(() => place.close?.())
    const launch = (member: string) =>
      place.launch({
        member,
        argv: ['sleep', '300'],
        env: { ...bareEnv, [markVariable]: `${socket}-${member}` },
        cwd: tmpdir(),
        log: '/dev/null',
        title: member,
        colour: 0,
      })
    await launch('ana')
    await launch('bo')
    expect(killMarked(`${socket}-ana`)).toBe(1)
    const list = ['-L', socket, 'list-panes', '-a', '-F', '#{window_name} #{pane_dead}']
    const panes = () => spawnSync('tmux', list, { encoding: 'utf8' }).stdout
    await expect.poll(panes).toBe('ana 1\nbo 0\n')
  })
})
