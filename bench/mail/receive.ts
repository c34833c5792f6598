import { watch } from 'node:fs'
import type { MailboxOptions } from '../../src/adapters/mailbox/mailbox.ts'
import { bareBox } from './bare.ts'
import { instant, openMember, receiver } from './member.ts'

/** What became of the mail that a receiver waited for. */
export interface Received {
  /** How long each was on its way, in milliseconds. */
  readonly ms: readonly number[]
  /** When the first and the last came. */
  readonly first: number
  readonly last: number
  /** What each cost the receiver, in microseconds of CPU: a machine that does other things changes it least. */
  readonly cpu_us: number
}

/** What is waited for. */
interface Expected {
  readonly count: number
  /** Hears of each mail that is in, by its sender. */
  readonly took: (sender: string) => void
}

export type Receive = (home: string, expected: Expected) => Promise<Received>

/** `fs.watch` on a bare folder. */
export const bareReceive =
  (synced: boolean): Receive =>
  (home, expected) => {
    const box = bareBox(home, synced)
    return collect(expected, (take, hear) => {
      const watcher = watch(box.inbox, hear)
      return { drain: () => box.drain(take), close: () => watcher.close() }
    })
  }

/** The mailbox, with its own watcher. */
export const mailReceive =
  (more: Partial<MailboxOptions> = {}): Receive =>
  (home, expected) => {
    const box = openMember(home, receiver, more)
    return collect(expected, (take, hear) => {
      const stop = box.watch(hear)
      const drain = () => {
        for (let mail = box.receive(); mail.length > 0; mail = box.receive()) for (const { body } of mail) take(body)
      }
      return {
        drain,
        close() {
          stop()
          box.close()
        },
      }
    })
  }

interface Source {
  drain(): void
  close(): void
}

function collect(
  { count, took }: Expected,
  open: (take: (body: string) => void, hear: () => void) => Source,
): Promise<Received> {
  const done = Promise.withResolvers<Received>()
  const ms: number[] = []
  let first = 0
  let before = process.cpuUsage()
  const take = (body: string): void => {
    const now = instant()
    if (ms.length === 0) {
      first = now
      before = process.cpuUsage()
    }
    const [sent = '', sender = ''] = body.split(' ', 2)
    ms.push(now - Number(sent))
    took(sender)
    if (ms.length < count) return
    const { user, system } = process.cpuUsage(before)
    setImmediate(() => {
      source.close()
      done.resolve({ ms, first, last: now, cpu_us: (user + system) / count })
    })
  }
  const source = open(take, () => source.drain())
  source.drain()
  return done.promise
}
