import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync, copyFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { mailLogOf } from '../../src/adapters/mailbox/files/mail-log.ts'
import { mailFold } from '../../src/adapters/mailbox/files/mail-memory.ts'
import { createMailbox, type Mailbox } from '../../src/adapters/mailbox/mailbox.ts'
import { sealOf } from '../../src/adapters/mailbox/files/read-mail.ts'
import { openJournal } from '../../src/adapters/sessions/journal.ts'
import { createRun, type RunDirectory } from '../../src/adapters/sessions/run-directory.ts'
import { agentId } from '../../src/protocol/words/ids.ts'
import { openOwned } from '../../src/runtime/journals/ledger.ts'
import { sentUnder } from '../../src/runtime/journals/mail-fates.ts'
import { countingMint } from '../contracts/mail-world.ts'
import { sampleTeam } from '../contracts/sample-team.ts'
import { virtualClock } from '../support/virtual-clock.ts'

const members = 200
const mails = 50_000
const dayMs = 24 * 3_600_000
const names = Array.from({ length: members }, (_, n) => `m${n}`)

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes that are in use, and open files of this process. */
function weigh(): { readonly bytes: number; readonly files: number } {
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return { bytes: heapUsed + arrayBuffers, files: readdirSync('/proc/self/fd').length }
}

/** A run whose journals go on in another file after 32 KiB, so that a day has several segments of each. */
function dayRun(): RunDirectory {
  const cwd = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'troupe-day-'))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  const [team, ulid] = [sampleTeam(names), '01J00000000000000000000001']
  const run = createRun({ root: cwd, home: cwd, team, task: 'Go.', cwd, git_head: null, ulid, created: 0 })
  const header = { run: run.id, team: team.name, leader: 'lead' }
  return {
    ...run,
    openJournal: (owner, now, fold) =>
      openJournal(run.journalFile(owner), { owner, now, fold, header, segmentBytes: 32 << 10 }),
  }
}

interface Day {
  at: number
  readonly random: () => number
  readonly run: RunDirectory
  readonly boxes: Map<string, { readonly box: Mailbox; close(): void }>
  /** By recipient and sender: the latest number that was received, and that was sent. */
  readonly taken: Counts
  readonly sent: Counts
  received: number
  readonly open: (name: string) => void
}

function beginDay(): Day {
  const run = dayRun()
  const [mint, seal] = [countingMint(), sealOf(Buffer.alloc(32, 7))]
  const timers = { set: () => null, clear: () => undefined }
  const day: Day = {
    at: 0,
    random: () => (virtual.random ?? Math.random)(),
    run,
    boxes: new Map(),
    taken: noCounts(),
    sent: noCounts(),
    received: 0,
    open(name) {
      const clock = { now: () => day.at }
      const { journal, state, owns } = openOwned({ run, clock }, { owner: name, incarnation: mint() }, mailFold)
      const log = mailLogOf((facts) => void journal.append(facts), state, sentUnder(run.journalFile(name)))
      const from = agentId(name, 'demo')
      const own = { owner: name, from, team: 'demo', roster: names, log, seal, owns, timers, mint }
      const box = createMailbox({ dir: run.mail, now: clock.now, ...own })
      day.boxes.set(name, {
        box,
        close() {
          box.close()
          journal.close()
        },
      })
      take(day, name)
    },
  }
  const virtual = virtualClock(4711)
  for (const name of names) day.open(name)
  return day
}

/** Takes the mail of one member in: each sender's in order, none lost, none twice. */
function take(day: Day, name: string): void {
  for (const { sender, body } of day.boxes.get(name)?.box.receive() ?? []) {
    const due = countOne(day.taken, name, sender)
    if (body !== `${due}`) throw new Error(`from ${sender} to ${name}: ${body} instead of ${due}`)
    day.received += 1
  }
}

/** A number for each recipient and sender, in a table that does not grow. */
type Counts = Uint16Array

const noCounts = (): Counts => new Uint16Array(members * members)
const placeOf = (to: string, from: string): number => Number(to.slice(1)) * members + Number(from.slice(1))

function countOne(counts: Counts, to: string, from: string): number {
  const place = placeOf(to, from)
  return (counts[place] = (counts[place] ?? 0) + 1)
}

/** The same words and the same key for the same number. */
function mail(day: Day, from: string, { to, number }: { to: string; number: number }) {
  const words = { kind: 'text', body: `${number}`, key: `${to} ${number}` } as const
  return day.boxes.get(from)?.box.send({ to: `${to}@demo`, ...words })
}

function send(day: Day, from: string, to: string): void {
  const number = countOne(day.sent, to, from)
  const sent = mail(day, from, { to, number })
  if (!sent?.ok) throw new Error(`from ${from} to ${to}, ${number}: ${sent?.error}`)
}

/** Bad luck for one member: its life ends and another begins, a file that is no mail, an old mail once more, a key twice. */
const mishaps: readonly ((day: Day, name: string) => void)[] = [
  (day, name) => {
    day.boxes.get(name)?.close()
    day.open(name)
  },
  (day, name) => writeFileSync(join(day.run.mail, name, 'new', `junk-${Math.floor(day.at)}.json`), 'junk'),
  (day, name) => {
    const done = join(day.run.mail, name, 'done')
    const [file] = readdirSync(done)
    if (file !== undefined) copyFileSync(join(done, file), join(day.run.mail, name, 'new', file))
  },
  (day, name) => {
    const to = names.find((other) => (day.sent[placeOf(other, name)] ?? 0) > 0)
    const again = to === undefined ? null : mail(day, name, { to, number: 1 })
    if (again && !(again.ok && again.envelope.body === '1')) throw new Error(`${to} got a mail of ${name} twice`)
  },
]

test('a day of 200 members and 50,000 mails, one in a hundred with a mishap, leaves memory and open files as they were', () => {
  const day = beginDay()
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(day.random() * items.length)] as Item
  const hours: ReturnType<typeof weigh>[] = []
  for (let n = 0; n < mails; n += 1) {
    day.at = (n / mails) * dayMs
    const from = pick(names)
    const to = pick(names.filter((name) => name !== from))
    send(day, from, to)
    take(day, to)
    if (day.random() < 0.01) pick(mishaps)(day, to)
    if (Math.floor(((n + 1) / mails) * 24) > hours.length) hours.push(weigh())
  }
  for (const name of names) take(day, name)
  expect(day.received).toBe(mails)
  // The latest few mails that each member keeps are there by the second hour; then six bytes a mail come to it.
  const [, second, ...later] = hours
  if (!second) throw new Error('no second hour')
  expect(later).toHaveLength(22)
  for (const { bytes, files } of later) {
    expect(files).toBeLessThanOrEqual(second.files)
    expect(bytes / second.bytes).toBeLessThan(1.15)
  }
  for (const { close } of day.boxes.values()) close()
})
