import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createDoorbell } from '../../../src/adapters/mailbox/watch/doorbell.ts'
import { ownProcess } from '../../../src/adapters/process/liveness.ts'
import { bodies, draft, mailWorld, type MailWorld } from '../../contracts/mail-world.ts'

let world: MailWorld
let now = 0
beforeEach(() => {
  world = mailWorld('memory')
  now = 1_000_000
})
afterEach(() => world.remove())

const place = (...parts: string[]) => join(world.dir, 'writer', ...parts)
const openWriter = () => world.open('writer', { now: () => now })

/** Puts a file whose name is no UTF-8 into a folder. */
function putUnnamable(folder: string, end = ''): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.of(0xff), Buffer.from(end)]), 'x')
}

/**
 * Makes `new/<name>` a folder that no rename can move to where claims are, because they are inside of it, as an entry
 * that the system protects cannot be moved either.
 */
function makeUnmovable(name: string): () => void {
  rmSync(place('cur'), { recursive: true, force: true })
  mkdirSync(place('new', name, 'claims'), { recursive: true })
  symlinkSync(place('new', name, 'claims'), place('cur'))
  return () => {
    rmSync(place('cur'))
    mkdirSync(place('cur'))
  }
}

/** Lets all waiting times between two tries pass, with a look after each. */
function tryAll(box: ReturnType<typeof openWriter>): readonly string[] {
  return [0, 100, 1_000, 5_000, 30_000].flatMap((ms) => {
    now += ms
    return bodies(box)
  })
}

describe('a name that is no UTF-8', () => {
  test('is set aside under another one, once, and the good mail beside it comes', () => {
    putUnnamable(place('new'))
    putUnnamable(place('new'), '-two')
    world.open('lead').send(draft('writer', 'good'))
    const writer = openWriter()
    expect(writer.unread()).toBe(3)
    expect(bodies(writer)).toEqual(['good'])
    expect([bodies(writer), writer.unread(), world.files('writer', 'new')]).toEqual([[], 0, []])
    expect(world.files('writer', 'dead')).toHaveLength(2)
    expect(world.deaths('writer').map(({ reason }) => reason)).toEqual(
      Array(2).fill(expect.stringContaining('its name')),
    )
  })

  test('in the claims of a dead process holds nothing up', () => {
    putUnnamable(place('cur', '999999999.1'))
    putUnnamable(place('cur'))
    const writer = openWriter()
    expect([bodies(writer), writer.unread()]).toEqual([[], 0])
  })
})

describe('an entry that cannot be moved', () => {
  test('is tried five times, then reported once, never counted in between, and the good mail beside it comes', () => {
    const lead = world.open('lead')
    lead.send(draft('writer', 'before'))
    makeUnmovable('odd')
    const writer = openWriter()
    expect(writer.unread()).toBe(2)
    expect(bodies(writer)).toEqual(['before'])
    expect([writer.unread(), world.deaths('writer')]).toEqual([0, []])
    lead.send(draft('writer', 'after'))
    expect(writer.unread()).toBe(1)
    expect(bodies(writer)).toEqual(['after'])
    now += 100
    expect(writer.unread()).toBe(1)
    expect(tryAll(writer)).toEqual([])
    expect(writer.unread()).toBe(0)
    expect(world.deaths('writer')).toMatchObject([{ file: 'odd', left: true, attempts: 5 }])
    expect(tryAll(writer)).toEqual([])
    expect(bodies(openWriter())).toEqual([])
    expect(world.deaths('writer')).toHaveLength(1)
  })

  test('holds back the mail of its sender and no other; given up, that goes on', () => {
    const [lead, historian] = [world.open('lead'), world.open('historian')]
    lead.send(draft('writer', 'stuck'))
    const [file = ''] = world.files('writer', 'new')
    rmSync(place('new', file))
    makeUnmovable(file)
    lead.send(draft('writer', 'behind it'))
    historian.send(draft('writer', 'beside it'))
    const writer = openWriter()
    expect(bodies(writer)).toEqual(['beside it'])
    expect(writer.unread()).toBe(0)
    expect(tryAll(writer)).toEqual(['behind it'])
    expect(world.deaths('writer')).toMatchObject([{ file, left: true }])
  })

  test('comes after all when it can be moved later', () => {
    const lead = world.open('lead')
    lead.send(draft('writer', 'late'))
    const [file = ''] = world.files('writer', 'new')
    renameSync(place('new', file), join(world.home, file))
    const free = makeUnmovable(file)
    tryAll(openWriter())
    free()
    rmSync(place('new', file), { recursive: true })
    renameSync(join(world.home, file), place('new', file))
    expect(bodies(openWriter())).toEqual(['late'])
  })

  test('three hundred of them hide no good mail from a small batch', () => {
    for (let n = 0; n < 300; n += 1) putUnnamable(place('new'), `-${n}`)
    makeUnmovable('aaa')
    world.open('lead').send(draft('writer', 'good'))
    expect(bodies(openWriter(), 4)).toEqual(['good'])
  })
})

