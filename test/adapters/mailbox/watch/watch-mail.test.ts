import { rmdirSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createDoorbell, type Ring } from '../../../../src/adapters/mailbox/watch/doorbell.ts'
import { watchMail, type Timers } from '../../../../src/adapters/mailbox/watch/watch-mail.ts'
import { draft, mailWorld, type MailWorld } from '../../../contracts/mail-world.ts'

/** Timers that go off when the test says so. */
function handTimers() {
  const planned: { act: () => void; ms: number }[] = []
  const timers: Timers = {
    set(act, ms) {
      const timer = { act, ms }
      planned.push(timer)
      return timer
    },
    clear(timer) {
      const at = planned.indexOf(timer as (typeof planned)[number])
      if (at >= 0) planned.splice(at, 1)
    },
  }
  const tick = (): number => {
    const timer = planned.shift()
    timer?.act()
    return timer?.ms ?? -1
  }
  return { timers, tick, planned }
}

let world: MailWorld
beforeEach(() => {
  world = mailWorld('memory')
})
afterEach(() => world.remove())

describe('the doorbell', () => {
  test('rings who is meant, after the sender finished, until it is left', async () => {
    const bell = createDoorbell()
    const heard: string[] = []
    const leave = bell.on('writer', ({ priority }) => heard.push(`writer ${priority}`))
    bell.on('lead', () => heard.push('lead'))
    bell.ring('writer', { priority: 'interrupt' })
    bell.ring('nobody', { priority: 'normal' })
    expect(heard).toEqual([])
    await Promise.resolve()
    expect(heard).toEqual(['writer interrupt'])
    bell.ring('writer', { priority: 'normal' })
    leave()
    await Promise.resolve()
    expect(heard).toEqual(['writer interrupt'])
  })

  test('is rung by each mail that was sent, not by one that was refused or repeated', async () => {
    const bell = createDoorbell()
    const lead = world.open('lead', { doorbell: bell })
    const writer = world.open('writer', { doorbell: bell })
    const heard: Ring[] = []
    writer.watch((ring) => heard.push(ring))
    lead.send({ ...draft('writer', 'one'), priority: 'interrupt' })
    lead.send(draft('writer', 'one'))
    lead.send(draft('nobody', 'two'))
    await Promise.resolve()
    expect(heard).toMatchObject([{ priority: 'interrupt' }])
    writer.close()
    lead.send(draft('writer', 'three'))
    await Promise.resolve()
    expect(heard).toHaveLength(1)
  })
})

