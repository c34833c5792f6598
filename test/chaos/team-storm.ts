import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '../../src/adapters/process/liveness.ts'
import { readJournal } from '../../src/adapters/sessions/read-journal.ts'
import { listRuns, readRun, readRunFile } from '../../src/adapters/sessions/read-run.ts'
import { endOfRun } from '../../src/projections/team/run-end.ts'
import { leaderName } from '../../src/protocol/words/ids.ts'
import { journalFile, runsRoot } from '../../src/runtime/runs/read-runs.ts'
import { aftermathOf, type Aftermath } from './aftermath.ts'
import { killPlan, type LeaderStroke, type Stroke } from './kill-plan.ts'
import { processesOf } from './left-over.ts'
import { oneOf, seeded } from './random.ts'
import { pulseOf, type Pulse } from './run-pulse.ts'
import { withoutGraves } from './stuck-box.ts'
import { writeStormTeam, type StormTeam } from './storm-team.ts'
import { exitCodes } from '../../src/ui/cli/host/exit-codes.ts'
import { bareEnv } from '../support/bare-env.ts'

/*
 * A scripted team whose leader and workers are killed, interrupted or frozen while it works, and whose machine goes down;
 * the leader is started again with `troupe resume`.
 * What must hold whatever befalls them: the answer is the undisturbed one, each mail is received once, no command that may
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
/** A frozen worker goes on after this. */
const frozenMs = 3_000

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
  /** Something lies in each box that cannot be put away. */
  areStuck: boolean
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
    areStuck: false,
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
  weather.struckLast = leader.signalCode !== null || leader.exitCode === exitCodes.interrupted
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
  const { look } = weather
  const before = begun.pulse
  const pulse = { ...look() }
  if (pulse.entries !== before.entries) begun.changed = performance.now()
  if (pulse.leaders !== before.leaders) begun.led = pulse.entries
  begun.pulse = pulse
  stickBoxes(weather)
  strikeWorker(weather, pulse)
  if (performance.now() - begun.changed > patienceMs) leader.kill('SIGABRT')
  else if (isDue(weather, begun)) strikeLeader(weather, leader)
}

/** From the first moment of a run on nobody can empty the boxes of its members. */
function stickBoxes(weather: Weather): void {
  const dir = weather.areStuck ? undefined : runOf(weather.cwd)
  const file = dir === undefined ? null : readRunFile(dir)
  if (dir === undefined || !file) return
  for (const { name } of file.team.members) withoutGraves(join(dir, 'mail'), name)
  weather.areStuck = true
}

function strikeLeader({ cwd, leaders, count }: Weather, leader: ChildProcess): void {
  const [stroke] = leaders
  if (!stroke || !leader.kill(stroke.signal)) return
  leaders.shift()
  count.leader_kills += 1
  if (stroke.everybody) endAll(cwd)
  if (stroke.reboot) restartMachine(runOf(cwd) ?? cwd)
}

/** Makes the files of a run say that all processes they name were of an earlier boot, also those whose id is used again. */
function restartMachine(dir: string): void {
  const files = ['members', 'lease'].flatMap((folder) =>
    readdirSync(join(dir, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(dir, folder, name)),
  )
  for (const file of files.filter((name) => /\/(\d+|[a-z0-9-]+\.json)$/.test(name) && statSync(name).isFile())) {
    const text = readFileSync(file, 'utf8').replace(/"pid":\s*\d+/, `"pid": ${process.pid}`)
    writeFileSync(file, text.replace(/("machine":\s*")[0-9a-f-]{36}/, '$100000000-0000-4000-8000-000000000000'))
  }
}

function isDue({ leaders, cwd }: Weather, { at, pulse, led }: Begun): boolean {
  const [stroke] = leaders
  // Before there is a run there is nothing to lead on.
  if (!stroke || pulse.leaders === 0 || pulse.answers < stroke.answers || !runOf(cwd)) return false
  if (stroke.starting !== null) return performance.now() - at >= stroke.starting
  return led !== undefined && pulse.entries >= led + stroke.entries
}

/** Strikes one living worker, whichever. */
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
  const { pid } = oneOf(random, living)
  kill(pid, next.signal)
  if (next.signal === 'SIGSTOP') setTimeout(() => kill(pid, 'SIGCONT'), frozenMs)
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

function kill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended meanwhile.
  }
}

function envOf(cwd: string): Readonly<Record<string, string | undefined>> {
  const home = join(cwd, 'home')
  return { ...bareEnv, HOME: home, XDG_RUNTIME_DIR: join(home, 'live'), GIT_CONFIG_GLOBAL: '/dev/null' }
}
