import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn } from '../../src/adapters/fs/names-in.ts'
import { claimedIn, mailFolders, parseMailFile } from '../../src/adapters/mailbox/files/mail-files.ts'

/*
 * Boxes that nobody can ever empty. Good mail must pass all the same, and whoever owns such a box must come to rest.
 */

/** A file that is no mail, and must stay: it cannot be put away. */
const obstacle = 'obstacle'

/** Makes a box, before anybody owns it, whose `dead/` is no folder: junk is judged, and stays where it lies. */
export function withoutGraves(mail: string, name: string): void {
  const { new: unread, dead } = mailFolders(mail, name)
  mkdirSync(unread, { recursive: true })
  writeFileSync(dead, 'no folder')
  writeFileSync(join(unread, obstacle), 'no mail')
}

/** Makes a box, before anybody owns it, with an entry in `new/` that no rename moves: the claims are inside of it. */
export function withUnmovable(mail: string, name: string): void {
  const { new: unread, cur } = mailFolders(mail, name)
  const claims = join(unread, obstacle, 'claims')
  mkdirSync(claims, { recursive: true })
  symlinkSync(claims, cur)
}

/** Whether what can never be taken out of a box lies in it. */
export function isStuck(mail: string, name: string): boolean {
  const folders = mailFolders(mail, name)
  return existsSync(join(folders.new, obstacle)) || claimedIn(folders).some(({ file }) => file === obstacle)
}

/** Mail that lies in a box unread. */
export function mailLeftIn(mail: string, name: string): number {
  const folders = mailFolders(mail, name)
  const files = [...namesIn(folders.new), ...claimedIn(folders).map(({ file }) => file)]
  return files.filter((file) => parseMailFile(file) !== null).length
}
