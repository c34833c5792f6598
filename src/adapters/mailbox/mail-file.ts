import type { Envelope } from '../../protocol/envelope.ts'

/** What the name of a mail file says: `<sender>-<seq>-<ulid>.json`. */
export interface MailName {
  readonly file: string
  readonly sender: string
  readonly seq: number
  readonly id: string
}

const pattern = /^([a-z][a-z0-9-]*(?:-[0-9A-Z]{26})?)-([1-9]\d{0,14})-([0-9A-HJKMNP-TV-Z]{26})\.json$/

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
 * The order of delivery: each sender's mail by `seq`, senders among themselves by ULID. A ULID below an earlier one of
 * the same sender (a clock that was set back) counts as the earlier one, so the two rules never contradict.
 */
export function inOrder(mail: readonly MailName[]): readonly MailName[] {
  const latest = new Map<string, string>()
  return mail
    .toSorted((a, b) => a.seq - b.seq)
    .map((name) => {
      const before = latest.get(name.sender) ?? ''
      const rank = name.id > before ? name.id : before
      latest.set(name.sender, rank)
      return { name, rank }
    })
    .toSorted((a, b) => compare(a.rank, b.rank) || compare(a.name.sender, b.name.sender) || a.name.seq - b.name.seq)
    .map(({ name }) => name)
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
