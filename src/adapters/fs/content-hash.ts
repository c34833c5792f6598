import { createHash, type Hash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'

const chunkBytes = 1 << 18

/** The SHA-256 of a content: `contentHash('text')`. */
export function contentHash(content: string | Uint8Array): string {
  return startHash().update(content).digest('hex')
}

/** The same hash for a content that comes in pieces. */
export function startHash(): Hash {
  return createHash('sha256')
}

/** The same hash of what is still to be read, in bounded memory: `await hashOfRest(opened)`. */
export async function hashOfRest(from: { read(buffer: Uint8Array): Promise<number> }): Promise<string> {
  const hash = startHash()
  const chunk = Buffer.allocUnsafe(chunkBytes)
  for (let got = await from.read(chunk); got > 0; got = await from.read(chunk)) hash.update(chunk.subarray(0, got))
  return hash.digest('hex')
}

const largestText = 64 * 1024

/** The text of a plain file, links followed; null where it is longer than 64 KiB, or no file. */
export function shortText(path: string): string | null {
  return smallFile(path, largestText)?.toString('utf8') ?? null
}

const largestScript = 1024 * 1024

/** The same hash of a plain file of a size that scripts have, links followed; null for any other. */
export function scriptHash(path: string): string | null {
  const content = smallFile(path, largestScript)
  return content === null ? null : contentHash(content)
}

/** The content of a plain file of at most so many bytes, links followed; null for any other. */
function smallFile(path: string, most: number): Buffer | null {
  try {
    const state = statSync(path)
    return state.isFile() && state.size <= most ? readFileSync(path) : null
  } catch {
    return null
  }
}
