import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keepHeartbeat } from '../../../src/adapters/lease/heartbeat.ts'
import { ownProcess, processStart } from '../../../src/adapters/process/liveness.ts'
import { createRun } from '../../../src/adapters/sessions/run-directory.ts'
import { watchFrozen } from '../../../src/runtime/elsewhere/frozen-workers.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'
import { tempDir } from '../support/stage.ts'

/** A worker in another process that never gives a sign by itself, and its leader's watch on a clock of the test. */
function watched(executor: 'process' | 'in-process' = 'process') {
  const cwd = tempDir()
  const sample = sampleTeam(['lead', 'ana'])
  const members = sample.members.map((card) => (card.name === 'ana' ? { ...card, executor } : card))
  const team = { ...sample, members }
  const place = { root: join(cwd, '.troupe/runs'), home: join(cwd, 'home'), cwd, git_head: null }
  const run = createRun({ ...place, team, task: 'Go.', ulid: '01J00000000000000000000000', created: 1 })
  const child = spawn('sleep', ['600'], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const pid = child.pid ?? 0
  const life = { ...ownProcess(), pid, started: processStart(pid) ?? 0 }
  const file = { id: 'ana@demo', incarnation: 'i', executor, pane: null, state: 'busy', unread: 0 } as const
  run.writeMember({ ...file, ...life })
  const said: string[] = []
  let due: () => void = () => undefined
  const clock = {
    now: () => 1,
    mint: () => '',
    setTimeout: (act: () => void) => void (due = act),
    clearTimeout: () => (due = () => undefined),
  }
  const stop = watchFrozen({ run, team, clock }, (_, message) => said.push(message))
  const looks = (times: number): void => Array.from({ length: times }).forEach(() => due())
  const beats = (count: number): void => {
    mkdirSync(join(run.lease, '.processes'), { recursive: true })
    writeFileSync(join(run.lease, '.processes', `${life.pid}.${life.started}.${hashHere(run.lease)}`), String(count))
  }
  return { child, said, looks, beats, stop }
}

/** The end of the name of a heartbeat on this machine. */
function hashHere(lease: string): string {
  const end = keepHeartbeat(lease)
  const [name = ''] = readdirSync(join(lease, '.processes'))
  end()
  return name.split('.')[2] ?? ''
}

test('a worker that stands still for a minute is killed, whatever it was doing', async () => {
  const { child, said, looks } = watched()
  looks(12)
  expect([child.signalCode, said]).toEqual([null, []])
  looks(1)
  await once(child, 'exit')
  expect(said).toEqual([`ana has not moved for 60 s; its process ${child.pid} is killed`])
})

test('a worker that gives a sign now and then lives, however long its leader itself stood still', () => {
  const { child, said, looks, beats } = watched()
  for (const count of [1, 2, 3]) {
    beats(count)
    looks(12)
  }
  expect([child.signalCode, said]).toEqual([null, []])
})

test('members in the process of the leader, and none after the end of the watch, are looked at', () => {
  const here = watched('in-process')
  here.looks(20)
  const ended = watched()
  ended.stop()
  ended.looks(20)
  expect([here.said, ended.said]).toEqual([[], []])
})
