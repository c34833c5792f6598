import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { tmuxPlace } from '../../../src/adapters/executors/tmux.ts'
import { killMarked, markVariable } from '../../../src/adapters/process/end-process.ts'
import { bareEnv } from '../../support/bare-env.ts'

const hasTmux = spawnSync('tmux', ['-V']).status === 0
if (!hasTmux) console.warn('SKIPPED: panes of tmux are not tried, tmux is not installed')

describe.skipIf(!hasTmux)('panes of one tmux server', () => {
  test('outlive the first of them, whatever its worker leaves behind is ended with', async () => {
    const socket = `panes-${process.pid}`
    const place = tmuxPlace({ socket, env: bareEnv })
    onTestFinished(() => place.close?.())
    const launch = (member: string) =>
      place.launch({
        member,
        argv: ['sleep', '300'],
        view: ['true'],
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

  test('leave no socket behind, also when a later leader found them', async () => {
    const socket = `found-${process.pid}`
    const command = {
      member: 'ana',
      argv: ['sleep', '300'],
      view: ['true'],
      env: { ...bareEnv, [markVariable]: `${socket}-ana` },
      cwd: tmpdir(),
      log: '/dev/null',
      title: 'ana',
      colour: 0,
    } as const
    const place = tmuxPlace({ socket, env: bareEnv })
    await place.launch(command)
    const path = join(bareEnv['TMUX_TMPDIR'] ?? '/tmp', `tmux-${process.getuid?.() ?? 0}`, socket)
    expect(existsSync(path)).toBe(true)
    // What the pane showed is over; its server ends with it, and its socket stays.
    spawnSync('tmux', ['-L', socket, 'kill-server'])
    killMarked(`${socket}-ana`)
    await tmuxPlace({ socket, env: bareEnv }).close?.()
    expect(existsSync(path)).toBe(false)
  })
})
