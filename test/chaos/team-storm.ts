import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '../../src/adapters/process/liveness.ts'
import { readJournal } from '../../src/adapters/sessions/read-journal.ts'
import { listRuns, readRun } from '../../src/adapters/sessions/read-run.ts'
import { endOfRun } from '../../src/projections/team/run-end.ts'
import { leaderName } from '../../src/protocol/words/ids.ts'
import { journalFile, runsRoot } from '../../src/runtime/runs/read-runs.ts'
import { aftermathOf, type Aftermath } from './aftermath.ts'
import { killPlan, type LeaderStroke, type Stroke } from './kill-plan.ts'
import { processesOf } from './left-over.ts'
import { oneOf, seeded } from './random.ts'
import { pulseOf, type Pulse } from './run-pulse.ts'
import { writeStormTeam, type StormTeam } from './storm-team.ts'
import { bareEnv } from '../support/bare-env.ts'

/*
 * A scripted team whose leader and workers are killed while it works; the leader is started again with `troupe resume`.
 * What must hold whatever is killed: the answer is the undisturbed one, each mail is received once, no command that may
 * write ran twice or was passed over in silence, and nothing is left when the run is over.
 */
export interface TeamStorm extends StormTeam {
  readonly seed: number
  /** How often a worker is killed at most. */
  readonly kills: number
  /** How often the leader is killed at most. */
  readonly leaderKills: number
  /** The command line that is tried; the sources by default. */
  readonly bin?: string
  /** Keeps the directory of a run that is not as it should be. */
  readonly keep?: boolean
}

/** Nothing was written for so long: the run hangs. */
const patienceMs = 90_000
const lookMs = 5

/** Lets one run live through its kills. */
export async function teamStorm(storm: TeamStorm): Promise<Aftermath> {
  const cwd = mkdtempSync(join(tmpdir(), 'troupe-storm-'))
  mkdirSync(join(cwd, 'home'))
  const written = writeStormTeam(cwd, storm)
  const weather = weatherOver(cwd, storm, written.answers)
  for (let words = begin; !(await live(weather, words)); words = ['resume']) continue
  // A leader that was killed after the end has nothing more to say; the next command of a person sweeps up.
  if (weather.struckLast) spawnSync(process.execPath, [weather.bin, 'ps'], { cwd, env: envOf(cwd) })
  const aftermath = { ...aftermathOf(cwd, written), ...weather.count }
  endAll(cwd)
  if (!storm.keep || aftermath.flaws.length === 0) rmSync(cwd, { recursive: true, force: true, maxRetries: 5 })
  return aftermath
}

const begin = ['run', 'teams/team.yaml', 'Begin.', '--mode', 'bypassPermissions', '--dangerously-skip-permissions']

interface Weather {
  readonly cwd: string
  readonly bin: string
  readonly random: () => number
  readonly look: () => Readonly<Pulse>
  /** What is still to come. */
  readonly workers: Due[]
  readonly leaders: LeaderStroke[]
  readonly count: { worker_kills: number; leader_kills: number }
  struckLast: boolean
}

/** A stroke, and from which number of entries on it falls: known once the run has come far enough. */
interface Due extends Stroke {
  from?: number
}

function weatherOver(cwd: string, { seed, kills, leaderKills, bin }: TeamStorm, answers: number): Weather {
  const random = seeded(seed)
  const plan = killPlan({ kills, leaderKills, answers }, random)
  return {
    cwd,
    bin: bin ?? join(import.meta.dirname, '../../src/ui/cli/bin.ts'),
    random,
    look: pulseOf(cwd),
    workers: plan.workers.map((stroke) => ({ ...stroke })),
    leaders: [...plan.leaders],
    count: { worker_kills: 0, leader_kills: 0 },
    struckLast: false,
  }
}

/** One life of the leader; says whether the run is over. */
async function live(weather: Weather, words: readonly string[]): Promise<boolean> {
  const { cwd, bin, look } = weather
  const log = openSync(join(cwd, 'leader.log'), 'a')
  const leader = spawn(process.execPath, [bin, ...words], { cwd, env: envOf(cwd), stdio: ['ignore', log, log] })
  closeSync(log)
  const ended = new Promise<void>((resolve) => leader.once('close', () => resolve()))
  const begun = { at: performance.now(), pulse: { ...look() }, changed: performance.now() }
  const timer = setInterval(() => pass(weather, leader, begun), lookMs)
  await ended
  clearInterval(timer)
  weather.struckLast = leader.signalCode === 'SIGKILL'
  return !weather.struckLast || hasEnded(cwd)
}

interface Begun {
  readonly at: number
  pulse: Pulse
  changed: number
  led?: number
}

/** One look at the run, and what follows from it. */
function pass(weather: Weather, leader: ChildProcess, begun: Begun): void {
  const { cwd, look } = weather
  const before = begun.pulse
  const pulse = { ...look() }
  if (pulse.entries !== before.entries) begun.changed = performance.now()
  if (pulse.leaders !== before.leaders) begun.led = pulse.entries
  begun.pulse = pulse
  strikeWorker(weather, pulse)
  if (performance.now() - begun.changed > patienceMs) leader.kill('SIGABRT')
  else if (isDue(weather, begun) && leader.kill('SIGKILL')) {
    const [stroke] = weather.leaders.splice(0, 1)
    weather.count.leader_kills += 1
    if (stroke?.everybody === true) endAll(cwd)
  }
}

function isDue({ leaders, cwd }: Weather, { at, pulse, led }: Begun): boolean {
  const [stroke] = leaders
  // Before there is a run there is nothing to lead on.
  if (!stroke || pulse.leaders === 0 || pulse.answers < stroke.answers || !runOf(cwd)) return false
  if (stroke.starting !== null) return performance.now() - at >= stroke.starting
  return led !== undefined && pulse.entries >= led + stroke.entries
}

/** Kills one living worker, whichever. */
function strikeWorker({ cwd, workers, random, count }: Weather, { answers, entries }: Pulse): void {
  const [next] = workers
  if (!next || answers < next.answers) return
  next.from ??= entries + next.entries
  if (entries < next.from) return
  const run = runOf(cwd)
  const living = run
    ? readRun(run).members.filter(({ executor, pid, started }) => executor !== 'in-process' && isAlive(pid, started))
    : []
  if (living.length === 0) return
  workers.shift()
  count.worker_kills += 1
  kill(oneOf(random, living).pid)
}

function runOf(cwd: string): string | undefined {
  return listRuns(runsRoot(cwd))[0]?.dir
}

function hasEnded(cwd: string): boolean {
  const dir = runOf(cwd)
  return dir !== undefined && endOfRun(readJournal(journalFile(dir, leaderName)).entries) !== null
}

function endAll(cwd: string): void {
  for (const pid of processesOf(cwd)) kill(pid)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended meanwhile.
  }
}

function envOf(cwd: string): Readonly<Record<string, string | undefined>> {
  const home = join(cwd, 'home')
  return { ...bareEnv, HOME: home, XDG_RUNTIME_DIR: join(home, 'live'), GIT_CONFIG_GLOBAL: '/dev/null' }
}
