import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { markedProcesses } from '../../src/adapters/process/end-process.ts'
import { isAlive } from '../../src/adapters/process/liveness.ts'
import { listRuns, readRun } from '../../src/adapters/sessions/read-run.ts'
import type { ExecutorKind } from '../../src/protocol/team-card.ts'
import { recordOfRun, runsRoot } from '../../src/runtime/read-runs.ts'
import { oneOf, seeded } from './random.ts'

/*
 * A scripted team of workers in processes of their own, while its leader and its workers are killed at random moments
 * and the leader is started again with `troupe resume`. What must hold whatever is killed: the answer is the undisturbed
 * one, each mail is received once, no command that may write ran twice, nothing is left running.
 */
export interface TeamStorm {
  readonly seed: number
  readonly executor: ExecutorKind
  readonly workers: number
  /** Commands of each worker. */
  readonly turns: number
  /** How often the leader is killed at most. */
  readonly leaders: number
}

export interface Aftermath {
  readonly answer: string | null
  readonly expected: string
  readonly lives: number
  readonly repeated: readonly string[]
  readonly doubled: number
  readonly left: readonly number[]
}

const bin = join(import.meta.dirname, '../../src/ui/cli/bin.ts')

export async function teamStorm(storm: TeamStorm): Promise<Aftermath> {
  const cwd = mkdtempSync(join(tmpdir(), 'troupe-storm-'))
  try {
    const names = Array.from({ length: storm.workers }, (_, index) => `w${index + 1}`)
    writeTeam(cwd, names, storm)
    const random = seeded(storm.seed)
    const strike = (): void => killWorker(cwd, random)
    const args = ['run', 'teams/team.yaml', 'Begin.', '--executor', storm.executor, '--mode', 'bypassPermissions']
    let killed = await lead(cwd, [...args, '--dangerously-skip-permissions'], {
      ms: killAfter(random, storm.leaders),
      strike,
    })
    for (let lives = 1; killed; lives += 1) {
      const mercy = lives >= storm.leaders ? null : killAfter(random, storm.leaders)
      killed = await lead(cwd, ['resume'], { ms: mercy, strike })
    }
    return aftermath(cwd, names.map((name) => `${name} did ${storm.turns}`).join(', '))
  } finally {
    rmSync(cwd, { recursive: true, force: true, maxRetries: 5 })
  }
}

function killAfter(random: () => number, leaders: number): number | null {
  return leaders === 0 ? null : 600 + random() * 1_500
}

/** Each command writes its own line: a second one of the same would show. */
function writeTeam(cwd: string, names: readonly string[], { turns }: TeamStorm): void {
  mkdirSync(join(cwd, 'teams'))
  const card = { description: 'Works.', prompt: 'You work.', tools: ['Bash'], max_turns: turns + 2 }
  const workers = names.map((name) => [name, card] as const)
  const supervision = { restarts: 1_000, within: '1m' }
  const team = { name: 'storm', model: 'scripted/script.yaml', coordinator: { prompt: 'You lead.' }, supervision }
  writeFileSync(join(cwd, 'teams', 'team.yaml'), stringify({ ...team, workers: Object.fromEntries(workers) }))
  const step = (name: string, turn: number) => ({
    calls: [{ tool: 'Bash', input: { command: `echo ${name}-${turn} >> effects; sleep 0.02` } }],
  })
  const script = names.map(
    (name) =>
      [
        name,
        { steps: [...Array.from({ length: turns }, (_, turn) => step(name, turn)), { say: `${name} did ${turns}` }] },
      ] as const,
  )
  const subtasks = names.map((worker) => ({ worker, task: 'Work.' }))
  const said = names.map((name) => `{{mail.${name}}}`).join(', ')
  const steps = [{ calls: [{ tool: 'Delegate', input: { subtasks } }] }, { say: said }]
  const agents = { lead: { steps }, ...Object.fromEntries(script) }
  writeFileSync(join(cwd, 'teams', 'script.yaml'), stringify({ agents }))
}

/** What befalls one life of a leader: half-way a worker is struck, then the leader itself. */
interface Fate {
  readonly ms: number | null
  strike(): void
}

/** Kills one living worker, whichever. */
function killWorker(cwd: string, random: () => number): void {
  const [run] = listRuns(runsRoot(cwd))
  const members = run ? readRun(run.dir).members : []
  const living = members.filter(({ executor, pid, started }) => executor !== 'in-process' && isAlive(pid, started))
  if (living.length > 0) process.kill(oneOf(random, living).pid, 'SIGKILL')
}

/** One life of the leader; says whether it was killed, or ended before. */
function lead(cwd: string, args: readonly string[], { ms, strike }: Fate): Promise<boolean> {
  const env = { PATH: process.env['PATH'], HOME: join(cwd, 'home') }
  const child = spawn(process.execPath, [bin, ...args], { cwd, env, stdio: 'ignore' })
  const timers: NodeJS.Timeout[] = []
  // Before there is a run there is nothing to lead on.
  const begun = setInterval(() => {
    const [run] = listRuns(runsRoot(cwd))
    if (ms === null || !run || !existsSync(join(run.dir, 'journal', 'team.jsonl'))) return
    clearInterval(begun)
    timers.push(
      setTimeout(strike, ms / 2),
      setTimeout(() => child.kill('SIGKILL'), ms),
    )
  }, 20)
  return new Promise((resolve) => {
    child.on('close', (_, signal) => {
      clearInterval(begun)
      for (const timer of timers) clearTimeout(timer)
      resolve(signal === 'SIGKILL')
    })
  })
}

function aftermath(cwd: string, expected: string): Aftermath {
  const dir = listRuns(runsRoot(cwd))[0]?.dir ?? cwd
  const { recorded } = recordOfRun(dir)
  // A leader that is killed after the end has nothing left to say, and nobody leads an ended run on.
  const end = recorded.findLast(({ entry }) => entry.type === 'team.ended')?.entry
  const received = recorded.flatMap(({ entry }) => (entry.type === 'mail.received' ? [entry.envelope.id] : []))
  const effects = readFileSync(join(cwd, 'effects'), 'utf8').trimEnd().split('\n')
  const lives = recorded.flatMap(({ entry }) => (entry.type === 'member.started' ? [entry.incarnation] : []))
  const members = readRun(dir).members.filter(({ pid, started }) => isAlive(pid, started))
  return {
    answer: end?.type === 'team.ended' ? end.result : null,
    expected,
    lives: lives.length,
    repeated: effects.filter((line, index) => effects.indexOf(line) !== index),
    doubled: received.length - new Set(received).size,
    left: [...lives.flatMap((life) => markedProcesses(life)), ...members.map(({ pid }) => pid)],
  }
}
