import type { Entry } from '../../protocol/facts/entry.ts'

/** The content of each file as a member last saw or wrote it: SHA-256 by real path. */
export type SeenFiles = Map<string, string>

/** Takes one entry of the member's journal in: a file that it read whole, wrote or edited. */
export function applySeenFiles(seen: SeenFiles, entry: Entry): void {
  if (entry.type === 'call.finished' && entry.file) seen.set(entry.file.path, entry.file.sha256)
}
