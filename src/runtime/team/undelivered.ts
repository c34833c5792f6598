import { claimedIn, mailFolders, parseMailFile } from '../../adapters/mailbox/files/mail-files.ts'
import { isHeldElsewhere } from '../../adapters/mailbox/receive/claims.ts'
import { namesIn } from '../../adapters/fs/names-in.ts'
import { ownProcess } from '../../adapters/process/liveness.ts'
import { journalCursor } from '../../adapters/sessions/journal-cursor.ts'
import { readMember } from '../../adapters/sessions/read-run.ts'
import { journalFile } from '../runs/read-runs.ts'

/**
 * Files of one member that are settled wherever they lie, as the member's journal tells. A claimed file that was given up
 * could not be put away; one in `new/` was put back there to be tried again.
 */
function openSettled(file: string): (name: string, place: 'new' | 'cur') => boolean {
  const cursor = journalCursor(file)
  const received = new Set<string>()
  const givenUp = { new: new Set<string>(), cur: new Set<string>() }
  return (name, place) => {
    cursor.each((entry) => {
      if (entry.type === 'mail.received') received.add(entry.envelope.id)
      else if (entry.type === 'mail.died') givenUp[entry.left ? 'new' : 'cur'].add(entry.file)
    })
    return givenUp[place].has(name) || received.has(parseMailFile(name)?.id ?? '')
  }
}

/**
 * Counts the mail that a member of a run still has to take in, for whoever waits for it. Files that its journal has
 * received, or has given up where they lie, are nobody's work; nor are the claims of living processes that are not the
 * member.
 * @param dir the run directory
 * @example undeliveredIn(run.dir)('historian') // 0
 */
export function undeliveredIn(dir: string): (name: string) => number {
  const files = undeliveredFiles(dir)
  return (name) => files(name).length
}

/** The same with the paths of the files. */
export function undeliveredFiles(dir: string): (name: string) => readonly string[] {
  const journals = new Map<string, ReturnType<typeof openSettled>>()
  const settledOf = (name: string) => {
    const settled = journals.get(name) ?? openSettled(journalFile(dir, name))
    journals.set(name, settled)
    return settled
  }
  const isStrange = (name: string, claim: string): boolean => {
    const { pid, started } = readMember(dir, name) ?? ownProcess()
    return claim !== `${pid}.${started}` && isHeldElsewhere(claim)
  }
  return (name) => {
    const folders = mailFolders(`${dir}/mail`, name)
    const unread = namesIn(folders.new)
    const claimed = claimedIn(folders)
    if (unread.length + claimed.length === 0) return []
    const isSettled = settledOf(name)
    const taken = claimed.filter(({ claim, file }) => !isStrange(name, claim) && !isSettled(file, 'cur'))
    return [
      ...unread.filter((file) => !isSettled(file, 'new')).map((file) => `${folders.new}/${file}`),
      ...taken.map(({ claim, file }) => `${folders.cur}/${claim}/${file}`),
    ]
  }
}
