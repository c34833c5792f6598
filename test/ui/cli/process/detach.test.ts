import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isAlive } from '../../../../src/adapters/process/liveness.ts'
import { livingLeader } from '../../../../src/runtime/runs/leader.ts'
import { main } from '../../../../src/ui/cli/main.ts'
import { fakeHost } from '../fake-host.ts'
import { directoryWith, emptyDirectory, journalOf, onlyRun, teamRunning, troupe } from './troupe.ts'

const patiently = () => directoryWith(teamRunning('while [ ! -e go ]; do sleep 0.05; done; pwd'))
const bypass = '--dangerously-skip-permissions'

describe('a detached run', () => {
  test('goes on without whoever started it, and is followed to its end', async () => {
    const cwd = patiently()
    const { code, stdout } = await troupe(cwd, ['run', 'one', '--detach', '--json', bypass])
    expect(code).toBe(0)
    const said = JSON.parse(stdout) as { run: string; run_dir: string; pid: number }
    onTestFinished(() => end(said.pid))
    expect(livingLeader(onlyRun(cwd))).toMatchObject({ pid: said.pid })
    const listed = JSON.parse((await troupe(cwd, ['ps', '--json'])).stdout) as unknown
    expect(listed).toMatchObject([{ id: said.run, state: 'running', pid: said.pid, stale: false, cost_usd: 0 }])
    writeFileSync(join(cwd, 'go'), '')
    const { stdout: transcript } = await troupe(cwd, ['logs', '-f', said.run])
    expect(transcript).toContain(`The hand says: It printed ${cwd}`)
    expect(journalOf(onlyRun(cwd), 'team').at(-1)).toMatchObject({ type: 'team.ended', status: 'completed' })
    expect(existsSync(join(onlyRun(cwd), 'log', 'team.log'))).toBe(true)
  })

  test('is told on a terminal by commands that work as they stand, and without a table of members', async () => {
    const [cwd, elsewhere] = [patiently(), emptyDirectory()]
    const host = fakeHost({ cwd: elsewhere, home: cwd, env: process.env, terminal: { columns: 80, rows: 24 } })
    host.stdin.isTTY = true
    expect(await main(['run', join(cwd, 'teams/one.yaml'), 'Go.', '--cwd', cwd, '--detach', bypass], host)).toBe(0)
    const leader = livingLeader(onlyRun(cwd))
    onTestFinished(() => end(leader?.pid ?? 0))
    const id = host.stdout.text.trim()
    const about = `${id} --cwd ../${basename(cwd)}`
    expect(host.stderr.text.split('\n')).toEqual([
      `The run goes on by itself; process ${leader?.pid} leads it.`,
      `watch it: troupe attach ${about}`,
      `read it: troupe logs -f ${about}`,
      `stop it: troupe stop ${about}`,
      `list runs: troupe ps --cwd ../${basename(cwd)}`,
      '',
    ])
    const stop = host.stderr.text.match(/stop it: troupe (.+)/)?.[1]?.split(' ') ?? []
    expect(await troupe(elsewhere, stop)).toMatchObject({ code: 0 })
  })

  test('is stopped for good: nobody leads it on, and nothing of it is left', async () => {
    const cwd = patiently()
    const { stdout: id } = await troupe(cwd, ['run', 'one', '--detach', '--executor', 'process', bypass])
    const leader = livingLeader(onlyRun(cwd))
    onTestFinished(() => end(leader?.pid ?? 0))
    const stopped = await troupe(cwd, ['stop', id.trim(), '--reason', 'wrong branch', '--json'])
    expect(stopped.code).toBe(0)
    expect(JSON.parse(stopped.stdout)).toEqual({ run: id.trim(), outcome: 'ended' })
    expect(isAlive(leader?.pid ?? 0, leader?.started ?? 0)).toBe(false)
    const again = await troupe(cwd, ['resume', id.trim()])
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('was stopped (wrong branch)') as unknown })
    expect((await troupe(cwd, ['ps'])).stdout).toBe('')
    expect(livingLeader(onlyRun(cwd))).toBeNull()
  })

  test('that cannot begin says why, and never was', async () => {
    const cwd = directoryWith({ ...teamRunning('pwd'), 'teams/one.script.yaml': 'agents: 7' })
    const { code, stdout, stderr } = await troupe(cwd, ['run', 'one', '--detach'])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('ended before it led')
    expect(stderr).toContain('one.script.yaml')
    expect(readdirSync(join(cwd, '.troupe', 'runs'))).toEqual([])
  })
})

/** What a failed test would leave behind. */
function end(pid: number): void {
  try {
    if (pid > 0) process.kill(pid, 'SIGKILL')
  } catch {
    // It ended.
  }
}
