import { findEntry } from './find-entry.ts'

/** A content of a file, as a journal may tell of it. */
export interface FileContent {
  /** Where the file really lies. */
  readonly real: string
  readonly sha256: string
}

/**
 * The member of a run that gave a file this content, as the journals say; the last one, when several did. Members of
 * other processes and of earlier lives are found, too.
 *
 * @param journals the members' journals by name; one that cannot be read tells nothing
 * @returns undefined when no member's file tool did
 * @example lastWriter({ writer: run.journalFile('writer') }, { real: '/project/a.txt', sha256 })
 */
export function lastWriter(journals: Readonly<Record<string, string>>, content: FileContent): string | undefined {
  let last = { at: -Infinity, member: undefined as string | undefined }
  for (const [member, file] of Object.entries(journals)) {
    const at = wroteAt(file, content)
    if (at !== undefined && at >= last.at) last = { at, member }
  }
  return last.member
}

function wroteAt(file: string, { real, sha256 }: FileContent): number | undefined {
  return findEntry(file, sha256, (entry) => {
    const touched = entry.type === 'call.finished' ? entry.file : undefined
    return touched?.wrote && touched.path === real && touched.sha256 === sha256 ? entry.at : undefined
  })
}
