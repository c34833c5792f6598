import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pluginLockSchema, type LockedPlugin } from '../../protocol/plugins/plugin.ts'
import { errorCode } from '../fs/error-code.ts'
import { parseJson } from '../fs/parse-json.ts'
import { replaceFile } from '../fs/replace-file.ts'

/*
 * `~/.troupe/plugins`: the copies of the plugins that a person added, and the lock file that says which copy counts.
 * Owns the file. Never decides what is trusted.
 */

/** The folder of a person's plugins. */
export function pluginsFolder(home: string): string {
  return join(home, '.troupe', 'plugins')
}

/** The lock file: `lockPath('/home/ann')`. */
export function lockPath(home: string): string {
  return join(pluginsFolder(home), 'lock.json')
}

/** The copy of a plugin; another content lies in another folder, so that a running team keeps what it began with. */
export function pluginFolder(home: string, name: string, sha256: string): string {
  return join(pluginsFolder(home), `${name}@${sha256.slice(0, 16)}`)
}

/** The plugins of a lock file by name. */
export interface PluginLock {
  readonly plugins: Readonly<Record<string, LockedPlugin>>
  /** Why the file counts for nothing, or null. */
  readonly problem: string | null
}

/** Reads the lock file. One that cannot be believed holds no plugin. */
export function readLock(home: string): PluginLock {
  const file = lockPath(home)
  try {
    const parsed = pluginLockSchema.safeParse(parseJson(readFileSync(file, 'utf8')))
    if (parsed.success) return { plugins: parsed.data.plugins, problem: null }
    return { plugins: {}, problem: `${file} is not what troupe plugin add writes; remove it and add the plugins again` }
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined) throw error
    const isAbsent = code === 'ENOENT' || code === 'ENOTDIR'
    return { plugins: {}, problem: isAbsent ? null : `${file} cannot be read (${code})` }
  }
}

/**
 * Changes the entry of one plugin; null takes it away.
 * @throws what the disk says; a file that cannot be read is not overwritten
 */
export function writeLock(home: string, name: string, entry: LockedPlugin | null): void {
  const { plugins, problem } = readLock(home)
  if (problem !== null) throw new Error(problem)
  const others = Object.entries(plugins).filter(([each]) => each !== name)
  const next = entry === null ? others : [...others, [name, entry] as const]
  const sorted = Object.fromEntries(next.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  mkdirSync(pluginsFolder(home), { recursive: true, mode: 0o700 })
  replaceFile(lockPath(home), `${JSON.stringify({ spec: 1, plugins: sorted }, null, 2)}\n`, 0o600)
}
