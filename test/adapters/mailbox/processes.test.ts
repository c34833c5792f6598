import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mailWorld } from '../../contracts/mail-world.ts'

const script = join(import.meta.dirname, 'sending-process.ts')

async function sender(home: string, name: string, number: number, count: number): Promise<number> {
  const args = [script, home, name, String(number), String(count)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = (await once(child, 'exit')) as [number]
  return code
}

test('eight processes send at once: nothing is lost, doubled or out of order', async () => {
  const [processes, each] = [8, 50]
  const world = mailWorld('file')
  const writer = world.open('writer')
  const names = [...Array(processes).keys()].map((n) => `sender-${n}`)
  const state = { running: true }
  const exits = Promise.all(names.map((name, n) => sender(world.home, name, n, each))).finally(() => {
    state.running = false
  })
  const taken: string[] = []
  while (state.running) {
    taken.push(...writer.receive(16).map(({ body }) => body))
    await nextTurn()
  }
  expect(await exits).toEqual(names.map(() => 0))
  for (let rest = writer.receive(); rest.length > 0; rest = writer.receive())
    taken.push(...rest.map(({ body }) => body))

  for (const name of names) {
    const own = taken.filter((body) => body.startsWith(`${name} `))
    expect(own).toEqual([...Array(each).keys()].map((n) => `${name} ${n + 1}`))
  }
  expect(taken).toHaveLength(processes * each)
  expect(world.received('writer')).toEqual(taken)
  expect(world.deaths('writer')).toEqual([])
  expect(world.files('writer', 'tmp')).toEqual([])
  expect(world.files('writer', 'done')).toHaveLength(processes * each)

  expect(await Promise.all(names.slice(0, 2).map((name, n) => sender(world.home, name, n, each)))).toEqual([0, 0])
  expect(writer.receive()).toEqual([])
  world.remove()
})

test('two owners of one box take every mail once between them', async () => {
  const world = mailWorld('memory')
  expect(await sender(world.home, 'lead', 0, 40)).toBe(0)
  const [first, second] = [world.open('writer'), world.open('writer')]
  const taken = [first.receive(10), second.receive(10), first.receive(), second.receive()].flat()
  expect(taken.map(({ body }) => body)).toEqual([...Array(40).keys()].map((n) => `lead ${n + 1}`))
  world.remove()
})

test('a thousand mailboxes that are opened make nothing', () => {
  const world = mailWorld('memory')
  for (let n = 0; n < 1000; n += 1) world.open(`member-${n}`)
  expect(world.tree()).toEqual([])
  world.remove()
})
