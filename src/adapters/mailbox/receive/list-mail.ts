import { inOrder, parseMailFile, type MailName } from '../files/mail-file.ts'

/**
 * Lists `new/` in the order of delivery; names that are no mail come first, to be set aside.
 *
 * A listing that runs while senders write may show a sender's fifth mail without its fourth, which was there before. The
 * second listing shows the fourth for certain, so delivery goes up to the highest numbers of the first listing.
 * @param list lists the folder
 */
export function listMail(list: () => readonly string[]): readonly string[] {
  const first = list()
  if (first.length === 0) return []
  const { mail, other } = sorted(first)
  const seen = new Set(first)
  const horizon = new Map<string, number>()
  for (const { sender, seq } of mail) horizon.set(sender, Math.max(seq, horizon.get(sender) ?? 0))
  const late = sorted(list().filter((file) => !seen.has(file))).mail.filter(
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
