import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { beatMs, forgetHeartbeat, noteSilence } from '../../../src/adapters/lease/heartbeat.ts'
import { lifeOf, presumeDead, silenceMs, watchLives } from '../../../src/adapters/lease/who-lives.ts'
import { ownProcess } from '../../../src/adapters/process/liveness.ts'

const far = { pid: 5, started: 6, machine: 'far' }
let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'troupe-lives-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** What the heartbeat of that process leaves; the name ends with the beginning of the SHA-256 of its machine. */
function beats(count: number): void {
  mkdirSync(join(dir, '.processes'), { recursive: true })
  writeFileSync(join(dir, '.processes', '5.6.512eea46'), `${count}\n`)
}

/** The answers at these moments, a look at a time. */
const looks = (...moments: readonly number[]) => moments.map((at) => lifeOf(dir, far, at))

describe('a process here', () => {
  test('is asked of the system', () => {
    expect(lifeOf(dir, ownProcess())).toBe('alive')
    expect(lifeOf(dir, { ...ownProcess(), started: 1 })).toBe('dead')
  })

  test('of an earlier boot of this host is dead', () => {
    const boot = '00000000-0000-4000-8000-000000000000-4026531836'
    const { host = 'this' } = ownProcess()
    expect(lifeOf(dir, { ...ownProcess(), machine: boot, host })).toBe(ownProcess().host ? 'dead' : 'unclear')
  })
})

describe('a process elsewhere', () => {
  const steps = [...Array(silenceMs / beatMs + 1).keys()].map((n) => n * beatMs)

  test('is dead when its heartbeat stands still for as long as it was watched', () => {
    beats(7)
    expect(looks(...steps)).toEqual([...steps.slice(1).map(() => 'unclear'), 'dead'])
  })

  test('is dead when it never had one, too', () => {
    expect(looks(...steps).at(-1)).toBe('dead')
  })

  test('lives when its heartbeat goes on, however slowly it is looked at', () => {
    beats(7)
    expect(looks(0)).toEqual(['unclear'])
    beats(8)
    expect(looks(60_000)).toEqual(['alive'])
    // The watcher was suspended for an hour: one beat is missing for all that it knows.
    expect(looks(3_660_000)).toEqual(['alive'])
  })

  test('gives no sign of life when its heartbeat is taken away', () => {
    beats(7)
    looks(...steps)
    forgetHeartbeat(dir, far)
    expect(looks(20_000)).toEqual(['dead'])
  })

  test('lives again when it gives a sign after it was taken for dead', () => {
    expect(looks(...steps).at(-1)).toBe('dead')
    beats(1)
    expect(looks(20_000)).toEqual(['alive'])
  })

  test('is dead at once for whoever finds that another one watched it in vain, until it beats again', () => {
    beats(7)
    noteSilence(dir, far, '7\n')
    expect(looks(0)).toEqual(['dead'])
    beats(8)
    expect(looks(1)).toEqual(['unclear'])
  })

  test('that was watched in vain is noted, and forgotten with its heartbeat', () => {
    beats(7)
    looks(...steps)
    expect(readdirSync(join(dir, '.processes')).toSorted()).toEqual(['5.6.512eea46', '5.6.512eea46.silent'])
    forgetHeartbeat(dir, far)
    expect(readdirSync(join(dir, '.processes'))).toEqual([])
  })

  test('that a person takes for dead stays dead, whatever sign it gives', () => {
    presumeDead(dir, far)
    beats(1)
    expect(looks(0, 1)).toEqual(['dead', 'dead'])
    expect(existsSync(join(dir, '.processes', '5.6.512eea46.silent'))).toBe(false)
  })

  test('is not waited for once it is clear', async () => {
    presumeDead(dir, far)
    const clear = [
      { dir, process: far },
      { dir, process: ownProcess() },
    ]
    await expect(watchLives(clear)).resolves.toBeUndefined()
  })
})
