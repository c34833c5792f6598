import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createDoorbell } from '../../src/adapters/mailbox/doorbell.ts'
import { watchMail } from '../../src/adapters/mailbox/watch-mail.ts'
import { acquireLease } from '../../src/adapters/lease/lease.ts'
import { agentId } from '../../src/protocol/ids.ts'
import { instant, openMember, receiver, text } from './member.ts'
import type { Received } from './receive.ts'

export type Way = 'bare' | 'mail' | 'power'

/** Runs something in a folder of its own, which is gone afterwards. */
export async function inFolder<Result>(act: (home: string) => Result | Promise<Result>): Promise<Result> {
  const home = mkdtempSync(join(tmpdir(), 'troupe-bench-'))
  try {
    return await act(home)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

interface Load {
  readonly senders: number
  readonly each: number
  /** Mails a second and sender; 0 is as many as go. */
  readonly rate: number
}

/** Real processes on both sides. */
export async function between(way: Way, { senders, each, rate }: Load): Promise<Received> {
  return inFolder(async (home) => {
    const sink = spawnScript('receiver-process.ts', way, home, String(senders * each))
    const lines = createInterface(sink.stdout ?? process.stdin)[Symbol.asyncIterator]()
    await lines.next()
    const sources = [...Array(senders).keys()].map((n) =>
      spawnScript('sender-process.ts', way, home, `s${n}`, String(each), String(rate)),
    )
    const [result] = await Promise.all([lines.next(), ...sources.map((source) => once(source, 'exit'))])
    return JSON.parse(String(result.value)) as Received
  })
}

/** Mails a second, from the first to the last. */
export async function throughput(way: Way, senders: number, count: number): Promise<number> {
  const { first, last } = await between(way, { senders, each: Math.floor(count / senders), rate: 0 })
  return (count / (last - first)) * 1000
}

/** Both sides in this process, with a doorbell. */
export function within(count: number): Promise<readonly number[]> {
  return inFolder(async (home) => {
    const doorbell = createDoorbell()
    const [sender, box] = [openMember(home, 'send', { doorbell }), openMember(home, receiver, { doorbell })]
    const ms: number[] = []
    box.watch(() => {
      for (const { body } of box.receive()) ms.push(instant() - Number(body.split(' ', 1)[0]))
    })
    for (let n = 0; n < count; n += 1) {
      sender.send({ to: agentId(receiver, 'bench'), kind: 'text', body: `${instant()} ${text}`, key: `k${n}` })
      await new Promise((resolve) => setImmediate(resolve))
    }
    return ms
  })
}

export interface Backlog {
  readonly send_empty_us: number
  readonly send_full_us: number
  readonly first_ms: number
  readonly per_second: number
  readonly memory_mb: number
}

/** What a box with this many unread mails costs its senders and its reader. */
export function backlog(count: number): Promise<Backlog> {
  return inFolder((home) => {
    const sender = openMember(home, 'send')
    const spans: number[] = []
    for (let n = 0; n < count; n += 1) {
      const began = instant()
      sender.send({ to: agentId(receiver, 'bench'), kind: 'text', body: text, key: `k${n}` })
      spans.push(instant() - began)
    }
    sender.close()
    const before = process.memoryUsage().rss
    const began = instant()
    const box = openMember(home, receiver)
    let got = box.receive().length
    const first = instant() - began
    const peak = process.memoryUsage().rss
    for (let mail = box.receive(); mail.length > 0; mail = box.receive()) got += mail.length
    if (got !== count) throw new Error(`${got} of ${count} came`)
    return {
      send_empty_us: percentile(spans.slice(100, 2100), 0.5) * 1000,
      send_full_us: percentile(spans.slice(-2000), 0.5) * 1000,
      first_ms: first,
      per_second: (count / (instant() - began)) * 1000,
      memory_mb: Math.max(0, peak - before) / 1e6,
    }
  })
}

/** A thousand watched boxes to which nobody writes. */
export function idle(boxes: number, ms: number): Promise<{ readonly cpu_percent: number; readonly memory_mb: number }> {
  return inFolder(async (home) => {
    const before = process.memoryUsage().rss
    const names = [...Array(boxes).keys()].map((n) => `m${n}`)
    const watch = watchMail({ dir: join(home, 'mail'), names }, () => undefined)
    await watch.ready
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    const cpu = process.cpuUsage()
    await new Promise((resolve) => setTimeout(resolve, ms))
    const { user, system } = process.cpuUsage(cpu)
    const memory = process.memoryUsage().rss - before
    await watch.close()
    return { cpu_percent: ((user + system) / 1000 / ms) * 100, memory_mb: memory / 1e6 }
  })
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

function spawnScript(script: string, ...args: readonly string[]) {
  return spawn(process.execPath, [join(import.meta.dirname, script), ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
}
