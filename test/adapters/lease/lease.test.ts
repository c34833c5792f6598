import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Holder, acquireLease, LeaseHeld, LeaseLost } from '../../../src/adapters/lease/lease.ts'
import { hasHeartbeat, keepHeartbeat } from '../../../src/adapters/lease/heartbeat.ts'
import { ownMachine, ownProcess, processStart } from '../../../src/adapters/process/liveness.ts'

const script = join(import.meta.dirname, 'holding-process.ts')
let dir: string
let children: ChildProcess[]
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'troupe-lease-'))
  children = []
})
afterEach(async () => {
  for (const child of children) await killed(child)
  rmSync(dir, { recursive: true, force: true })
})

let lives = 0
const acquire = (now = 1) => acquireAt(() => now)
const acquireAt = (now: () => number) => acquireLease({ dir, name: 'lead', incarnation: `i${(lives += 1)}`, now })
const epochs = () => readdirSync(join(dir, 'lead')).toSorted()

interface Attempt {
  readonly child: ChildProcess
  readonly said: { readonly epoch?: number; readonly error?: string }
}

async function attempt(): Promise<Attempt> {
  const child = spawn(process.execPath, [script, dir, 'lead', `c${(lives += 1)}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { child, said: JSON.parse(line) as Attempt['said'] }
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const placeHolder = (n: number, holder: Partial<Holder>) => {
  mkdirSync(join(dir, 'lead'), { recursive: true })
  const whole = { ...ownProcess(), machine: ownMachine(), incarnation: 'old', at: 1, ...holder }
  writeFileSync(join(dir, 'lead', String(n)), JSON.stringify(whole))
}

describe('one owner', () => {
  test('a second one is refused with process, start and time, in the same process too', () => {
    const lease = acquire()
    const { pid, started } = ownProcess()
    const text = `lead is owned by process ${pid} (start ${started}, since 1970-01-01T00:00:00.001Z)`
    expect(() => acquire()).toThrow(text)
    expect(() => acquire()).toThrow(LeaseHeld)
    lease.check()
    expect(epochs()).toEqual(['1'])
  })

  test('another process is refused while this one lives', async () => {
    acquire()
    const { said } = await attempt()
    expect(said.error).toContain(`process ${process.pid} (start ${ownProcess().started}`)
  })

  test('who gave it up is followed at once, and may not go on', () => {
    const first = acquire()
    first.release()
    expect(() => first.check()).toThrow(LeaseLost)
    const second = acquire()
    expect(second.epoch).toBe(2)
    first.release()
    second.check()
  })

  test('who gave it up on a disk that took no word of that is followed at once', () => {
    const lease = acquire()
    // Nothing can be written beside the epoch: neither a file nor over this folder.
    mkdirSync(join(dir, 'lead', `.unfinished-i${lives}`))
    lease.release()
    expect(readFileSync(join(dir, 'lead', '1'), 'utf8')).toBe('')
    expect(acquire().epoch).toBe(2)
  })

  test('a killed process is followed at once', async () => {
    const { child, said } = await attempt()
    expect(said).toEqual({ epoch: 1 })
    expect(() => acquire()).toThrow(`process ${child.pid}`)
    await killed(child)
    expect(acquire().epoch).toBe(2)
  })

  test('a process id that is used again does not count as the old process', () => {
    placeHolder(1, { started: ownProcess().started + 1 })
    expect(acquire().epoch).toBe(2)
  })

  test('of many that find a dead owner exactly one becomes it', async () => {
    placeHolder(7, { pid: 999_999_999 })
    const attempts = await Promise.all([...Array(6).keys()].map(attempt))
    const winners = attempts.filter(({ said }) => said.epoch !== undefined)
    expect(winners.map(({ said }) => said.epoch)).toEqual([8])
    for (const { said } of attempts.filter((one) => !winners.includes(one))) {
      expect(said.error).toContain(`process ${winners[0]?.child.pid}`)
    }
  })
})

describe('the fence', () => {
  test('stops an owner as soon as another one has come', () => {
    const lease = acquire()
    placeHolder(1, { pid: 999_999_999 })
    acquire().check()
    expect(() => lease.check()).toThrow('lead belongs to another process by now')
    lease.release()
    expect(JSON.parse(readFileSync(join(dir, 'lead/2'), 'utf8'))).not.toHaveProperty('released')
  })

  test('stops an owner that another one followed who was killed before it did anything, too', () => {
    let at = 1
    const lease = acquireAt(() => at)
    placeHolder(2, { pid: 999_999_999 })
    lease.check()
    acquire().check()
    at = 2
    expect(() => lease.check()).toThrow(LeaseLost)
    expect(epochs()).toEqual(['3'])
  })

  test.each([
    ['a millisecond later', 6],
    ['once the clock was set back', 4],
  ])('looks once a millisecond: what it found holds no longer %s', (_, next) => {
    let at = 5
    const lease = acquireAt(() => at)
    lease.check()
    rmSync(join(dir, 'lead', '1'))
    lease.check()
    at = next
    expect(() => lease.check()).toThrow(LeaseLost)
    expect(() => lease.check()).toThrow(LeaseLost)
  })

  test('stops who gave it up, however short ago it looked', () => {
    const lease = acquire()
    lease.check()
    lease.release()
    expect(() => lease.check()).toThrow(LeaseLost)
  })

  test('an epoch that a power cut emptied holds nobody', () => {
    mkdirSync(join(dir, 'lead'))
    writeFileSync(join(dir, 'lead/3'), '')
    expect(acquire().epoch).toBe(4)
  })
})

describe('an owner on another machine', () => {
  const far = { pid: 5, started: 6, machine: 'far' }

  test('holds as long as its heartbeat is fresh', () => {
    placeHolder(1, far)
    expect(() => acquire(9_000)).toThrow(LeaseHeld)
    const mine = keepAlive(far)
    expect(() => acquire(60_000)).toThrow('process 5')
    const old = new Date(Date.now() - 20_000)
    utimesSync(mine, old, old)
    expect(acquire(60_000).epoch).toBe(2)
  })

  /** What `keepHeartbeat` would leave on that machine. */
  function keepAlive(process: typeof far): string {
    mkdirSync(join(dir, '.processes'), { recursive: true })
    expect(hasHeartbeat(dir, process)).toBe(false)
    // The last part is the beginning of the SHA-256 of the machine's name.
    const lock = join(dir, '.processes', `${process.pid}.${process.started}.512eea46.lock`)
    mkdirSync(lock)
    expect(hasHeartbeat(dir, process)).toBe(true)
    return lock
  }

  test('the heartbeat of this process is seen until it ends', async () => {
    const problems: string[] = []
    const self = { ...ownProcess(), machine: ownMachine() }
    const end = keepHeartbeat(dir, (problem) => problems.push(problem))
    await expect.poll(() => hasHeartbeat(dir, self)).toBe(true)
    end()
    expect(hasHeartbeat(dir, self)).toBe(false)
    expect(problems).toEqual([])
  })

  test('what processes of this machine left when they were killed goes with the next, another machine’s stays', async () => {
    const lockOf = (pid: number, started: number, where: string) =>
      join(dir, '.processes', `${pid}.${started}.${where}.lock`)
    const here = createHash('sha256').update(ownMachine()).digest('hex').slice(0, 8)
    const { pid, started } = ownProcess()
    const [dead, reused] = [lockOf(999_999_999, 1, here), lockOf(pid, started + 1, here)]
    const [living, foreign] = [lockOf(process.ppid, processStart(process.ppid) ?? 0, here), lockOf(5, 6, '512eea46')]
    for (const lock of [dead, reused, living, foreign]) mkdirSync(lock, { recursive: true })
    const end = keepHeartbeat(dir, () => undefined)
    await expect.poll(() => existsSync(lockOf(pid, started, here))).toBe(true)
    expect([dead, reused, living, foreign].map((lock) => existsSync(lock))).toEqual([false, false, true, true])
    mkdirSync(dead)
    end()
    expect([dead, living, foreign].map((lock) => existsSync(lock))).toEqual([false, true, true])
  })

  test('a heartbeat that cannot be given is told', async () => {
    writeFileSync(join(dir, '.processes'), 'in the way')
    const problem = Promise.withResolvers<string>()
    const end = keepHeartbeat(dir, problem.resolve)
    expect(await problem.promise).toContain('EEXIST')
    end()
  })
})
