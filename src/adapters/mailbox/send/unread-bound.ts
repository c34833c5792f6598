import { namesIn } from '../../fs/names-in.ts'
import { mailFolders } from '../files/mail-folders.ts'

/** Senders that may fill the last room of a box side by side without going beyond its bound. */
const sharers = 16

/**
 * The bound on unread mail, as one sender keeps it. Counting is a listing, so it counts again only after it used its
 * share of the room it saw: never in an empty box, at every send in one that is nearly full.
 * @returns a question asked before each send: is there room in this member's box?
 */
export function unreadBound(dir: string, max: number): (name: string) => boolean {
  const share = new Map<string, number>()
  return (name) => {
    const left = share.get(name) ?? 0
    if (left > 0) {
      share.set(name, left - 1)
      return true
    }
    const room = max - namesIn(mailFolders(dir, name).new).length
    if (room <= 0) return false
    share.set(name, Math.max(1, Math.floor(room / sharers)) - 1)
    return true
  }
}
