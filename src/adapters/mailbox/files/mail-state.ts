import { namePattern } from '../../../protocol/words/ids.ts'
import { namesIn } from '../../fs/names-in.ts'
import { claimedIn, mailFolders, parseMailFile, type MailName } from './mail-files.ts'

/**
 * Where a mail is on its way: in `new/`, in `cur/`, in the recipient's journal, handled as its reader says, set aside, or
 * nowhere to be found.
 */
export type MailState = 'written' | 'claimed' | 'acked' | 'handled' | 'dead' | 'unknown'

/**
 * What the journals of a run say of a mail: its file may be gone for good.
 * @param to the recipient's name
 */
export type Fate = (to: string, mail: Pick<MailName, 'id'>) => 'acked' | 'handled' | 'dead' | null

/**
 * Looks a mail up in its recipient's box, in the order in which mail moves, and then in the journals.
 * @param dir `<run>/mail`
 * @param to the recipient's name
 */
export function mailState(dir: string, to: string, { id, fate }: { id: string; fate?: Fate | undefined }): MailState {
  if (!namePattern.test(to)) return 'unknown'
  const folders = mailFolders(dir, to)
  const isIt = (file: string) => file.endsWith(`-${id}.json`)
  if (namesIn(folders.new).some(isIt)) return 'written'
  if (claimedIn(folders).some(({ file }) => isIt(file))) return 'claimed'
  const said = fate?.(to, { id }) ?? null
  if (said === 'handled' || namesIn(folders.done).some(isIt)) return said ?? 'acked'
  return namesIn(folders.dead).some(isIt) ? 'dead' : (said ?? 'unknown')
}

/** The writers of a member's unread mail, '' for a file that no mailbox wrote. */
export function sendersTo(dir: string, name: string): readonly string[] {
  return namesIn(mailFolders(dir, name).new).map((file) => parseMailFile(file)?.sender ?? '')
}
