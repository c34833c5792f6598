import { createRequire } from 'node:module'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type * as LockFile from 'proper-lockfile'
import { errorCode } from '../fs/error-code.ts'
import { parseJson } from '../fs/parse-json.ts'
import { replaceFile } from '../fs/replace-file.ts'
import { isRecord } from '../../protocol/words/is-record.ts'

/** Rules for one list of a settings file. */
export interface SavedRules {
  /** The settings file; made when it is not there. */
  readonly path: string
  readonly list: 'allow' | 'ask' | 'deny'
  readonly rules: readonly string[]
}

/**
 * Adds rules to a settings file and leaves everything else in it as it is, comments excepted: JSON has none. A rule that
 * stands there already is not written twice.
 *
 * @returns the rules that were not there before
 * @throws when the file is there and is no settings file: a person's text is never replaced by ours
 * @example saveRules({ path: '/home/ann/shop/.troupe/settings.local.json', list: 'allow', rules: ['Bash(npm test:*)'] })
 */
export function saveRules(saved: SavedRules): readonly string[] {
  mkdirSync(dirname(saved.path), { recursive: true })
  const release = lockFor(saved.path)
  try {
    return addRules(saved)
  } finally {
    release()
  }
}

/** Attempts to get the file for ourselves, and the pause between two of them in milliseconds. */
const attempts = 200
const pause = 5

/** Two members' answers may want the same file at once; whoever reads it last must see what the other wrote. */
function lockFor(path: string): () => void {
  // Loaded only where something is saved.
  const { lockSync } = createRequire(import.meta.url)('proper-lockfile') as typeof LockFile
  for (let attempt = 1; ; attempt += 1) {
    try {
      return lockSync(path, { realpath: false })
    } catch (error) {
      if (errorCode(error) !== 'ELOCKED') throw error
      if (attempt === attempts)
        throw new Error(`${path} is being changed by another process; try again`, { cause: error })
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause)
    }
  }
}

function addRules({ path, list, rules }: SavedRules): readonly string[] {
  const settings = readObject(path)
  const permissions = childOf(settings, 'permissions', path)
  const present = permissions[list] ?? []
  if (!Array.isArray(present)) throw new Error(`${path}: permissions.${list} is not a list; mend it first`)
  const fresh = [...new Set(rules)].filter((rule) => !present.includes(rule))
  if (fresh.length === 0) return fresh
  const written = { ...settings, permissions: { ...permissions, [list]: [...(present as unknown[]), ...fresh] } }
  replaceFile(path, `${JSON.stringify(written, null, 2)}\n`)
  return fresh
}

type JsonObject = Readonly<Record<string, unknown>>

const maxBytes = 1024 * 1024

function readObject(path: string): JsonObject {
  try {
    const status = statSync(path)
    if (!status.isFile() || status.size > maxBytes) throw new Error(`${path} is no small regular file`)
    const value = parseJson(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
    if (isRecord(value)) return value
    throw new Error(`${path} is not a JSON object; mend it first`)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {}
    throw error
  }
}

function childOf(parent: JsonObject, key: string, path: string): JsonObject {
  const child = parent[key] ?? {}
  if (!isRecord(child)) throw new Error(`${path}: ${key} is not an object; mend it first`)
  return child
}
