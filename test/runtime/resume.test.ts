import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { markedProcesses } from '../../src/adapters/process/end-process.ts'
import { isAlive } from '../../src/adapters/process/liveness.ts'
import { readMember, readRun } from '../../src/adapters/sessions/read-run.ts'
import { runDirectory } from '../../src/adapters/sessions/run-directory.ts'
import type { Fact } from '../../src/protocol/facts/fact.ts'
import { leaderName } from '../../src/protocol/words/ids.ts'
import type { ExecutorKind } from '../../src/protocol/team/team-card.ts'
import { systemClock } from '../../src/runtime/actors/clock.ts'
import { openOwned } from '../../src/runtime/journals/ledger.ts'
import { recordOfRun } from '../../src/runtime/runs/read-runs.ts'
import { resumeTeam } from '../../src/runtime/run/resume-team.ts'
import { onlyRun } from '../ui/cli/process/troupe.ts'
import { tempDir } from './support/stage.ts'
import { bareEnv } from '../support/bare-env.ts'
import { everyEntry } from '../support/every-entry.ts'

const crew = (executor: ExecutorKind) => ({
  name: 'crew',
  model: 'scripted/script.yaml',
  coordinator: { prompt: 'You lead.' },
  workers: Object.fromEntries(
    ['ana', 'bo'].map((name) => [
      name,
      { description: 'Looks.', prompt: 'You look.', tools: ['LS', 'Bash'], executor },
    ]),
  ),
})

const slowly = 'echo begun >> begun; while [ ! -e go ]; do sleep 0.05; done; echo done'

const script = {
  lead: {
    steps: [
      {
        calls: [
          {
            tool: 'Delegate',
            input: {
              subtasks: [
                { worker: 'ana', task: 'Wait.' },
                { worker: 'bo', task: 'Look.' },
              ],
            },
          },
        ],
      },
      { say: 'ana: {{mail.ana}}, bo: {{mail.bo}}' },
    ],
  },
  ana: { steps: [{ calls: [{ tool: 'Bash', input: { command: slowly } }] }, { say: 'I waited.' }] },
  bo: { steps: [{ calls: [{ tool: 'LS', input: { path: 'teams' } }] }, { say: 'I looked.' }] },
}

/** A run whose leader was killed while ana was in the middle of her command. */
async function killedLeader(executor: ExecutorKind) {
  const cwd = tempDir()
  mkdirSync(join(cwd, 'teams'))
  writeFileSync(join(cwd, 'teams', 'team.yaml'), stringify(crew(executor)))
  writeFileSync(join(cwd, 'teams', 'script.yaml'), stringify({ agents: script }))
  const args = ['run', 'teams/team.yaml', 'Begin.', '--mode', 'bypassPermissions', '--dangerously-skip-permissions']
  const leader = spawn(process.execPath, [join(import.meta.dirname, '../../src/ui/cli/bin.ts'), ...args], {
    cwd,
    env: { ...bareEnv, HOME: join(cwd, 'home') },
    stdio: 'ignore',
  })
  onTestFinished(() => void leader.kill('SIGKILL'))
  await until(() => existsSync(join(cwd, 'begun')) && idle(cwd, 'bo'))
  leader.kill('SIGKILL')
  await new Promise((resolve) => leader.once('exit', resolve))
  return { cwd, dir: onlyRun(cwd) }
}

function idle(cwd: string, member: string): boolean {
  return readMember(onlyRun(cwd), member)?.state === 'idle'
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20))
}

const options = (cwd: string) => ({ home: join(cwd, 'home'), env: bareEnv })

