import { z } from 'zod'
import { lineDetail, maxRows, type SearchRow } from './backend.ts'

/** Turns the output of ripgrep, in pieces of any size, into rows. */
export interface RowReader {
  read(text: string): readonly SearchRow[]
}

/** Reads `--null` separated paths. */
export function readPaths(): RowReader {
  const split = splitter('\0')
  return { read: (text) => split(text).map((path) => ({ path, line: 0, detail: '' })) }
}

/** Reads `--count --null`: a path, a zero byte, a number, a line end. A path may itself hold line ends. */
export function readCounts(): RowReader {
  let rest = ''
  return {
    read(text) {
      const rows: SearchRow[] = []
      rest += text
      let from = 0
      for (const match of rest.matchAll(/([^\0]+)\0(\d+)\r?\n/g)) {
        rows.push({ path: match[1] ?? '', line: 0, detail: `:${match[2]}` })
        from = match.index + match[0].length
      }
      rest = rest.slice(from)
      return rows
    },
  }
}

const textSchema = z.object({ text: z.string().optional(), bytes: z.string().optional() })
const recordSchema = z.object({
  type: z.string(),
  data: z.object({
    path: textSchema.optional(),
    lines: textSchema.optional(),
    line_number: z.number().nullish(),
    binary_offset: z.number().nullish(),
  }),
})

/** Reads `--json`. The lines of a file are given when it ends and has not turned out to be binary. */
export function readContent(): RowReader {
  const split = splitter('\n')
  let pending: SearchRow[] = []
  return {
    read(text) {
      const rows: SearchRow[] = []
      for (const line of split(text)) {
        const { type, data } = recordSchema.parse(JSON.parse(line))
        if (type === 'begin') pending = []
        if ((type === 'match' || type === 'context') && pending.length <= maxRows) {
          const path = plain(data.path)
          for (const row of rowsOf(plain(data.lines), data.line_number ?? 0, type === 'match' ? ':' : '-')) {
            pending.push({ path, ...row })
          }
        }
        if (type === 'end' && typeof data.binary_offset !== 'number') rows.push(...pending)
      }
      return rows
    },
  }
}

/** Reads `--json` too, and counts the lines: over line ends ripgrep itself counts now matches, now lines. */
export function readTouchedLines(): RowReader {
  const content = readContent()
  return {
    read(text) {
      const counts = new Map<string, number>()
      for (const { path } of content.read(text)) counts.set(path, (counts.get(path) ?? 0) + 1)
      return [...counts].map(([path, count]) => ({ path, line: 0, detail: `:${count}` }))
    },
  }
}

/** A match may have several lines. */
function rowsOf(text: string, first: number, sign: ':' | '-'): readonly Omit<SearchRow, 'path'>[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line, index) => ({ line: first + index, detail: lineDetail(first + index, line, sign) }))
}

/** Ripgrep gives text that is not UTF-8 as base64. */
function plain(value: z.infer<typeof textSchema> | undefined): string {
  return value?.text ?? Buffer.from(value?.bytes ?? '', 'base64').toString('utf8')
}

/** Collects pieces and gives back what is complete, without the separators. */
function splitter(separator: string): (text: string) => readonly string[] {
  let rest = ''
  return (text) => {
    const [first = '', ...others] = text.split(separator)
    rest += first
    if (others.length === 0) return []
    const complete = [rest, ...others.slice(0, -1)]
    rest = others.at(-1) ?? ''
    return complete
  }
}
