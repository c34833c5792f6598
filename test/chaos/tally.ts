import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJournal } from '../../src/adapters/sessions/read-journal.ts'
import type { Envelope } from '../../src/protocol/mail/envelope.ts'
import type { Plan } from './life.ts'
import { isStuck, mailLeftIn } from './stuck-box.ts'

/** What a storm did, and what went wrong in it. All but the first two must be zero. */
export interface Tally {
  kills: number
  sent: number
  lost: number
  duplicated: number
  misordered: number
  /** Mail that its reader was never handed, or that nobody said to be done with. */
  unhandled: number
  /** Mail that is unread at the end. */
  left: number
  /** Boxes that could be emptied, although something in each cannot be put away. */
  emptied: number
}

export function emptyTally(): Tally {
  return { kills: 0, sent: 0, lost: 0, duplicated: 0, misordered: 0, unhandled: 0, left: 0, emptied: 0 }
}

export function isClean({ lost, duplicated, misordered, unhandled, left, emptied }: Tally): boolean {
  return lost + duplicated + misordered + unhandled + left + emptied === 0
}

type Cast = Pick<Plan, 'home' | 'dir' | 'senders' | 'receivers'>

/**
 * Compares what was sent with what was received, by the journals of both sides, and with what the processes noted:
 * a send that was confirmed must be in the sender's journal, all that was received must have been handed out, and nothing
 * again after its reader was done with it.
 */
export function tallyRun(cast: Cast): Tally {
  const tally = emptyTally()
  const received = new Map(cast.receivers.map((name) => [name, mailIn(cast.dir, name, 'mail.received')]))
  for (const mail of received.values()) countRepeats(mail, tally)
  for (const [name, mail] of received) {
    const notes = notesOf(cast.home, name)
    tally.duplicated += handedAfterDone(notes)
    const said = new Set(notes)
    const handled = new Set(handledBy(cast.dir, name))
    tally.unhandled += mail.filter(({ id }) => !said.has(`handed ${id}`) || !handled.has(id)).length
    if (!isStuck(join(cast.dir, 'mail'), name)) tally.emptied += 1
    tally.left += mailLeftIn(join(cast.dir, 'mail'), name)
  }
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

function handedAfterDone(notes: readonly string[]): number {
  const done = new Set<string>()
  let count = 0
  for (const note of notes) {
    const [what, id = ''] = note.split(' ')
    if (what === 'done') done.add(id)
    else if (done.has(id)) count += 1
  }
  return count
}

function handledBy(dir: string, name: string): readonly string[] {
  const { entries } = readJournal(join(dir, 'journal', `${name}.jsonl`))
  return entries.flatMap((entry) => (entry.type === 'mail.handled' ? [entry.mail_id] : []))
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
