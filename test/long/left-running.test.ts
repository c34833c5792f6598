import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isAlive, processStart } from '../../src/adapters/process/liveness.ts'
import { directoryWith, start, teamRunning, troupe } from '../ui/cli/process/troupe.ts'

const kinds = ['in-process', 'process'] as const

/** The process whose id a command wrote into this file; it does not outlive the test. */
function writtenIn(cwd: string, file: string): { readonly lives: () => boolean } {
  const pid = Number(readFileSync(join(cwd, file), 'utf8'))
  const started = processStart(pid)
  const lives = (): boolean => started !== null && isAlive(pid, started)
  onTestFinished(() => {
    if (lives()) process.kill(pid, 'SIGKILL')
  })
  return { lives }
}

describe.each(kinds)('commands of a worker in %s', (executor) => {
  const flags = ['--allow', 'Bash', '--executor', executor]

  test('are over when the run is, also those that obey no polite signal', async () => {
    const cwd = directoryWith(
      teamRunning(`trap '' TERM INT HUP; echo $$ > id; touch here; while :; do sleep 0.1; done`),
    )
    const { child, ended } = start(cwd, ['run', 'one', 'Begin.', ...flags])
    await expect.poll(() => existsSync(join(cwd, 'here'))).toBe(true)
    const command = writtenIn(cwd, 'id')
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 130 })
    expect(command.lives()).toBe(false)
  })

  test('may put things in order when they are told to end', async () => {
    const cwd = directoryWith(
      teamRunning(`trap 'sleep 0.3; touch tidy; exit' TERM; touch here; while :; do sleep 0.1; done`),
    )
    const { child, ended } = start(cwd, ['run', 'one', 'Begin.', ...flags])
    await expect.poll(() => existsSync(join(cwd, 'here'))).toBe(true)
    child.kill('SIGTERM')
    await ended
    expect(existsSync(join(cwd, 'tidy'))).toBe(true)
  })

  test('leave nobody behind who left their group', async () => {
    const cwd = directoryWith(teamRunning(`setsid sleep 300 > /dev/null 2>&1 & echo $! > id`))
    const { code } = await troupe(cwd, ['run', 'one', 'Begin.', ...flags])
    expect(code).toBe(0)
    await expect.poll(writtenIn(cwd, 'id').lives).toBe(false)
  })
})
