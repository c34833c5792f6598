import { join } from 'node:path'
import type { FactOf } from '../../../protocol/facts/fact.ts'
import { envelopeSchema } from '../../../protocol/mail/envelope.ts'
import { parseJson } from '../../fs/parse-json.ts'
import { namesIn } from '../../fs/names-in.ts'
import { readPlainFile } from '../../fs/plain-file.ts'
import { mailFolders, move, parseMailFile } from '../files/mail-files.ts'

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
 * @returns the facts that are to be recorded
 */
export function withdrawTasks(dir: string, { sender, to, requests }: Withdrawal): readonly FactOf<'mail.died'>[] {
  const folders = mailFolders(dir, to)
  return namesIn(folders.new).flatMap((file): FactOf<'mail.died'>[] => {
    if (parseMailFile(file)?.sender !== sender) return []
    const path = join(folders.new, file)
    const task = taskIn(path)
    if (!task || !requests.includes(task.request ?? '')) return []
    if (!move(path, join(folders.dead, file))) return []
    const reason = `its sender took it back: the request ${task.request} was cancelled`
    return [{ type: 'mail.died', file, mail_id: task.id, reason, kind: task.kind, from: task.from }]
  })
}

function taskIn(path: string) {
  try {
    const plain = readPlainFile(path)
    const { data } = envelopeSchema.safeParse('text' in plain ? parseJson(plain.text) : undefined)
    return data?.kind === 'task' ? data : null
  } catch {
    // The file was claimed meanwhile: its reader judges it.
    return null
  }
}