test('a folder that cannot be moved away from a claim is no reason to give up what could be read', () => {
  const lead = world.open('lead')
  lead.send(draft('writer', 'one'))
  const writer = openWriter()
  rmSync(place('done'), { recursive: true })
  writeFileSync(place('done'), 'no folder')
  expect(bodies(writer)).toEqual(['one'])
  // It is in the journal: its file in `cur/` is nobody's work.
  expect(writer.unread()).toBe(0)
  rmSync(place('done'))
  expect(bodies(writer)).toEqual([])
  expect(world.files('writer', 'done')).toHaveLength(1)
})

test('what another living process has claimed is counted out and told once', () => {
  const { pid, started } = ownProcess()
  const parent = { pid: process.ppid, started }
  world.open('lead').send(draft('writer', 'one'))
  const claim = place('cur', `${parent.pid}.0`)
  mkdirSync(claim, { recursive: true })
  writeFileSync(join(claim, 'lead-9-01J0000000000000000000000A.json'), '{}')
  expect(pid).toBeGreaterThan(0)
  const writer = openWriter()
  expect(writer.unread()).toBe(1)
  expect(bodies(writer)).toEqual(['one'])
  expect([writer.unread(), writer.unread()]).toEqual([0, 0])
  const warnings = world.entries('writer').filter(({ type }) => type === 'warning.raised')
  expect(warnings).toMatchObject([{ code: 'mail_elsewhere', message: expect.stringContaining(claim) as string }])
})

test('a long name that is taken in dead/ already does not close the box', () => {
  const long = 'd'.repeat(255)
  for (const folder of ['new', 'dead']) mkdirSync(place(folder, long), { recursive: true })
  mkdirSync(place('dead', long, 'x'))
  mkdirSync(place('cur', '999999999.1', long, 'x'), { recursive: true })
  world.open('lead').send(draft('writer', 'good'))
  expect(bodies(openWriter())).toEqual(['good'])
  expect(bodies(openWriter())).toEqual([])
  expect(openWriter().unread()).toBe(0)
})

test('a folder that cannot be listed is told once, is looked at again, and rings then', async () => {
  const planned: (() => void)[] = []
  const timers = { set: (act: () => void) => planned.push(act), clear: () => void planned.splice(0) }
  const bell = createDoorbell()
  const writer = world.open('writer', { timers, doorbell: bell })
  let rings = 0
  writer.watch(() => (rings += 1))
  world.open('lead').send(draft('writer', 'one'))
  renameSync(place('new'), place('elsewhere'))
  symlinkSync(place('new'), place('new'))
  expect([bodies(writer), writer.unread(), bodies(writer)]).toEqual([[], 0, []])
  const warnings = () => world.entries('writer').filter(({ type }) => type === 'warning.raised')
  expect(warnings()).toMatchObject([{ code: 'mail_unlisted', message: expect.stringContaining('ELOOP') as string }])
  rmSync(place('new'))
  renameSync(place('elsewhere'), place('new'))
  planned.shift()?.()
  expect(rings).toBe(1)
  expect(bodies(writer)).toEqual(['one'])
  expect(planned).toEqual([])
})

test('what waits for its next try rings when that is due', () => {
  const planned: { act: () => void; ms: number }[] = []
  const timers = {
    set: (act: () => void, ms: number) => planned.push({ act, ms }),
    clear: () => void planned.splice(0),
  }
  makeUnmovable('odd')
  const writer = world.open('writer', { timers, doorbell: createDoorbell(), now: () => now })
  let rings = 0
  const stop = writer.watch(() => {
    rings += 1
    writer.receive()
  })
  writer.receive()
  const waits = [0, 1, 2, 3].map(() => {
    const { act, ms } = planned.shift() ?? { act: () => undefined, ms: -1 }
    now += ms
    act()
    return ms
  })
  expect(waits).toEqual([100, 1_000, 5_000, 30_000])
  expect([rings, planned]).toEqual([4, []])
  stop()
})
