import { inOrder, parseMailFile, type MailName } from '../files/mail-file.ts'

/**
 * The names in `new/` in the order of delivery; names that are no mail come first, to be set aside.
 * @param list lists the folder; called again only when the first listing may have missed something
 * @param highWater the highest number received from a sender
 *
 * A listing that runs while senders write may show a sender's fifth mail without its fourth, which was there before.
 * A second listing shows it for certain, so what is delivered is everything up to the numbers of the first. Where the
 * numbers follow on each other from the last one received, nothing can be missing.
 */
export function listMail(
  list: () => readonly string[],
  highWater: (sender: string) => number = () => 0,
): readonly string[] {
  const first = list()
  if (first.length === 0) return []
  const { mail, other } = sorted(first)
  const ordered = inOrder(mail)
  if (isGapless(ordered, highWater)) return [...other, ...ordered.map(({ file }) => file)]
  const seen = new Set(first)
  const horizon = new Map<string, number>()
  for (const { sender, seq } of mail) horizon.set(sender, Math.max(seq, horizon.get(sender) ?? 0))
  const late = sorted(list().filter((file) => !seen.has(file))).mail.filter(
    ({ sender, seq }) => seq < (horizon.get(sender) ?? 0),
  )
  return [...other, ...inOrder([...mail, ...late]).map(({ file }) => file)]
}

/**
 * Names in the order of delivery, wherever they come from; null unless each sender's numbers go on from its last one:
 * then nothing of theirs can be missing.
 */
export function inSequence(files: readonly string[], highWater: (sender: string) => number): readonly string[] | null {
  const { mail, other } = sorted(new Set(files))
  const ordered = inOrder(mail)
  return other.length === 0 && isGapless(ordered, highWater) ? ordered.map(({ file }) => file) : null
}

/** Whether each sender's numbers go on from its last one without a gap or a repeat. */
function isGapless(ordered: readonly MailName[], highWater: (sender: string) => number): boolean {
  const last = new Map<string, number>()
  return ordered.every(({ sender, seq }) => {
    const before = last.get(sender) ?? highWater(sender)
    last.set(sender, seq)
    return seq === before + 1
  })
}

function sorted(files: Iterable<string>): { mail: MailName[]; other: string[] } {
  const mail: MailName[] = []
  const other: string[] = []
  for (const file of files) {
    const name = parseMailFile(file)
    if (name) mail.push(name)
    else other.push(file)
  }
  return { mail, other }
}
