import { namesIn } from '../../fs/names-in.ts'
import { mailFolders } from '../files/mail-folders.ts'

/** Senders that may fill the last room of a box side by side without passing its bound by more than a few. */
const sharers = 16

/**
 * Bounds the unread mail of each member, as one sender sees it. A count lists the box, so the sender counts again only
 * after it used its share of the room: rarely in an empty box, at every send in one that is nearly full.
 * @returns whether a member's box has room for one more mail; each call that says so takes a place
 */
export function unreadBound(dir: string, max: number): (name: string) => boolean {
  const shares = new Map<string, number>()
  return (name) => {
    const left = shares.get(name) || Math.ceil((max - namesIn(mailFolders(dir, name).new).length) / sharers)
    if (left <= 0) return false
    shares.set(name, left - 1)
    return true
  }
}
