import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { lastLeader, livingLeader } from '../../../../src/runtime/runs/leader.ts'
import { bareEnv } from '../../../support/bare-env.ts'
import { bin, directoryWith, journalOf, onlyRun, start, teamRunning } from './troupe.ts'

const hasTmux = spawnSync('tmux', ['-V']).status === 0
if (!hasTmux) console.warn('SKIPPED: closing a terminal is not tried, tmux is not installed')

const command = 'touch here; until [ -e go ] || [ ! -e "$PWD" ]; do sleep 0.02; done'

async function begun(cwd: string): Promise<void> {
  await expect.poll(() => existsSync(join(cwd, 'here'))).toBe(true)
}

describe.skipIf(!hasTmux)('a terminal that is closed', () => {
  test('interrupts the run that was started in it', async () => {
    const cwd = directoryWith(teamRunning(command))
    const tmux = (...args: readonly string[]) => spawnSync('tmux', ['-L', `closed-${process.pid}`, ...args])
    let socket = ''
    onTestFinished(() => {
      tmux('kill-server')
      if (socket !== '') rmSync(socket, { force: true })
    })
    const env = Object.entries({ ...bareEnv, HOME: cwd }).flatMap(([name, value]) => ['-e', `${name}=${value}`])
    const run = [process.execPath, bin, 'run', 'one', 'Begin.', '--allow', 'Bash']
    tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'person', '-c', cwd, ...env, ...run)
    socket = tmux('display-message', '-p', '#{socket_path}').stdout.toString().trim()
    await begun(cwd)
    tmux('kill-session', '-t', 'person')
    await expect.poll(() => livingLeader(onlyRun(cwd))).toBeNull()
    expect(lastLeader(onlyRun(cwd))).toMatchObject({ released: true })
    expect(journalOf(onlyRun(cwd), 'team').map(({ type }) => type)).not.toContain('team.ended')
  })

  test('is not missed by the worker that was shown in it', async () => {
    const cwd = directoryWith(teamRunning(command))
    const { ended: over, said } = start(cwd, ['run', 'one', 'Begin.', '--allow', 'Bash', '--executor', 'tmux'])
    await said('tmux -L ')
    await begun(cwd)
    const [, socket = ''] = /tmux -L (\S+)/.exec(JSON.stringify(journalOf(onlyRun(cwd), 'team'))) ?? []
    spawnSync('tmux', ['-L', socket, 'kill-server'])
    writeFileSync(join(cwd, 'go'), '')
    expect(await over).toMatchObject({ code: 0, stderr: expect.not.stringContaining('crashed') as string })
    const lives = journalOf(onlyRun(cwd), 'hand').filter(({ type }) => type === 'member.started')
    expect(lives).toHaveLength(1)
  })
})
