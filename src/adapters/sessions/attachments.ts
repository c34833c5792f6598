import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { storeArtifact } from './artifacts.ts'
import { taskAttachments } from './run-directory.ts'
import { attachmentsSchema, type Attachment } from '../../protocol/conversation/message.ts'

/** Puts attachments aside for a mail. @returns their name in the mail */
export function storeAttachments(dir: string, attachments: readonly Attachment[]): string {
  return storeArtifact(join(dir, 'artifacts'), JSON.stringify(attachments)).sha256
}

/** Attachments of a mail; none where they cannot be read, which the model is told. */
export function storedAttachments(artifacts: string, sha256: string): readonly Attachment[] {
  try {
    return attachmentsIn(join(artifacts, sha256))
  } catch {
    return []
  }
}

/** Attachments of a run's task. */
export function attachmentsOfTask(dir: string): readonly Attachment[] {
  const file = join(dir, taskAttachments)
  return existsSync(file) ? attachmentsIn(file) : []
}

function attachmentsIn(file: string): readonly Attachment[] {
  return attachmentsSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
}
