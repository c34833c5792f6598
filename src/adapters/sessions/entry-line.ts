import { parseJson } from '../fs/parse-json.ts'
import { isUtf8 } from 'node:buffer'
import { frameSchema, headerSchema, type Entry } from '../../protocol/facts/entry.ts'
import { factSchema } from '../../protocol/facts/fact.ts'

/** A part of a journal that could not be taken as it stands. `line` is 1-based; 0 means the whole file. */
export interface JournalProblem {
  /** The segment that holds the line. */
  readonly file: string
  readonly line: number
  readonly code: 'unreadable' | 'torn' | 'not_json' | 'bad_frame' | 'unknown_fact' | 'bad_fact' | 'out_of_order'
  readonly message: string
}

/** One line, judged: an entry, or why it is none. `seq` is known as soon as the frame is good. */
export interface JudgedLine {
  readonly entry?: Entry
  readonly seq?: number
  readonly code?: JournalProblem['code']
  readonly message?: string
}

const knownTypes = new Set<string>(factSchema.options.map((option) => option.shape.type.value))

/**
 * Reads one journal line, without its newline.
 * @returns the entry, or the code and the message of what is wrong with the line; never throws.
 */
export function judgeLine(bytes: Buffer): JudgedLine {
  if (!isUtf8(bytes)) return { code: 'not_json', message: 'is not UTF-8' }
  const value = parseJson(bytes.toString('utf8'))
  if (value === undefined) return { code: 'not_json', message: 'is not JSON' }
  const frame = frameSchema.safeParse(value)
  if (!frame.success) return { code: 'bad_frame', message: `has no journal frame: ${firstIssue(frame.error)}` }
  const { v, seq, id, parent, at, heard, type } = frame.data
  const isHeader = type === 'journal.opened'
  if (!isHeader && !knownTypes.has(type))
    return { seq, code: 'unknown_fact', message: `holds an unknown fact "${type}"` }
  const said = (isHeader ? headerSchema : factSchema).safeParse(value)
  if (!said.success) return { seq, code: 'bad_fact', message: `holds a broken ${type}: ${firstIssue(said.error)}` }
  return { seq, entry: { v, seq, id, parent, at, ...(heard && { heard }), ...said.data } }
}

interface Issues {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]
}

function firstIssue({ issues }: Issues): string {
  const issue = issues[0]
  if (!issue) return 'unreadable'
  return issue.path.length === 0 ? issue.message : `${issue.path.map(String).join('.')}: ${issue.message}`
}
