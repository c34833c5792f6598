import { appendFileSync, mkdirSync, readFileSync, readdirSync, renameSync, unlinkSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { MailboxOptions } from '../../src/adapters/mailbox/mailbox.ts'
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

export type Receive = (home: string, count: number) => Promise<Received>

/** The reference: a folder, `fs.watch`, and nothing that could be left out. */
export const bareReceive: Receive = async (home, count) => {
  const folder = (name: string) => join(home, 'mail', receiver, name)
  for (const name of ['new', 'cur', 'tmp']) mkdirSync(folder(name), { recursive: true })
  const journal = join(home, 'bare.jsonl')
  return collect(count, (take, hear) => {
    const watcher = watch(folder('new'), hear)
    const drain = () => {
      for (const file of readdirSync(folder('new')).toSorted()) {
        renameSync(join(folder('new'), file), join(folder('cur'), file))
        const { body } = JSON.parse(readFileSync(join(folder('cur'), file), 'utf8')) as { body: string }
        appendFileSync(journal, `${body}\n`)
        unlinkSync(join(folder('cur'), file))
        take(body)
      }
    }
    return { drain, close: () => watcher.close() }
  })
}

/** The mailbox, with its own watcher. */
export const mailReceive =
  (more: Partial<MailboxOptions> = {}): Receive =>
  (home, count) => {
    const box = openMember(home, receiver, more)
    return collect(count, (take, hear) => {
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

function collect(count: number, open: (take: (body: string) => void, hear: () => void) => Source): Promise<Received> {
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
    ms.push(now - Number(body.split(' ', 1)[0]))
    if (ms.length === count) {
      setImmediate(() => source.close())
      const { user, system } = process.cpuUsage(before)
      done.resolve({ ms, first, last: now, cpu_us: (user + system) / count })
    }
  }
  const source = open(take, () => source.drain())
  source.drain()
  return done.promise
}
