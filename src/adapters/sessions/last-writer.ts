import { judgeLine } from './entry-line.ts'
import { linesOf, segmentsOf, type Segment } from './segments.ts'

/** A content of a file, as a journal may tell of it. */
export interface FileContent {
  /** Where the file really lies. */
  readonly real: string
  readonly sha256: string
}

const newline = 0x0a

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
    if (at !== null && at >= last.at) last = { at, member }
  }
  return last.member
}

/** Only lines that name the content are read as such: a journal is long, and this is asked in the middle of a call. */
function wroteAt(file: string, { real, sha256 }: FileContent): number | null {
  const writes = segmentsOf(file)
    .toReversed()
    .map((segment) => wroteIn(segment, { real, sha256 }))
  return writes.find((at) => at !== null) ?? null
}

function wroteIn(segment: Segment, { real, sha256 }: FileContent): number | null {
  const bytes = bytesOf(segment)
  for (let place = bytes.lastIndexOf(sha256); place !== -1;) {
    const start = bytes.lastIndexOf(newline, place) + 1
    const end = bytes.indexOf(newline, place)
    const { entry } = judgeLine(bytes.subarray(start, end))
    const touched = entry?.type === 'call.finished' ? entry.file : undefined
    if (entry && touched?.wrote && touched.path === real && touched.sha256 === sha256) return entry.at
    place = start === 0 ? -1 : bytes.lastIndexOf(sha256, start - 1)
  }
  return null
}

function bytesOf(segment: Segment): Buffer {
  try {
    return linesOf(segment).lines
  } catch {
    return Buffer.alloc(0)
  }
}
