import type { Envelope } from '../../../protocol/mail/envelope.ts'
import { ulidSource } from '../../../protocol/words/ids.ts'

/** The parts of a mail file's name: `<sender>-<seq>-<ulid>.json`. */
export interface MailName {
  readonly file: string
  readonly sender: string
  readonly seq: number
  readonly id: string
}

const pattern = new RegExp(`^([a-z][a-z0-9-]*(?:-${ulidSource})?)-([1-9]\\d{0,14})-(${ulidSource})\\.json$`)

/** @example mailFile({ sender: 'lead', seq: 3, id: '01J…' }) // 'lead-3-01J….json' */
export function mailFile({ sender, seq, id }: Pick<Envelope, 'sender' | 'seq' | 'id'>): string {
  return `${sender}-${seq}-${id}.json`
}

/** @returns null for a name that no mailbox writes */
export function parseMailFile(file: string): MailName | null {
  const [, sender, seq, id] = pattern.exec(file) ?? []
  return sender === undefined || seq === undefined || id === undefined ? null : { file, sender, seq: Number(seq), id }
}

/**
 * Sorts mail into the order of delivery: each sender's mail by `seq`, senders among themselves by ULID. A ULID below an
 * earlier one of the same sender (a clock that was set back) counts as the earlier one, so the two rules never
 * contradict.
 */
export function inOrder(mail: readonly MailName[]): readonly MailName[] {
  const queues = bySender(mail)
  const [only = [], ...more] = queues
  if (more.length === 0) return only
  const ranked = queues.flatMap((queue) => {
    let rank = ''
    return queue.map((name) => {
      if (name.id > rank) rank = name.id
      return { name, rank }
    })
  })
  return ranked
    .toSorted((a, b) => compare(a.rank, b.rank) || compare(a.name.sender, b.name.sender) || a.name.seq - b.name.seq)
    .map(({ name }) => name)
}

/** Groups mail by sender, each group by its numbers. */
function bySender(mail: readonly MailName[]): readonly (readonly MailName[])[] {
  const queues = new Map<string, MailName[]>()
  for (const name of mail) {
    const queue = queues.get(name.sender)
    if (queue) queue.push(name)
    else queues.set(name.sender, [name])
  }
  return [...queues.values()].map((queue) => queue.toSorted((a, b) => a.seq - b.seq || compare(a.id, b.id)))
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
