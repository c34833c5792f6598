import { resolve } from 'node:path'
import type { Attachment } from '../../../protocol/conversation/message.ts'
import type { Host, Values } from '../host/host.ts'

export type Attaching = Values<'attach', readonly string[]>

/** The files that a person attaches. @throws NotAttachable when one cannot be shown to a model */
export async function attached({ attach = [] }: Attaching, { cwd }: Host): Promise<readonly Attachment[]> {
  if (attach.length === 0) return []
  const { readAttachments } = await import('../../../runtime/mail/attachments.ts')
  return readAttachments(attach.map((path) => resolve(cwd, path)))
}
