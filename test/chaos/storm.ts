import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { namesIn } from '../../src/adapters/fs/names-in.ts'
import { claimedIn, mailFolders } from '../../src/adapters/mailbox/files/mail-files.ts'
import { noteSilence } from '../../src/adapters/lease/heartbeat.ts'
import type { Holder } from '../../src/adapters/lease/lease.ts'
import { createRun } from '../../src/adapters/sessions/run-directory.ts'
import { systemClock } from '../../src/runtime/actors/clock.ts'
import { sampleTeam } from '../contracts/sample-team.ts'
import { outlivedExit, refusedExit, type Plan } from './life.ts'
import { oneOf, seeded } from './random.ts'
import { withoutGraves, withUnmovable } from './stuck-box.ts'
import { emptyTally, tallyRun, type Tally } from './tally.ts'

/** Where a process can be killed by name, and how late at most; the rest die at a random moment. */
const takeover = { 'lease.judged': 1, 'lease.taken': 1 } as const
const sending = { ...takeover, 'sent.journaled': 8, 'tmp.written': 8, 'new.renamed': 8 } as const
const receiving = {
  ...takeover,
  'reconciled.one': 2,
  'claimed.one': 8,
  'claimed.read': 4,
  'claimed.all': 4,
  'received.journaled': 4,
  'acked.one': 8,
} as const

/** Every named moment at which processes die. */
export const killPoints = [...new Set(Object.keys({ ...sending, ...receiving }))]

export interface Storm {
  readonly tally: Tally
  /** Kills by the step they came at; `any` for random moments. */
  readonly points: Readonly<Record<string, number>>
  /** How often a second owner was turned away. */
  readonly refusals: number
  /** How often an owner thawed after its successor had come. */
  readonly outlived: number
}

export interface StormOptions {
  readonly kills: number
  readonly seed: number
  readonly onProgress?: (kills: number) => void
}

/** One run directory sees this many kills, so that journals stay short and lives quick. */
const killsPerRun = 250
const cast = { senders: ['ann', 'ben', 'cat'], receivers: ['dan', 'eve'] }

/**
 * Lets real processes send and receive while they are killed, each again and again, until enough have died; then lets
 * the last ones finish and compares what was sent with what was received.
 * @throws when a process fails by itself, as one does that finds another owner in its place
 */
export async function storm({ kills, seed, onProgress }: StormOptions): Promise<Storm> {
  const random = seeded(seed)
  const total = { tally: emptyTally(), points: {} as Record<string, number>, refusals: 0, outlived: 0 }
  while (total.tally.kills < kills) {
    const wanted = Math.min(killsPerRun, kills - total.tally.kills)
    const one = await stormOneRun(wanted, random)
    for (const [name, count] of Object.entries(one.tally)) total.tally[name as keyof Tally] += count
    for (const [name, count] of Object.entries(one.points)) total.points[name] = (total.points[name] ?? 0) + count
    total.refusals += one.refusals
    total.outlived += one.outlived
    onProgress?.(total.tally.kills)
  }
  return total
}

interface Ground {
  readonly plan: Omit<Plan, 'name'>
  readonly random: () => number
  readonly wanted: number
  readonly points: Record<string, number>
  kills: number
  refusals: number
  outlived: number
}

