import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { WorkerCommand } from '../../../src/adapters/executors/place.ts'
import { tmuxPanes } from '../../../src/adapters/executors/tmux-panes.ts'
import { killMarked, markVariable } from '../../../src/adapters/process/end-process.ts'
import { bareEnv } from '../../support/bare-env.ts'

const hasTmux = spawnSync('tmux', ['-V']).status === 0
if (!hasTmux) console.warn('SKIPPED: panes of tmux are not tried, tmux is not installed')

/** A run with a tmux server of its own. */
function serverOf(name: string) {
  const socket = `${name}-${process.pid}`
  const command = (member: string): WorkerCommand => {
    const mark = `${socket}-${member}`
    onTestFinished(() => void killMarked(mark))
    return {
      member,
      argv: ['sleep', '300'],
      view: ['sh', '-c', `echo this is ${member}; exec sleep 300`, `${member}@run`],
      env: { ...bareEnv, [markVariable]: mark },
      cwd: tmpdir(),
      log: '/dev/null',
      title: member,
      colour: 0,
    }
  }
  return {
    command,
    place: () => tmuxPanes({ env: bareEnv, run: 'run', server: socket }),
    tmux: (...args: readonly string[]) => spawnSync('tmux', ['-L', socket, ...args], { encoding: 'utf8' }).stdout,
    path: join(bareEnv['TMUX_TMPDIR'] ?? '/tmp', `tmux-${process.getuid?.() ?? 0}`, socket),
  }
}

describe.skipIf(!hasTmux)('panes of a tmux server of the run', () => {
  test('show each worker live beside the others, and end with the run', async () => {
    const { command, place, tmux, path } = serverOf('panes')
    const first = place()
    for (const member of ['ana', 'bo']) await first.launch(command(member))
    const panes = () => tmux('list-panes', '-s', '-t', 'troupe', '-F', '#{window_id} #{pane_title}')
    await expect.poll(panes).toBe('@0 ana\n@0 bo\n')
    await expect.poll(() => tmux('capture-pane', '-p', '-t', 'troupe:0.1')).toContain('this is bo')
    // A closed pane ends no work; a later leader opens what is closed, and keeps the others.
    tmux('kill-pane', '-t', 'troupe:0.0')
    const later = place()
    for (const member of ['bo', 'ana']) await later.launch(command(member))
    await expect.poll(panes).toBe('@0 bo\n@0 ana\n')
    await later.close?.()
    expect(existsSync(path)).toBe(false)
  })

  test('leave no socket behind where the server ended before', async () => {
    const { command, place, tmux, path } = serverOf('found')
    const first = place()
    await first.launch(command('ana'))
    await expect.poll(() => existsSync(path)).toBe(true)
    tmux('kill-server')
    await place().close?.()
    expect(existsSync(path)).toBe(false)
  })
})
