import { namePattern } from '../../../protocol/words/ids.ts'
import { claimedIn, mailFolders, mailNamesIn } from './mail-folders.ts'

/** Where a mail is on its way: in `new/`, in `cur/`, in the recipient's journal, set aside, or nowhere to be found. */
export type MailState = 'written' | 'claimed' | 'acked' | 'dead' | 'unknown'

/**
 * Looks a mail up in its recipient's box, in the order in which mail moves.
 * @param dir `<run>/mail`
 * @param to the recipient's name
 */
export function mailState(dir: string, to: string, id: string): MailState {
  if (!namePattern.test(to)) return 'unknown'
  const folders = mailFolders(dir, to)
  const isIt = (file: string) => file.endsWith(`-${id}.json`)
  if (mailNamesIn(folders.new).some(isIt)) return 'written'
  if (claimedIn(folders).some(({ file }) => isIt(file))) return 'claimed'
  if (mailNamesIn(folders.done).some(isIt)) return 'acked'
  return mailNamesIn(folders.dead).some(isIt) ? 'dead' : 'unknown'
}
