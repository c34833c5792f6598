import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AnswerFile } from '../../protocol/permissions/approval-file.ts'

/**
 * Signs an answer with the run's key: a file of a writer without the key allows nothing. A hostile process of the same
 * user can read the key.
 */
export function signedAnswer(key: Uint8Array, answer: AnswerFile): AnswerFile {
  return { ...answer, mac: macOf(key, answer).toString('hex') }
}

export function isSignedBy(key: Uint8Array, answer: AnswerFile): boolean {
  const [given, right] = [Buffer.from(answer.mac ?? '', 'hex'), macOf(key, answer)]
  return given.length === right.length && timingSafeEqual(given, right)
}

/** The MAC over all other fields, always in the same order; an optional field is a list of none or one. */
function macOf(key: Uint8Array, answer: AnswerFile): Buffer {
  const { v, id, behavior, source, reason, scope, rules, updated_input: updated, by, at } = answer
  const optional = [rules === undefined ? [] : [rules], updated === undefined ? [] : [updated]]
  const text = JSON.stringify(['permission', v, id, behavior, source, reason, scope, by, at, ...optional])
  return createHmac('sha256', key).update(text).digest()
}