describe('a run whose leader was killed', () => {
  test('goes on with workers that started again, which are told what was cut off', async () => {
    const { cwd, dir } = await killedLeader('in-process')
    writeFileSync(join(cwd, 'go'), '')
    const ended = await (await resumeTeam(dir, options(cwd))).result
    expect(ended).toMatchObject({ status: 'completed', result: 'ana: I waited., bo: I looked.' })
    expect(readFileSync(join(cwd, 'begun'), 'utf8')).toBe('begun\n')
    expectTidy(dir)
  })

  test('takes over workers that live on, in the middle of what they do', async () => {
    const { cwd, dir } = await killedLeader('process')
    const before = readMember(dir, 'ana')
    const run = await resumeTeam(dir, options(cwd))
    const adopted = new Promise<void>((resolve) => {
      run.subscribe(({ entry }) => {
        if (entry.type === 'member.spawned' && entry.member === 'ana') resolve()
      })
    })
    await adopted
    writeFileSync(join(cwd, 'go'), '')
    expect(await run.result).toMatchObject({ status: 'completed', result: 'ana: I waited., bo: I looked.' })
    expect(readMember(dir, 'ana')).toMatchObject({ pid: before?.pid, incarnation: before?.incarnation })
    expect(readFileSync(join(cwd, 'begun'), 'utf8')).toBe('begun\n')
    expectTidy(dir)
  })

  test.each(['in-process', 'process'] as const)(
    'starts a worker (%s) again that had crashed, and whose next start was still to come',
    async (executor) => {
      const { cwd, dir } = await killedLeader(executor)
      if (executor === 'process') process.kill(readMember(dir, 'ana')?.pid ?? 0, 'SIGKILL')
      noteCrash(dir, 'ana')
      writeFileSync(join(cwd, 'go'), '')
      const ended = await (await resumeTeam(dir, options(cwd))).result
      expect(ended).toMatchObject({ status: 'completed', result: 'ana: I waited., bo: I looked.' })
      expectTidy(dir)
    },
  )

  test('is led on by one, and by nobody who looked at it before that one ended it', async () => {
    const { cwd, dir } = await killedLeader('in-process')
    const run = await resumeTeam(dir, options(cwd))
    asLeader(dir, [
      { type: 'team.resumed', pid: 4711 },
      { type: 'team.ended', status: 'completed', reason: 'completed', result: 'Theirs.' },
    ])
    await expect(run.result).rejects.toThrow(/ was led on by another process in this moment/)
    const { recorded } = recordOfRun(dir)
    expect(recorded.at(-1)?.entry).toMatchObject({ type: 'team.ended', result: 'Theirs.' })
  })

  test('is refused to a second leader with the process and the start of the first', async () => {
    const { cwd, dir } = await killedLeader('in-process')
    const isLed = new RegExp(` is led by process ${process.pid} \\(start \\d+, since `)
    const run = await resumeTeam(dir, options(cwd))
    const first = openTeamJournal(dir)
    await expect(run.result).rejects.toThrow(isLed)
    await expect(resumeTeam(dir, options(cwd))).rejects.toThrow(isLed)
    first.close()
    writeFileSync(join(cwd, 'go'), '')
    expect(await (await resumeTeam(dir, options(cwd))).result).toMatchObject({ status: 'completed' })
  })
})

/** The last thing that its leader wrote. */
function noteCrash(dir: string, member: string): void {
  asLeader(dir, [{ type: 'member.crashed', member, error: 'its process ended without a word' }])
}

/** Writes what a leader wrote that came and went. */
function asLeader(dir: string, facts: readonly Fact[]): void {
  const journal = openTeamJournal(dir)
  journal.append(facts)
  journal.close()
}

function openTeamJournal(dir: string) {
  const run = runDirectory(dir, { name: 'crew', coordinator: 'lead' })
  const clock = systemClock()
  return openOwned({ run, clock }, { owner: leaderName, incarnation: clock.mint() }, everyEntry).journal
}

/** Nothing is lost, doubled or left over. */
function expectTidy(dir: string): void {
  const { recorded, problems } = recordOfRun(dir)
  expect(problems).toEqual([])
  const received = recorded.flatMap(({ entry }) => (entry.type === 'mail.received' ? [entry.envelope.id] : []))
  expect(received).toHaveLength(4)
  expect(new Set(received).size).toBe(4)
  const settled = recorded.flatMap(({ entry }) => (entry.type === 'request.settled' ? [entry.request] : []))
  expect(settled.toSorted()).toEqual(['r1', 'r2'])
  for (const { pid, started, incarnation, state } of readRun(dir).members) {
    expect(state).toBe('gone')
    expect(pid !== process.pid && isAlive(pid, started)).toBe(false)
    expect(markedProcesses(incarnation)).toEqual([])
  }
}
