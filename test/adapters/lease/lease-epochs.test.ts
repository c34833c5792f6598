import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  claimEpoch,
  latestEpoch,
  type Holder,
  acquireLease,
  LeaseHeld,
  type LeaseStep,
} from '../../../src/adapters/lease/lease.ts'
import { hasHeartbeat, keepHeartbeat, staleMs } from '../../../src/adapters/lease/heartbeat.ts'
import { ownMachine, ownProcess } from '../../../src/adapters/process/liveness.ts'

/** What keeps two processes from being one agent, at its edges. */
let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'troupe-epochs-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const folder = () => join(dir, 'lead')
const epochs = () => readdirSync(folder()).toSorted()
const holder = (more: object = {}): Holder => ({
  ...ownProcess(),
  machine: ownMachine(),
  incarnation: 'i1',
  at: 1,
  ...more,
})
const dead = { pid: 999_999_999 }

function place(n: number | string, content: unknown): void {
  mkdirSync(folder(), { recursive: true })
  writeFileSync(join(folder(), String(n)), JSON.stringify(content))
}

function acquire(more: { readonly now?: () => number; readonly step?: (name: LeaseStep) => void } = {}) {
  return acquireLease({ dir, name: 'lead', incarnation: 'mine', now: () => 1, ...more })
}

describe('an epoch', () => {
  test('that is there is nobody else’s to make, and stays as it is', () => {
    place(1, holder({ incarnation: 'first' }))
    expect(claimEpoch(folder(), { n: 1, holder: holder({ incarnation: 'second' }) })).toBe(false)
    expect(latestEpoch(folder())?.holder?.incarnation).toBe('first')
    expect(epochs()).toEqual(['1'])
  })

  test('below a later one is not made: its number was free because it is over', () => {
    place(3, holder())
    expect(claimEpoch(folder(), { n: 2, holder: holder() })).toBe(false)
    expect(epochs()).toEqual(['3'])
  })

  test('of two digits is later than all of one', () => {
    for (const n of [2, 9]) place(n, holder(dead))
    place(12, holder())
    expect(latestEpoch(folder())).toMatchObject({ n: 12 })
    expect(() => acquire()).toThrow(LeaseHeld)
  })

  test('is a number and nothing else', () => {
    place(1, holder(dead))
    for (const name of ['7-copy', '7.json', '.unfinished-i7', '07', '0']) place(name, holder())
    expect(acquire().epoch).toBe(2)
  })

  test.each([
    ['nothing', null],
    ['a text', 'lead'],
    ['an empty object', {}],
    ['no process id', holder({ pid: undefined })],
    ['a process id that is a text', holder({ pid: String(process.pid) })],
    ['no start', holder({ started: undefined })],
    ['no time', holder({ at: null })],
    ['no machine', holder({ machine: undefined })],
    ['no incarnation', holder({ incarnation: undefined })],
  ])('whose file says %s holds nobody', (_, content) => {
    place(1, content)
    expect(latestEpoch(folder())).toEqual({ n: 1, holder: null })
    expect(acquire().epoch).toBe(2)
  })

  test('is for the eyes of its owner, and says afterwards who had it', () => {
    const lease = acquire()
    const mode = () => statSync(join(folder(), '1')).mode & 0o777
    expect(mode()).toBe(0o600)
    lease.release()
    expect(mode()).toBe(0o600)
    expect(JSON.parse(readFileSync(join(folder(), '1'), 'utf8'))).toEqual(
      holder({ incarnation: 'mine', released: true }),
    )
    expect(epochs()).toEqual(['1'])
  })

  test('that was lost is not made again by giving it up', () => {
    const lease = acquire()
    place(1, holder(dead))
    acquire()
    lease.release()
    expect(epochs()).toEqual(['2'])
  })
})

describe('who judged an agent free', () => {
  /** Something happens between the first look and the first attempt. */
  const meanwhile = (happens: () => void) => {
    const steps: LeaseStep[] = []
    const step = (name: LeaseStep): void => {
      if (steps.length === 0) happens()
      steps.push(name)
    }
    return { steps, step }
  }

  test('is refused when a living one was faster', () => {
    const { steps, step } = meanwhile(() => place(1, holder({ incarnation: 'faster' })))
    expect(() => acquire({ step })).toThrow(LeaseHeld)
    expect(steps).toEqual(['lease.judged'])
    expect(epochs()).toEqual(['1'])
  })

  test('follows when one was faster that is dead by now', () => {
    const { steps, step } = meanwhile(() => place(1, holder(dead)))
    expect(acquire({ step }).epoch).toBe(2)
    expect(steps).toEqual(['lease.judged', 'lease.judged', 'lease.taken'])
  })

  test('is refused when its number was had and given back, and a later one holds', () => {
    place(1, holder(dead))
    const { step } = meanwhile(() => {
      rmSync(join(folder(), '1'))
      place(3, holder())
    })
    expect(() => acquire({ step })).toThrow(LeaseHeld)
    expect(epochs()).toEqual(['3'])
  })
})

describe('an owner on another machine without a heartbeat', () => {
  const at = 1_700_000_000_000
  beforeEach(() => place(1, holder({ pid: 5, started: 6, machine: 'far', at })))

  test.each([0, staleMs - 1])('holds for its first %i ms', (later) => {
    expect(() => acquire({ now: () => at + later })).toThrow(LeaseHeld)
  })

  test('is followed after that', () => {
    expect(acquire({ now: () => at + staleMs }).epoch).toBe(2)
  })
})

test('a heartbeat that ends before it began leaves no sign of life', async () => {
  const problems: string[] = []
  const end = keepHeartbeat(dir, (problem) => problems.push(problem))
  end()
  await import('proper-lockfile')
  await new Promise(setImmediate)
  expect(hasHeartbeat(dir, { ...ownProcess(), machine: ownMachine() })).toBe(false)
  expect(problems).toEqual([])
})
