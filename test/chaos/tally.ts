import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJournal } from '../../src/adapters/sessions/read-journal.ts'
import type { Envelope } from '../../src/protocol/mail/envelope.ts'
import type { Plan } from './life.ts'

/** What a storm did, and what went wrong in it. All but the first two must be zero. */
export interface Tally {
  kills: number
  sent: number
  lost: number
  duplicated: number
  misordered: number
}

export function emptyTally(): Tally {
  return { kills: 0, sent: 0, lost: 0, duplicated: 0, misordered: 0 }
}

export function isClean({ lost, duplicated, misordered }: Tally): boolean {
  return lost + duplicated + misordered === 0
}

type Cast = Pick<Plan, 'home' | 'dir' | 'senders' | 'receivers'>

/**
 * Compares what was sent with what was received, by the journals of both sides, and with what the processes noted:
 * a send that was confirmed must be in the sender's journal, and nothing may have been handed out twice.
 */
export function tallyRun(cast: Cast): Tally {
  const tally = emptyTally()
  const received = new Map(cast.receivers.map((name) => [name, mailIn(cast.dir, name, 'mail.received')]))
  for (const mail of received.values()) countRepeats(mail, tally)
  for (const name of cast.receivers) tally.duplicated += repeatsIn(notesOf(cast.home, name))
  const ids = new Set([...received.values()].flat().map(({ id }) => id))
  for (const name of cast.senders) {
    const sent = mailIn(cast.dir, name, 'mail.sent')
    const keys = new Set(sent.map(({ key }) => key))
    tally.sent += sent.length
    tally.lost += sent.filter(({ id }) => !ids.has(id)).length
    tally.lost += notesOf(cast.home, name).filter((key) => !keys.has(key)).length
  }
  return tally
}

function countRepeats(mail: readonly Envelope[], tally: Tally): void {
  tally.duplicated += repeatsIn(mail.map(({ sender, key }) => `${sender} ${key}`))
  const last = new Map<string, number>()
  for (const { sender, seq } of mail) {
    if (seq < (last.get(sender) ?? 0)) tally.misordered += 1
    last.set(sender, seq)
  }
}

function repeatsIn(lines: readonly string[]): number {
  return lines.length - new Set(lines).size
}

/** A journal that cannot be read whole after its owner mended it would hide mail: that is an error of its own. */
function mailIn(dir: string, name: string, type: 'mail.sent' | 'mail.received'): readonly Envelope[] {
  const { entries, problems } = readJournal(join(dir, 'journal', `${name}.jsonl`))
  if (problems.length > 0) throw new Error(`the journal of ${name} is damaged: ${JSON.stringify(problems)}`)
  return entries.flatMap((entry) => (entry.type === type ? [entry.envelope] : []))
}

function notesOf(home: string, name: string): readonly string[] {
  const file = join(home, `${name}.notes`)
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
}
