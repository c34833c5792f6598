import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Holder, acquireLease, LeaseHeld, LeaseLost } from '../../../src/adapters/lease/lease.ts'
import { lastBeat, noteSilence } from '../../../src/adapters/lease/heartbeat.ts'
import { presumeDead } from '../../../src/adapters/lease/who-lives.ts'
import { ownProcess, processStart } from '../../../src/adapters/process/liveness.ts'

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
const acquire = () => acquireLease({ dir, name: 'lead', incarnation: `i${(lives += 1)}`, now: () => 1 })
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
  const whole = { ...ownProcess(), incarnation: 'old', at: 1, ...holder }
  writeFileSync(join(dir, 'lead', String(n)), JSON.stringify(whole))
}

describe('one owner', () => {
  test('a second one is refused with process, start and time, in the same process too', () => {
    const lease = acquire()
    const { pid, started } = ownProcess()
    const text = `lead is owned by process ${pid} (start ${started}, since 1970-01-01 00:00:00 UTC)`
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

  test('stops an owner whose run was removed, and says so', () => {
    const lease = acquire()
    rmSync(dir, { recursive: true })
    expect(() => lease.check()).toThrow(`${dir} is gone, and the run with it`)
  })

  test('stops an owner that another one followed who was killed before it did anything, too', () => {
    const lease = acquire()
    placeHolder(2, { pid: 999_999_999 })
    lease.check()
    acquire().check()
    expect(() => lease.check()).toThrow(LeaseLost)
    expect(epochs()).toEqual(['3'])
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
  const far = { pid: 5, started: 6, machine: 'far', host: undefined }

  test.each([
    ['an hour ago', -3_600_000],
    ['a year ahead of our clock', 31_536_000_000],
  ])('that took over %s holds until it was watched, whatever the clocks say', (_, later) => {
    placeHolder(1, { ...far, at: later })
    expect(() => acquire()).toThrow('process 5 (start 6, ')
    expect(() => acquire()).toThrow('on another machine or in another container')
    presumeDead(dir, far)
    expect(acquire().epoch).toBe(2)
  })

  test('is followed by whoever finds that it was watched in vain, in all its leases', () => {
    placeHolder(1, far)
    noteSilence(dir, far, '')
    expect(acquire().epoch).toBe(2)
    placeHolder(3, far)
    expect(acquire().epoch).toBe(4)
  })
})

describe('the heartbeat of an owner', () => {
  const own = () => lastBeat(dir, ownProcess())

  test('begins before the lease and ends with the last one', () => {
    const first = acquireLease({
      dir,
      name: 'ana',
      incarnation: 'a',
      now: () => 1,
      step: () => expect(own()).toBe('000000001\n'),
    })
    const second = acquireLease({ dir, name: 'bo', incarnation: 'b', now: () => 1 })
    first.release()
    first.release()
    expect(own()).toBe('000000001\n')
    second.release()
    expect(own()).toBe('')
  })

  test('that was killed here goes with its lease', async () => {
    const { child } = await attempt()
    const beats = () => readdirSync(join(dir, '.processes'))
    expect(beats()).toEqual([expect.stringMatching(`^${child.pid}\\.`)])
    await killed(child)
    acquire()
    expect(beats()).toEqual([expect.stringMatching(`^${process.pid}\\.`)])
  })

  test('is not left by an attempt that was refused', () => {
    placeHolder(1, { pid: process.ppid, started: processStart(process.ppid) ?? 0 })
    expect(() => acquire()).toThrow(LeaseHeld)
    expect(own()).toBe('')
  })
})
