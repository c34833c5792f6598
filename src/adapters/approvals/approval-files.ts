import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  answerFileSchema,
  approvalFileSchema,
  approvalIdPattern,
  type AnswerFile,
  type ApprovalFile,
} from '../../protocol/permissions/approval-file.ts'
import { createFile } from '../fs/create-file.ts'
import { errorCode } from '../fs/error-code.ts'
import { namesIn } from '../fs/names-in.ts'
import { parseJson } from '../fs/parse-json.ts'
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/*
 * Owns `permissions/` of a run directory: `<id>.json`, a question, and `<id>.answer.json`, its one answer.
 * 1. Both appear whole or not at all, by link(2), and are never changed: the first answer is the answer.
 * 2. A question that is there already is kept, with its own time and deadline: a restarted member asks it on.
 * 3. It fails closed: an answer that cannot be read or believed is a denial.
 * 4. The files never decide and never wait.
 */
export interface ApprovalFiles {
  readonly dir: string
  /** @throws when another call has this id */
  ask(request: ApprovalFile): ApprovalFile
  read(id: string): ApprovalFile | null
  /** The answer, or null while there is none. */
  answerTo(id: string): AnswerFile | null
  /**
   * Answers for good; a second answer is told the first one.
   * @param shown the question as it was shown; default: as it was read from here first
   */
  answer(answer: AnswerFile, shown?: ApprovalFile | null): Verdict
  /** Ids with and without an answer, in no order. */
  list(): readonly { readonly id: string; readonly answered: boolean }[]
}

export type Verdict = { readonly won: true } | { readonly won: false; readonly first: AnswerFile }

/**
 * The questions of a run. Nothing is made before the first one, and the key is read when an answer is written or read.
 * @example approvalFiles(join(runDir, 'permissions'), () => readRunKey(home, run))
 */
export function approvalFiles(dir: string, key: () => Uint8Array): ApprovalFiles {
  const fileOf = (id: string) => join(dir, `${checked(id)}.json`)
  const answerOf = (id: string) => join(dir, `${checked(id)}.answer.json`)
  // The call that was asked or read from here first is the one that counts, whatever its file says by now.
  const known = new Map<string, ApprovalFile>()
  const read = (id: string): ApprovalFile | null => {
    const found = requestIn(fileOf(id), id)
    if (found && !known.has(id)) known.set(id, found)
    return found
  }
  const callOf = (id: string): string => callHash(known.get(id) ?? read(id))
  const answerTo = (id: string) => answerIn(answerOf(id), { id, key, call: () => callOf(id) })
  return {
    dir,
    read,
    answerTo,
    ask(request) {
      const earlier = create(dir, fileOf(request.id), request) ? request : read(request.id)
      if (earlier !== null && isSameCall(earlier, request)) {
        known.set(request.id, earlier)
        return earlier
      }
      throw new Error(`${fileOf(request.id)} is about another call or cannot be read`)
    },
    answer(answer, shown) {
      const call = shown ? callHash(shown) : callOf(answer.id)
      if (create(dir, answerOf(answer.id), signedAnswer(key(), answer, call))) return { won: true }
      return { won: false, first: answerTo(answer.id) ?? unbelievable(answer.id, 'it went away') }
    },
    list() {
      const names = new Set(namesIn(dir))
      return [...names].flatMap((name) => {
        const id = name.replace(/\.json$/, '')
        return id !== name && approvalIdPattern.test(id) ? [{ id, answered: names.has(`${id}.answer.json`) }] : []
      })
    },
  }
}

/** The id, which becomes part of a path. */
function checked(id: string): string {
  if (!approvalIdPattern.test(id)) throw new Error(`"${id}" is no id of a permission request`)
  return id
}

/** Whether two questions are about one call, as JSON writes it. */
function isSameCall(earlier: ApprovalFile, now: ApprovalFile): boolean {
  const callOf = ({ member, call_id, tool, input }: ApprovalFile): unknown =>
    JSON.parse(JSON.stringify({ member, call_id, tool, input }))
  return isDeepStrictEqual(callOf(earlier), callOf(now))
}

/** @returns false when another process made the file first */
function create(dir: string, file: string, value: unknown): boolean {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  return createFile(file, `${JSON.stringify(value, null, 2)}\n`)
}

function requestIn(file: string, id: string): ApprovalFile | null {
  const text = textIn(file)
  if (text === null) return null
  const parsed = approvalFileSchema.safeParse(parseJson(text))
  return parsed.success && parsed.data.id === id ? parsed.data : null
}

interface Expected {
  readonly id: string
  readonly key: () => Uint8Array
  readonly call: () => string
}

function answerIn(file: string, { id, key, call }: Expected): AnswerFile | null {
  const text = textIn(file)
  if (text === null) return null
  const parsed = answerFileSchema.safeParse(parseJson(text))
  if (!parsed.success || parsed.data.id !== id) return unbelievable(id, 'it is no answer to this request')
  return isSignedBy(key(), parsed.data, call())
    ? parsed.data
    : unbelievable(id, "it is not signed with this run's key for this call")
}

/** The denial in place of an answer file that cannot be believed. */
function unbelievable(id: string, why: string): AnswerFile {
  const reason = `the file ${id}.answer.json cannot be believed: ${why}`
  return { v: 1, id, behavior: 'deny', source: 'nobody', reason, scope: 'once', by: 'nobody', at: 0 }
}

function textIn(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/**
 * Signs an answer with the run's key: a file of a writer without the key allows nothing. A hostile process of the same
 * user can read the key.
 */
function signedAnswer(key: Uint8Array, answer: AnswerFile, call: string): AnswerFile {
  return { ...answer, mac: macOf(key, answer, call).toString('hex') }
}

function isSignedBy(key: Uint8Array, answer: AnswerFile, call: string): boolean {
  const [given, right] = [Buffer.from(answer.mac ?? '', 'hex'), macOf(key, answer, call)]
  return given.length === right.length && timingSafeEqual(given, right)
}

/** All that a question shows, as a hash: an answer is one to this call, with the rules that were proposed and who was behind it. */
function callHash(request: ApprovalFile | null): string {
  if (request === null) return ''
  // As a reader of the file has it, with its fields in the order of the schema.
  const shown = approvalFileSchema.parse(JSON.parse(JSON.stringify(request)))
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex')
}

/** The MAC over the call and all other fields, always in the same order; an optional field is a list of none or one. */
function macOf(key: Uint8Array, answer: AnswerFile, call: string): Buffer {
  const { v, id, behavior, source, reason, scope, rules, updated_input: updated, by, at } = answer
  const optional = [rules === undefined ? [] : [rules], updated === undefined ? [] : [updated]]
  const text = JSON.stringify(['permission', v, id, behavior, source, reason, scope, by, at, call, ...optional])
  return createHmac('sha256', key).update(text).digest()
}
