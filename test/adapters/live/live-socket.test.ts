import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listenLive, openLiveSocket, type LiveSocket } from '../../../src/adapters/live/live-socket.ts'
import { livePlace } from '../../../src/adapters/live/live-place.ts'
import type { LiveEvent } from '../../../src/protocol/facts/live.ts'

function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-live-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const placeIn = (runtime: string, owner = 'team'): string =>
  livePlace({ dir: '/runs/demo', owner, env: { XDG_RUNTIME_DIR: runtime } }) ?? expect.unreachable('no place')

const delta = (text: string): LiveEvent => ({ type: 'text.delta', member: 'ana', text })

interface Opened {
  readonly socket: LiveSocket
  readonly path: string
  /** Resolves when somebody listens, or nobody does any more. */
  heard(listened: boolean): Promise<void>
}

function open(path: string, bound?: number): Opened {
  let now = false
  const waiting = new Set<() => void>()
  const socket = openLiveSocket({
    path,
    member: 'team',
    failed: (reason) => expect.unreachable(reason),
    heard(listened) {
      now = listened
      for (const look of waiting) look()
    },
    ...(bound === undefined ? {} : { bound }),
  })
  onTestFinished(() => socket.close())
  const heard = (wanted: boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (now === wanted) resolve()
      }
      waiting.add(look)
      look()
    })
  return { socket, path, heard }
}

/** Listens until the socket closes; connects as soon as the socket is there. */
function listen(path: string) {
  const events: LiveEvent[] = []
  const gone = Promise.withResolvers<void>()
  const connect = (): void => {
    if (!existsSync(path)) return void setImmediate(connect)
    const stop = listenLive(path, { heard: (event) => events.push(event), gone: gone.resolve })
    onTestFinished(stop)
    stops.push(stop)
  }
  const stops: (() => void)[] = []
  connect()
  return { events, gone: gone.promise, stop: () => stops.forEach((stop) => stop()) }
}

test('whoever listens hears what is said from then on, in order', async () => {
  const { socket, path, heard } = open(placeIn(tempDir()))
  socket.say(delta('nobody listens'))
  const one = listen(path)
  await heard(true)
  const said = [delta('日本\nlines'), delta('two'), { type: 'entry', member: 'ana', seq: 4 } as const]
  for (const event of said) socket.say(event)
  // Closing would cut off what is under way: the listener leaves when it has all.
  await expect.poll(() => one.events.length).toBe(3)
  expect(one.events).toEqual(said)
  one.stop()
  await heard(false)
})

test('a listener that does not read is told how much it missed; others miss nothing', async () => {
  const { socket, path, heard } = open(placeIn(tempDir()), 64 * 1024)
  const other = listen(path)
  await heard(true)
  const lazy = createConnection(path)
  onTestFinished(() => void lazy.destroy())
  const beginning = new Promise((resolve) => lazy.once('data', resolve))
  let first = 0
  // The second listener is there when it has heard something.
  const asking = setInterval(() => {
    first += 1
    socket.say(delta('.'))
  }, 1)
  await beginning
  clearInterval(asking)
  lazy.pause()
  const count = 4_000
  const text = 'x'.repeat(1_000)
  for (let n = 0; n < count; n += 1) {
    socket.say(delta(text))
    // The one who reads is given the time to.
    if (n % 20 === 0) await new Promise(setImmediate)
  }
  await expect.poll(() => other.events.length).toBe(count + first)
  let heardLate = ''
  lazy.setEncoding('utf8').on('data', (more: string) => {
    heardLate += more
  })
  lazy.resume()
  await expect.poll(() => heardLate).toMatch(/"dropped","member":"team","count":\d+/)
  const dropped = Number(/"count":(\d+)/.exec(heardLate)?.[1])
  expect(dropped).toBeGreaterThan(0)
  expect(dropped).toBeLessThan(count)
})

test('only the owner can reach it, and it is gone when it is closed', async () => {
  const { socket, path, heard } = open(placeIn(tempDir()))
  const one = listen(path)
  await heard(true)
  expect([statSync(dirname(path)).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o600])
  socket.close()
  await one.gone
  expect(readdirSync(dirname(path))).toEqual([])
})

test('lines that are no events of this version are passed over', async () => {
  const dir = tempDir()
  const path = join(dir, 'socket')
  const { createServer } = await import('node:net')
  const server = createServer((socket) => {
    socket.end(`{"type":"later.kind","member":"ana"}\nno json\n${JSON.stringify(delta('ok'))}\n{"type":`)
  }).listen(path)
  onTestFinished(() => void server.close())
  const one = listen(path)
  await one.gone
  expect(one.events).toEqual([delta('ok')])
})

test('a folder that others can write to gets no socket, and the reason is said', () => {
  const runtime = tempDir()
  mkdirSync(join(runtime, 'troupe'))
  chmodSync(join(runtime, 'troupe'), 0o777)
  const reasons: string[] = []
  const failed = (reason: string): number => reasons.push(reason)
  openLiveSocket({ path: placeIn(runtime), member: 'team', heard: () => undefined, failed }).close()
  expect(reasons).toEqual([expect.stringMatching(/troupe is not a folder of yours alone; .*chmod 700/)])
})

test('what dead processes left is taken away, what living ones have is not', async () => {
  const runtime = tempDir()
  const own = placeIn(runtime)
  const { pid } = spawnSync('true')
  const dead = own.replace(`-${process.pid}-`, `-${pid}-`)
  const [another, foreign] = [placeIn(runtime, 'ana'), join(dirname(own), 'notes.txt')]
  mkdirSync(dirname(own), { mode: 0o700 })
  for (const file of [dead, another, foreign]) writeFileSync(file, '')
  const { socket, heard, path } = open(own)
  listen(path)
  await heard(true)
  expect([dead, another, foreign, own].map((file) => existsSync(file))).toEqual([false, true, true, true])
  writeFileSync(dead, '')
  socket.close()
  expect([dead, another, foreign].map((file) => existsSync(file))).toEqual([false, true, true])
})

test('a path is short enough wherever the runtime directory is', () => {
  const deep = `/tmp/${'deep/'.repeat(30)}`
  const place = livePlace({ dir: '/runs/demo', owner: 'team', env: { XDG_RUNTIME_DIR: deep, TMPDIR: deep } })
  expect(place).toMatch(/^\/tmp\/troupe-/)
  expect(place?.length).toBeLessThan(100)
  expect(placeIn('/run/user/1', 'ana')).not.toBe(placeIn('/run/user/1', 'bo'))
})
