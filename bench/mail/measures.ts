import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { createDoorbell } from '../../src/adapters/mailbox/watch/doorbell.ts'
import { agentId } from '../../src/protocol/words/ids.ts'
import { bareBox, bareSender } from './bare.ts'
import { instant, openMember, receiver, text as filler } from './member.ts'
import type { Received } from './receive.ts'

export type Way = 'bare' | 'mail' | 'bare-power' | 'power'

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

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

export interface Load {
  readonly senders: number
  readonly each: number
  /** Mails a second and sender; 0 is as many as go with a bounded number on their way. */
  readonly rate: number
}

export interface Exchanged extends Received {
  /** What each mail cost its sender, in microseconds of CPU. */
  readonly sender_us: number
}

/** Real processes on both sides. */
export async function between(way: Way, { senders, each, rate }: Load): Promise<Exchanged> {
  return inFolder(async (home) => {
    const windowed = rate === 0 ? ['windowed'] : []
    const sink = spawnScript('receiver-process.ts', way, home, String(senders * each), ...windowed)
    const lines = createInterface(sink.stdout ?? process.stdin)[Symbol.asyncIterator]()
    await lines.next()
    const sources = [...Array(senders).keys()].map((n) =>
      spawnScript('sender-process.ts', way, home, `s${n}`, String(each), String(rate)),
    )
    const costs = Promise.all(
      sources.map(async ({ stdout }) => {
        const { cpu_us } = JSON.parse(await text(stdout ?? process.stdin)) as { cpu_us: number }
        return cpu_us
      }),
    )
    const [result] = await Promise.all([lines.next(), ...[sink, ...sources].map((one) => once(one, 'exit'))])
    return { ...(JSON.parse(String(result.value)) as Received), sender_us: median(await costs) }
  })
}

export interface Throughput {
  /** Mails a second, from the first to the last. */
  readonly rate: number
  /** Milliseconds of CPU for each mail. */
  readonly receiver_ms: number
  readonly sender_ms: number
}

export async function throughput(way: Way, senders: number, count: number): Promise<Throughput> {
  const load = { senders, each: Math.floor(count / senders), rate: 0 }
  const { first, last, cpu_us, sender_us } = await between(way, load)
  return { rate: (count / (last - first)) * 1000, receiver_ms: cpu_us / 1000, sender_ms: sender_us / 1000 }
}

/** Both sides in this process, with a doorbell. */
export function within(count: number): Promise<readonly number[]> {
  return inFolder(async (home) => {
    const doorbell = createDoorbell()
    const [sender, box] = [openMember(home, 'send', { doorbell }), openMember(home, receiver, { doorbell })]
    const ms: number[] = []
    box.watch(() => {
      for (const { body } of box.receive()) ms.push(spanOf(body))
    })
    for (let n = 0; n < count; n += 1) {
      sender.send({ to: agentId(receiver, 'bench'), kind: 'text', body: `${instant()} send ${filler}`, key: `k${n}` })
      await new Promise((resolve) => setImmediate(resolve))
    }
    return ms
  })
}

/** The same with the bare folder. */
export function bareWithin(count: number): Promise<readonly number[]> {
  return inFolder(async (home) => {
    const [send, box] = [bareSender(home, 'send'), bareBox(home)]
    const ms: number[] = []
    for (let n = 0; n < count; n += 1) {
      send(`${instant()} send ${filler}`, n)
      queueMicrotask(() => box.drain((body) => ms.push(spanOf(body))))
      await new Promise((resolve) => setImmediate(resolve))
    }
    return ms
  })
}

function spanOf(body: string): number {
  return instant() - Number(body.split(' ', 1)[0])
}

/** Sources run unbuilt here: what Node makes of them is kept, or each start would measure that. */
export function spawnScript(script: string, ...args: readonly string[]) {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'troupe-bench-compiled') }
  return spawn(process.execPath, [resolve(import.meta.dirname, script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  })
}
