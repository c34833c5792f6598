import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unfinishedPrefix } from './write-json.ts'

/** A text under the name of its content. */
export interface Artifact {
  /** In hex. */
  readonly sha256: string
  readonly bytes: number
  readonly path: string
}

/**
 * Puts a content aside, once however often it is stored: `artifacts/<sha256>`, whole or not at all. Throws what the disk says.
 * @param folder `<run>/artifacts`
 * @param flush false where a power cut may take the content: then its hash tells
 * @example storeArtifact(run.artifacts, longText).path
 */
export function storeArtifact(folder: string, content: string | Uint8Array, flush = true): Artifact {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const path = join(folder, sha256)
  // A power cut may leave the name with less than its content.
  if (statSync(path, { throwIfNoEntry: false })?.size !== bytes.length) write(folder, path, { bytes, flush })
  return { sha256, bytes: bytes.length, path }
}

function write(
  folder: string,
  path: string,
  { bytes, flush }: { readonly bytes: Uint8Array; readonly flush: boolean },
): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const unfinished = join(folder, `${unfinishedPrefix}${process.pid}`)
  try {
    writeFileSync(unfinished, bytes, { mode: 0o600, flush })
    renameSync(unfinished, path)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}
