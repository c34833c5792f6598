import { readFileSync, rmSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import { checkpointSchema, type CheckpointHead } from '../../protocol/facts/checkpoint.ts'
import { errorCode } from '../fs/error-code.ts'
import { startHash } from '../fs/content-hash.ts'
import { parseJson } from '../fs/parse-json.ts'
import type { Seam } from './read-journal.ts'
import { headOf } from './segments.ts'
import { writePrivate } from './write-json.ts'

/**
 * The state of a fold at the beginning of a segment, in `<name>.<n>.fold` beside it: whoever opens the journal need not read
 * the segments before. It is a cache and no truth: one that is missing, torn, of another version or of other segments is
 * passed over, and the segments are read.
 */
export interface Checkpoint<State> {
  readonly state: State
  readonly seam: Seam
  /** Bytes of the segment before that count. */
  readonly after: number
}

type Said = Omit<CheckpointHead, 'sha256'>

const newline = 0x0a

/** The path of the checkpoint that belongs to one segment. */
function checkpointFile(file: string, segment: number): string {
  return file.replace(/\.jsonl$/, `.${segment}.fold`)
}

/** Keeps a state. A disk that refuses changes nothing: the journal has everything. */
export function saveCheckpoint<State>(file: string, fold: string, { state, seam, after }: Checkpoint<State>): void {
  const body = serialize(state)
  const said: Said = { v: 1, fold, ...seam, after }
  const head = Buffer.from(`${JSON.stringify({ ...said, sha256: hashOf(said, body) })}\n`)
  unlessRefused(() => writePrivate(checkpointFile(file, seam.segment), Buffer.concat([head, body])))
}

/** Takes away the checkpoint of a segment that another segment has followed. */
export function dropCheckpoint(file: string, segment: number): void {
  unlessRefused(() => rmSync(checkpointFile(file, segment), { force: true }))
}

/**
 * The checkpoint of the last segment that has one which holds.
 * @param last the number of the journal's last segment
 * @returns null where the journal has to be read from its beginning
 */
export function loadCheckpoint<State>(file: string, fold: string, last: number): Checkpoint<State> | null {
  for (let segment = last; segment > 1; segment -= 1) {
    const found = readCheckpoint<State>(file, fold, segment)
    if (found) return found
  }
  return null
}

function readCheckpoint<State>(file: string, fold: string, segment: number): Checkpoint<State> | null {
  const bytes = bytesOf(checkpointFile(file, segment))
  const end = bytes.indexOf(newline)
  const { success, data } = checkpointSchema.safeParse(parseJson(bytes.toString('utf8', 0, Math.max(end, 0))))
  if (!success || data.fold !== fold || data.segment !== segment) return null
  const { sha256, ...said } = data
  const head = headOf(file, segment)
  if (head === null || head.after !== said.after || head.parent !== said.id) return null
  const body = bytes.subarray(end + 1)
  if (hashOf(said, body) !== sha256) return null
  try {
    // The hash says that `saveCheckpoint` wrote this under the same version of the fold.
    return { state: deserialize(body) as State, seam: { segment, seq: said.seq, id: said.id }, after: said.after }
  } catch {
    // A newer Node wrote this.
    return null
  }
}

function hashOf({ v, fold, segment, after, seq, id }: Said, body: Uint8Array): string {
  return startHash()
    .update(JSON.stringify([v, fold, segment, after, seq, id]))
    .update(body)
    .digest('hex')
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch {
    return Buffer.alloc(0)
  }
}

function unlessRefused(act: () => void): void {
  try {
    act()
  } catch (error) {
    if (errorCode(error) === undefined) throw error
  }
}