async function stormOneRun(wanted: number, random: () => number): Promise<Storm> {
  const home = mkdtempSync(join(tmpdir(), 'troupe-chaos-'))
  try {
    const { dir } = createRun({
      root: join(home, 'runs'),
      home,
      team: { ...sampleTeam(), name: 'chaos' },
      task: 'Survive.',
      cwd: home,
      git_head: null,
      ulid: systemClock().mint(),
      created: 1,
    })
    withoutGraves(join(dir, 'mail'), 'dan')
    withUnmovable(join(dir, 'mail'), 'eve')
    const ground: Ground = {
      plan: { home, dir, ...cast },
      random,
      wanted,
      points: {},
      kills: 0,
      refusals: 0,
      outlived: 0,
    }
    await Promise.all([...cast.senders, ...cast.receivers].map((name) => dieAgainAndAgain(ground, name)))
    for (const name of [...cast.senders, ...cast.receivers]) await ended(start({ ...ground.plan, name, last: true }))
    return {
      tally: { ...tallyRun(ground.plan), kills: ground.kills },
      points: ground.points,
      refusals: ground.refusals,
      outlived: ground.outlived,
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

async function dieAgainAndAgain(ground: Ground, name: string): Promise<void> {
  const { random, plan } = ground
  while (ground.kills < ground.wanted) {
    if (random() < 0.05) await outliveLease(ground, name)
    const named = random() < 0.75 ? pointFor(plan.senders.includes(name) ? sending : receiving, random) : null
    const life = { ...plan, name, ...(named ? { kill: named } : {}) }
    const rivals = random() < 0.1 ? [start(life), start(life)] : [start(life)]
    const ends = await Promise.all(rivals.map((child) => killedOrRefused(child, named ? 1000 : random() * 60)))
    for (const end of ends) {
      if (end === 'refused') ground.refusals += 1
      else {
        ground.kills += 1
        const point = end === 'step' ? (named?.step ?? 'any') : 'any'
        ground.points[point] = (ground.points[point] ?? 0) + 1
      }
    }
    if (random() < 0.15) tear(plan.dir, name)
    if (plan.receivers.includes(name) && random() < 0.3) clutter(ground, name)
  }
}

/** Where owners are frozen: about to write, having written, and in between. */
const sendingStill = ['sent.journaled', 'tmp.written', 'new.renamed'] as const
const receivingStill = ['claimed.one', 'claimed.all', 'claimed.read', 'received.journaled', 'acked.one'] as const

/**
 * Freezes an owner in a step, makes its lease one of a machine that gives no sign of life, lets a successor come, and thaws
 * it: it must not do anything that counts.
 */
async function outliveLease(ground: Ground, name: string): Promise<void> {
  const { plan, random } = ground
  const step = oneOf<string>(random, plan.senders.includes(name) ? sendingStill : receivingStill)
  const frozen = start({ ...plan, name, kill: { step, nth: 1, signal: 'SIGSTOP' } })
  const end = once(frozen, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  ground.kills += 1
  // The step may come while it opens its box, and with no mail at hand it does not come at all.
  const isStill = await standsStill(frozen)
  if (!isStill) {
    frozen.kill('SIGKILL')
    await end
    return
  }
  moveElsewhere(plan.dir, name)
  const successor = start({ ...plan, name })
  await ready(successor)
  frozen.kill('SIGCONT')
  const thawed = await Promise.race([end, pause(500, null)])
  if (thawed === null) frozen.kill('SIGKILL')
  else if (thawed[0] !== outlivedExit)
    throw new Error(`an owner that lost its lease ended with ${thawed[0] ?? thawed[1]}`)
  successor.kill('SIGKILL')
  await Promise.all([end, once(successor, 'exit')])
  ground.outlived += 1
}

async function standsStill(child: ChildProcess): Promise<boolean> {
  let isReady = false
  void ready(child).then(() => (isReady = true))
  for (let looks = 0; looks < 40; looks += isReady ? 1 : 0) {
    const stat = readFileSync(`/proc/${child.pid ?? 0}/stat`, 'latin1')
    if (stat.slice(stat.lastIndexOf(')') + 2).startsWith('T')) return true
    await pause(5)
  }
  return false
}

/** Of no process here, as a process of another machine is of none. */
const nobody = '999999999.1'

function moveElsewhere(dir: string, name: string): void {
  const lease = join(dir, 'lease')
  const [latest = '1'] = readdirSync(join(lease, name)).toSorted((a, b) => Number(b) - Number(a))
  const file = join(lease, name, latest)
  const holder = JSON.parse(readFileSync(file, 'utf8')) as Holder
  const moved = { ...holder, machine: 'elsewhere', host: undefined }
  writeFileSync(file, JSON.stringify(moved))
  noteSilence(lease, moved, '')
  const claims = join(dir, 'mail', name, 'cur')
  if (!existsSync(claims)) return
  mkdirSync(join(claims, nobody), { recursive: true })
  for (const { claim, file } of claimedIn(mailFolders(join(dir, 'mail'), name)))
    renameSync(join(claims, claim, file), join(claims, nobody, file))
}

function ready({ stdout }: ChildProcess): Promise<unknown> {
  return stdout ? once(stdout, 'data') : Promise.resolve()
}

function pointFor(points: Readonly<Record<string, number>>, random: () => number): Plan['kill'] & {} {
  const isTakeover = random() < 0.15
  const wanted = Object.entries(points).filter(([step]) => step.startsWith('lease.') === isTakeover)
  const [step, latest] = oneOf(random, wanted)
  return { step, nth: 1 + Math.floor(random() * latest) }
}

type End = 'refused' | 'step' | 'lived'

/** Waits until a process dies of its own step, is turned away, or has lived for a moment and is killed. */
async function killedOrRefused(child: ChildProcess, ms: number): Promise<End> {
  let lived = false
  child.stdout?.once('data', (said: Buffer) => {
    if (said.toString().startsWith('ready')) {
      setTimeout(() => {
        lived = child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')
      }, ms)
    }
  })
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  if (signal === 'SIGKILL') return lived ? 'lived' : 'step'
  if (code === refusedExit) return 'refused'
  throw new Error(`a process ended by itself with ${code ?? signal}`)
}

async function ended(child: ChildProcess): Promise<void> {
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`a last life ended with ${code}`)
}

/** What a kill in the middle of a write would leave at the end of a journal. */
function tear(dir: string, name: string): void {
  appendFileSync(join(dir, 'journal', `${name}.jsonl`), '{"v":1,"seq":')
}

/** Puts read mail back, as a copy of the box would, and beside it a file whose name is no UTF-8. */
function clutter({ random, plan: { dir } }: Ground, name: string): void {
  const folders = mailFolders(join(dir, 'mail'), name)
  const read = namesIn(folders.done)
  if (read.length === 0) return
  for (let n = 0; n < 3; n += 1) {
    const file = oneOf(random, read)
    copyFileSync(`${folders.done}/${file}`, `${folders.new}/${file}`)
  }
  const unnamable = Buffer.from([255, Math.floor(random() * 64) + 48])
  writeFileSync(Buffer.concat([Buffer.from(`${folders.new}/`), unnamable]), 'x')
}

function start(plan: Plan): ChildProcess {
  const script = plan.senders.includes(plan.name) ? 'sender-process.ts' : 'receiver-process.ts'
  const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'troupe-chaos-compiled') }
  return spawn(process.execPath, [join(import.meta.dirname, script), JSON.stringify(plan)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env,
  })
}
