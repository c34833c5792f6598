import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bareEnv } from '../support/bare-env.ts'
import { bin, directoryWith, journalOf, onlyRun, start, teamRunning, troupe } from '../ui/cli/process/troupe.ts'

const contained = ['--pid', '--fork', '--mount-proc', '--kill-child']
const hasContainers = spawnSync('unshare', [...contained, 'true']).status === 0
if (!hasContainers) console.warn('SKIPPED: no container is tried, unshare is not allowed')

const waiting = 'echo begun >> begun; while [ ! -e go ]; do sleep 0.05; done; echo done'
const directory = () => directoryWith(teamRunning(waiting))
const allow = ['--dangerously-skip-permissions']

async function begun(cwd: string): Promise<void> {
  await expect.poll(() => existsSync(join(cwd, 'begun'))).toBe(true)
}

/** A run in a process namespace of its own, which ends with the command that made it. */
async function inContainer(cwd: string): Promise<ChildProcess> {
  const command = [...contained, process.execPath, bin, 'run', 'one', 'Begin.', ...allow]
  const container = spawn('unshare', command, { cwd, env: { ...bareEnv, HOME: cwd }, stdio: 'ignore' })
  onTestFinished(() => void container.kill('SIGKILL'))
  await begun(cwd)
  return container
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('exit', resolve))
}

/** A run whose leader was killed, and whose files say that this was before the machine was started again. */
async function beforeReboot(cwd: string): Promise<void> {
  const { child } = start(cwd, ['run', 'one', 'Begin.', ...allow])
  await begun(cwd)
  await killed(child)
  const leases = join(onlyRun(cwd), 'lease')
  const names = readdirSync(leases).filter((name) => !name.startsWith('.'))
  expect(names).toContain('team')
  for (const file of names.flatMap((name) => readdirSync(join(leases, name)).map((n) => join(leases, name, n)))) {
    const holder = JSON.parse(readFileSync(file, 'utf8')) as { machine: string }
    const [, namespace] = /-(\d+)$/.exec(holder.machine) ?? []
    // This process lives: only its boot tells that it is not the holder.
    const other = { ...holder, pid: process.pid, machine: `00000000-0000-4000-8000-000000000000-${namespace}` }
    writeFileSync(file, JSON.stringify(other))
  }
}

describe('a run that was cut off by a reboot', () => {
  test('is interrupted, and led on at once', async () => {
    const cwd = directory()
    await beforeReboot(cwd)
    const listed = await troupe(cwd, ['ps', '--all', '--json'])
    expect(JSON.parse(listed.stdout)).toMatchObject([{ state: 'interrupted', stale: true, pid: null }])
    writeFileSync(join(cwd, 'go'), '')
    const { code, stdout } = await troupe(cwd, ['resume'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('The hand says:')])
  })

  test('is stopped', async () => {
    const cwd = directory()
    await beforeReboot(cwd)
    expect(await troupe(cwd, ['stop', 'one'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('gone') as string,
    })
    expect(journalOf(onlyRun(cwd), 'team').at(-1)).toMatchObject({ type: 'team.ended', status: 'aborted' })
  })
})

describe.skipIf(!hasContainers)('a run in a container', () => {
  test('that was killed is led on from outside, after a look for a sign of life', { timeout: 60_000 }, async () => {
    const cwd = directory()
    await killed(await inContainer(cwd))
    writeFileSync(join(cwd, 'go'), '')
    const { code, stdout, stderr } = await troupe(cwd, ['resume'])
    expect(stderr).toContain('waiting up to 10 s for a sign of life')
    expect([code, stdout]).toEqual([0, expect.stringContaining('The hand says:')])
  })

  test('that lives is neither led on nor stopped from outside', { timeout: 60_000 }, async () => {
    const cwd = directory()
    const container = await inContainer(cwd)
    const resumed = await troupe(cwd, ['resume'])
    expect(resumed).toMatchObject({ code: 2, stderr: expect.stringContaining('is led by process 1 ') as string })
    expect(resumed.stderr).toContain('--force')
    const stopped = await troupe(cwd, ['stop', 'one'])
    expect(stopped).toMatchObject({ code: 1, stderr: expect.stringContaining('stop it there') as string })
    expect(existsSync(join(onlyRun(cwd), 'stopped.json'))).toBe(false)
    await killed(container)
  })
})
