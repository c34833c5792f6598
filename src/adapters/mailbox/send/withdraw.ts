import { basename, join } from 'node:path'
import type { FactOf } from '../../../protocol/facts/fact.ts'
import { envelopeSchema, type Envelope } from '../../../protocol/mail/envelope.ts'
import { isTask } from '../../../rules/conversation/task-queue.ts'
import { parseJson } from '../../fs/parse-json.ts'
import { namesIn } from '../../fs/names-in.ts'
import { readPlainFile } from '../../fs/plain-file.ts'
import { mailFolders, move, parseMailFile } from '../files/mail-files.ts'
import { readMail, type Recipient } from '../files/read-mail.ts'

/** The unread tasks that are taken back. */
export interface Withdrawal {
  /** The writer of the tasks. */
  readonly sender: string
  /** The member in whose box they lie. */
  readonly to: string
  readonly requests: readonly string[]
}

/**
 * Takes back tasks that are not needed any more and that their worker has not claimed: a later life of the worker would
 * do them. Of a worker that claims at the same moment and this call, one renames the file.
 * @param dir `<run>/mail`
 * @returns what was taken back, with the facts that are to be recorded
 */
export function withdrawTasks(dir: string, { sender, to, requests }: Withdrawal): readonly TakenMail[] {
  const { dead, new: unread } = mailFolders(dir, to)
  return namesIn(unread).flatMap((file): TakenMail[] => {
    if (parseMailFile(file)?.sender !== sender) return []
    const path = join(unread, file)
    const task = envelopeIn(path)
    if (task === null || !isTask(task) || !requests.includes(task.request ?? '')) return []
    if (!move(path, join(dead, file))) return []
    const reason = `its sender took it back: the request ${task.request} was cancelled`
    return [taken(file, task, reason)]
  })
}

function taken(file: string, envelope: Envelope, reason: string): TakenMail {
  const { id: mail_id, kind, from } = envelope
  return { envelope, fact: { type: 'mail.died', file, mail_id, reason, kind, from } }
}

/** Mail that was taken out of a box before its owner read it, and the fact that says so. */
export interface TakenMail {
  readonly fact: FactOf<'mail.died'>
  readonly envelope: Envelope
}

/**
 * Takes what a stopped member has not read out of its box: no later life of it is shown that. Tasks stay, since they call
 * for one. A file that is no genuine mail stays too, for its reader to judge.
 * @param files where the unread mail lies
 * @param recipient the stopped member, without a life: mail to any of its lives is meant
 */
export function takeUnread(
  dir: string,
  { name, files, recipient }: { name: string; files: readonly string[]; recipient: Recipient },
): readonly TakenMail[] {
  const { dead } = mailFolders(dir, name)
  return files.flatMap((path): TakenMail[] => {
    const file = basename(path)
    const envelope = envelopeIn(path, recipient)
    if (envelope === null || envelope.kind === 'task' || !move(path, join(dead, file))) return []
    return [taken(file, envelope, `${name} was stopped before it read this`)]
  })
}

/** @param recipient where given, the mail has to be genuine, too */
function envelopeIn(path: string, recipient?: Recipient): Envelope | null {
  try {
    if (recipient) {
      const read = readMail(path, basename(path), recipient)
      return 'envelope' in read ? read.envelope : null
    }
    const plain = readPlainFile(path)
    return envelopeSchema.safeParse('text' in plain ? parseJson(plain.text) : undefined).data ?? null
  } catch {
    // The file was claimed meanwhile: its reader judges it.
    return null
  }
}