describe('watching folders', () => {
  test('one watcher hears the mail of several members, with its priority', async () => {
    const rung = new Map<string, PromiseWithResolvers<Ring>>(
      ['writer', 'historian'].map((name) => [name, Promise.withResolvers()]),
    )
    const watch = watchMail({ dir: world.dir, names: [...rung.keys()] }, (name, ring) => rung.get(name)?.resolve(ring))
    await watch.ready
    const lead = world.open('lead')
    lead.send(draft('writer', 'one'))
    lead.send({ ...draft('historian', 'two'), priority: 'interrupt' })
    expect(await rung.get('writer')?.promise).toMatchObject({ priority: 'normal' })
    expect(await rung.get('historian')?.promise).toMatchObject({ priority: 'interrupt' })
    await watch.close()
  })

  test('mail that was there before is announced too', async () => {
    world.open('lead').send(draft('writer', 'early'))
    const rung = Promise.withResolvers<string>()
    const watch = watchMail({ dir: world.dir, names: ['writer'] }, rung.resolve)
    expect(await rung.promise).toBe('writer')
    await watch.close()
  })

  test('a mailbox without a doorbell watches its own folder', async () => {
    const rung = Promise.withResolvers<Ring>()
    const stop = world.open('writer').watch(rung.resolve)
    world.open('lead').send(draft('writer', 'one'))
    expect(await rung.promise).toMatchObject({ priority: 'normal' })
    stop()
  })

  test('a look that fails is told once and comes again soon', async () => {
    const { timers, tick } = handTimers()
    const [heard, problems]: [Ring[], string[]] = [[], []]
    const watch = watchMail(
      { dir: world.dir, names: ['writer'], timers, onProblem: (message) => problems.push(message) },
      (_, ring) => heard.push(ring),
    )
    const folder = join(world.dir, 'writer/new')
    rmdirSync(folder)
    symlinkSync(folder, folder)
    expect([tick(), tick(), tick()]).toEqual([2_000, 2_000, 2_000])
    expect(problems).toEqual([`${folder} cannot be listed (ELOOP): it is looked at again`])
    unlinkSync(folder)
    world.open('lead').send(draft('writer', 'one'))
    expect(tick()).toBe(2_000)
    expect(heard).toHaveLength(1)
    await watch.close()
  })

  test('mail whose notification came before the watch heard any is found when it hears', async () => {
    const { timers } = handTimers()
    const rung = Promise.withResolvers<string>()
    const watch = watchMail({ dir: world.dir, names: ['writer'], timers, polling: null }, rung.resolve)
    world.open('lead').send(draft('writer', 'while it begins'))
    await watch.ready
    expect(await rung.promise).toBe('writer')
    await watch.close()
  })

  test('a regular look finds what no event told, once, and comes less often while nothing does', async () => {
    const { timers, tick } = handTimers()
    const heard: Ring[] = []
    const watch = watchMail({ dir: world.dir, names: ['writer'], timers }, (_, ring) => heard.push(ring))
    const waits = [tick(), tick(), tick(), tick(), tick(), tick()]
    expect(waits).toEqual([2_000, 30_000, 30_000, 30_000, 30_000, 30_000])
    const lead = world.open('lead')
    lead.send(draft('writer', 'one'))
    expect(tick()).toBe(30_000)
    expect(heard).toEqual([{ priority: 'normal' }])
    lead.send({ ...draft('writer', 'two'), priority: 'interrupt' })
    expect(tick()).toBe(2_000)
    expect(heard).toEqual([{ priority: 'normal' }, { priority: 'interrupt' }])
    expect([tick(), tick(), tick()]).toEqual([2_000, 30_000, 30_000])
    expect(heard).toHaveLength(2)
    await watch.close()
  })

  test('where the filesystem tells nothing, looking often is enough, and it is said', async () => {
    const { timers, tick } = handTimers()
    const [heard, problems]: [Ring[], string[]] = [[], []]
    const watch = watchMail(
      {
        dir: world.dir,
        names: ['writer'],
        timers,
        polling: 'it lies on NFS',
        onProblem: (text) => problems.push(text),
      },
      (_, ring) => heard.push(ring),
    )
    await watch.ready
    expect(problems).toEqual(['mail is looked for every 250 ms: it lies on NFS'])
    expect([tick(), tick(), tick()]).toEqual([250, 250, 250])
    world.open('lead').send(draft('writer', 'one'))
    tick()
    expect(heard).toEqual([{ priority: 'normal' }])
    await watch.close()
  })

  test('mail that comes in a rush arrives whole and in order, and so does what comes long after it', async () => {
    const [lead, writer] = [world.open('lead'), world.open('writer')]
    const got: string[] = []
    const all = Promise.withResolvers<void>()
    const later = Promise.withResolvers<void>()
    const watch = watchMail({ dir: world.dir, names: ['writer'] }, () => {
      for (let mail = writer.receive(); mail.length > 0; mail = writer.receive())
        got.push(...mail.map(({ body }) => body))
      if (got.length >= 600) all.resolve()
      if (got.length > 600) later.resolve()
    })
    await watch.ready
    const send = (n: number) => lead.send(draft('writer', `${n}`))
    for (let n = 1; n <= 600; n += 1) {
      send(n)
      if (n % 200 === 0) await setImmediate()
    }
    await all.promise
    // By now the folder is listened to again, or about to be.
    for (let turn = 0; turn < 200; turn += 1) await setImmediate()
    send(601)
    await later.promise
    expect(got).toEqual(Array.from({ length: 601 }, (_, index) => `${index + 1}`))
    await watch.close()
  })

  test('nothing goes on after it was closed', async () => {
    const { timers, planned } = handTimers()
    const watch = watchMail({ dir: world.dir, names: ['writer'], timers }, () => expect.unreachable())
    await watch.close()
    await watch.ready
    expect(planned).toEqual([])
    world.open('lead').send(draft('writer', 'late'))
  })
})
