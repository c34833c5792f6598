import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { acquireLease } from '../../src/adapters/lease/lease.ts'
import { watchMail } from '../../src/adapters/mailbox/watch/watch-mail.ts'
import { agentId } from '../../src/protocol/words/ids.ts'
import { bareBox, bareSender } from './bare.ts'
import { inFolder, median, spawnScript } from './measures.ts'
import { instant, openMember, receiver, text } from './member.ts'

export interface Backlog {
  readonly send_empty_us: number
  readonly send_full_us: number
  readonly first_ms: number
  readonly per_second: number
  readonly memory_mb: number
}

interface Pile {
  send(n: number): void
  /** Opens the box and takes some out of it, again and again; 0 when nothing is left. */
  open(): () => number
}

/** What a box with this many unread mails costs its senders and its reader. */
export function backlog(count: number, way: 'mail' | 'bare'): Promise<Backlog> {
  return inFolder((home) => {
    const { send, open } = way === 'mail' ? mailPile(home) : barePile(home)
    const spans: number[] = []
    for (let n = 1; n <= count; n += 1) {
      const began = instant()
      send(n)
      spans.push(instant() - began)
    }
    const before = process.memoryUsage().rss
    const began = instant()
    const take = open()
    let got = take()
    const first = instant() - began
    const peak = process.memoryUsage().rss
    for (let more = take(); more > 0; more = take()) got += more
    if (got !== count) throw new Error(`${got} of ${count} came`)
    return {
      send_empty_us: median(spans.slice(100, 2100)) * 1000,
      send_full_us: median(spans.slice(-2000)) * 1000,
      first_ms: first,
      per_second: (count / (instant() - began)) * 1000,
      memory_mb: Math.max(0, peak - before) / 1e6,
    }
  })
}

function mailPile(home: string): Pile {
  const sender = openMember(home, 'send')
  return {
    send: (n) => void sender.send({ to: agentId(receiver, 'bench'), kind: 'text', body: text, key: `k${n}` }),
    open() {
      sender.close()
      const box = openMember(home, receiver)
      return () => box.receive().length
    },
  }
}

function barePile(home: string): Pile {
  const send = bareSender(home, 'send')
  return {
    send: (n) => send(text, n),
    open() {
      const box = bareBox(home)
      return () => {
        let taken = 0
        box.drain(() => (taken += 1), 256)
        return taken
      }
    },
  }
}

export interface Idle {
  readonly cpu_percent: number
  readonly memory_mb: number
  /** Of the kernel. */
  readonly watches: number
}

/** So many watched boxes to which nobody writes. */
export function idle(boxes: number, ms: number, way: 'mail' | 'bare'): Promise<Idle> {
  return inFolder(async (home) => {
    const before = process.memoryUsage().rss
    const names = [...Array(boxes).keys()].map((n) => `m${n}`)
    const close = way === 'mail' ? await watched(home, names) : watchedBare(home, names)
    await pause(3_000)
    const cpu = process.cpuUsage()
    await pause(ms)
    const { user, system } = process.cpuUsage(cpu)
    const memory = process.memoryUsage().rss - before
    const watches = kernelWatches()
    await close()
    return { cpu_percent: ((user + system) / 1000 / ms) * 100, memory_mb: memory / 1e6, watches }
  })
}

async function watched(home: string, names: readonly string[]): Promise<() => Promise<void>> {
  const watch = watchMail({ dir: join(home, 'mail'), names }, () => undefined)
  await watch.ready
  return watch.close
}

function watchedBare(home: string, names: readonly string[]): () => Promise<void> {
  const watchers = names.map((name) => {
    const folder = join(home, 'mail', name, 'new')
    mkdirSync(folder, { recursive: true })
    return watch(folder, () => undefined)
  })
  return async () => watchers.forEach((watcher) => watcher.close())
}

/** What this process has asked the kernel to watch; none where the kernel does not tell. */
function kernelWatches(): number {
  try {
    const infos = readdirSync('/proc/self/fdinfo').map((fd) => textOf(`/proc/self/fdinfo/${fd}`))
    return infos
      .join('')
      .split('\n')
      .filter((line) => line.startsWith('inotify ')).length
  } catch {
    return Number.NaN
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The descriptor that listed the folder is closed by now.
    return ''
  }
}

/** Mail that comes while the event loop is blocked, more than the kernel keeps events of: what is left, and for how long. */
export function blocked(count: number): Promise<{ readonly left: number; readonly ms: number }> {
  return inFolder(async (home) => {
    const [sender, box] = [openMember(home, 'send'), openMember(home, receiver)]
    let got = 0
    const all = Promise.withResolvers<void>()
    const watch = watchMail({ dir: join(home, 'mail'), names: [receiver] }, () => {
      for (let mail = box.receive(); mail.length > 0; mail = box.receive()) got += mail.length
      if (got === count) all.resolve()
    })
    await watch.ready
    for (let n = 0; n < count; n += 1) {
      sender.send({ to: agentId(receiver, 'bench'), kind: 'text', body: text, key: `k${n}` })
    }
    const began = instant()
    await Promise.race([all.promise, pause(60_000)])
    const ms = instant() - began
    await watch.close()
    return { left: box.unread(), ms }
  })
}

/** From the start of a process after its predecessor was killed to its first mail, in milliseconds; `script` receives. */
export function restart(script: string): Promise<number> {
  return inFolder(async (home) => {
    const sender = openMember(home, 'send')
    const send = (n: number) =>
      void sender.send({ to: agentId(receiver, 'bench'), kind: 'text', body: `${instant()} ${text}`, key: `k${n}` })
    for (let n = 0; n < 200; n += 1) send(n)
    const dead = spawnScript(script, 'mail', home, '1000')
    await once(dead.stdout ?? dead, 'data')
    dead.kill('SIGKILL')
    await once(dead, 'exit')
    send(1_000)
    const began = instant()
    const next = spawnScript(script, 'mail', home, '1')
    for await (const line of createInterface(next.stdout ?? process.stdin)) {
      if (line.startsWith('{')) return (JSON.parse(line) as { first: number }).first - began
    }
    throw new Error('the receiver ended without its mail')
  })
}

/** What a process costs that does nothing, in milliseconds. */
export async function emptyProcess(): Promise<number> {
  const began = instant()
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit')
  return instant() - began
}

/** From the death of an owner to the next one being it. */
export function takeover(): Promise<number> {
  return inFolder(async (home) => {
    const script = `
      import { acquireLease } from ${JSON.stringify(join(import.meta.dirname, '../../src/adapters/lease/lease.ts'))}
      acquireLease({ dir: process.argv[1], name: 'm', incarnation: 'a', now: () => 1 })
      console.log('held'); process.stdin.resume()`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, home], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const began = instant()
    acquireLease({ dir: home, name: 'm', incarnation: 'b', now: () => 2 })
    return instant() - began
  })
}
