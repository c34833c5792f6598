import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  acquireLease,
  claimEpoch,
  latestEpoch,
  LeaseHeld,
  type Holder,
  type LeaseStep,
} from '../../../src/adapters/lease/lease.ts'
import { ownProcess } from '../../../src/adapters/process/liveness.ts'

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

describe('a lease that is no file of ours', () => {
  test.each([
    ['a pipe that nobody writes', (path: string) => void execFileSync('mkfifo', [path])],
    ['a link to a device without an end', (path: string) => symlinkSync('/dev/zero', path)],
    ['a folder', (path: string) => mkdirSync(join(path, 'inside'), { recursive: true })],
  ])('%s holds nobody, and goes with the next owner', (_, make) => {
    mkdirSync(folder())
    make(join(folder(), '5'))
    expect(acquire().epoch).toBe(6)
    expect(epochs()).toEqual(['6'])
  })

  test('a number beyond counting is none', () => {
    place('9007199254740992', holder())
    place(2, holder(dead))
    expect(acquire().epoch).toBe(3)
  })
})

test('whoever fails after the link does not hold what it does not know of', () => {
  // A folder in the place of the draft can be linked by nobody, and one beside it removed by nobody.
  mkdirSync(join(folder(), '.unfinished-mine'), { recursive: true })
  expect(() => acquire()).toThrow('EISDIR')
  rmSync(join(folder(), '.unfinished-mine'), { recursive: true })
  expect(acquire().epoch).toBe(1)
})
