import { inOrder, parseMailFile, type MailName } from './mail-file.ts'
import { namesIn } from './mail-folders.ts'

/**
 * Lists `new/` in the order of delivery; names that are no mail come first, to be set aside.
 *
 * A listing that runs while senders write may show a sender's fifth mail without its fourth, which was there before.
 * A second listing shows it for certain, so what is delivered is everything up to the numbers of the first.
 */
export function listMail(folder: string): readonly string[] {
  const first = namesIn(folder)
  if (first.length === 0) return []
  const seen = new Set(first)
  const horizon = new Map<string, number>()
  const { mail, other } = sorted(first)
  for (const { sender, seq } of mail) horizon.set(sender, Math.max(seq, horizon.get(sender) ?? 0))
  const late = sorted(namesIn(folder).filter((file) => !seen.has(file))).mail.filter(
    ({ sender, seq }) => seq < (horizon.get(sender) ?? 0),
  )
  return [...other, ...inOrder([...mail, ...late]).map(({ file }) => file)]
}

function sorted(files: readonly string[]): { mail: MailName[]; other: string[] } {
  const mail: MailName[] = []
  const other: string[] = []
  for (const file of files) {
    const name = parseMailFile(file)
    if (name) mail.push(name)
    else other.push(file)
  }
  return { mail, other }
}
