import { lstat, open, readdir, readlink } from 'node:fs/promises'
import type { BigIntStats } from 'node:fs'
import { join } from 'node:path'
import type { FileState } from '../../../protocol/facts/change-fact.ts'
import { contentHash } from '../../fs/content-hash.ts'
import { namesSecrets } from '../../../rules/undo/secret-names.ts'
import { errorCode } from '../../fs/error-code.ts'
import { isIgnored, rulesAt, rulesBelow, type IgnoreRules } from '../search/gitignore.ts'

/*
 * The files of a directory, with the contents that they have now.
 * Owns: reading them. Never: follows a link, opens a pipe or a device, reads what the repository ignores.
 * 1. A file whose state on the disk is as at the last look is not read again, unless it was touched at that moment.
 * 2. A content that the repository has is not kept a second time: it is asked for when the file has changed.
 * 3. The content of a file that usually holds keys is kept nowhere: only that it changed is known.
 * 4. A directory that holds more than the limits is not looked at: what changes in it cannot be taken back.
 */

/** A file as it was at a look. */
interface Look {
  readonly state: NonNullable<FileState>
  /** The id under which the repository has the content, which is not kept then. */
  readonly storedId?: string | undefined
  /** Size, times and number of the file, as one word. */
  readonly stamp: string
  /** When its content or its name changed, in milliseconds since the epoch. */
  readonly touched: number
  readonly bytes: number
}

/** All files of a directory by path. */
export interface TreeSnapshot {
  readonly at: number
  readonly files: ReadonlyMap<string, Look>
  /** A repository lies in the directory itself. */
  readonly hasRepository: boolean
}

/** A keeper of contents beside the run: the repository of the directory. */
export interface ContentSource {
  /** The id under which it has exactly these bytes. */
  idOf(bytes: Uint8Array): string | undefined
  /** The contents of these ids, without those that are gone. */
  read(ids: readonly string[]): Promise<readonly Uint8Array[]>
}

export interface SnapshotWish {
  readonly now: () => number
  /** The repository of the directory. */
  readonly repository: ContentSource
  /** Keeps a content under its hash. */
  readonly keep: (bytes: Uint8Array) => void
  /** The look before, if there was one. */
  readonly last?: TreeSnapshot | undefined
}

const mostFiles = 20_000
const mostBytes = 200_000_000
/** A file touched so shortly before a look may change again within the same tick of the disk's clock. */
const tickMs = 100
const link = 0o120_000
const readTogether = 8
const skipped = new Set(['.git', '.troupe'])

/**
 * Looks at all files below a directory that its repository does not ignore, and keeps contents that are new.
 *
 * @returns in words why it cannot be looked at: more than 20,000 files or 200 MB, or what the disk says
 * @example const before = await snapshotTree('/project', { now: Date.now, repository, keep: (bytes) => store(bytes) })
 */
export async function snapshotTree(root: string, wish: SnapshotWish): Promise<TreeSnapshot | { trouble: string }> {
  const at = wish.now()
  const hasRepository = await lstat(join(root, '.git')).then(
    () => true,
    () => false,
  )
  const found: string[] = []
  if (!(await list(root, rulesAt(root), found))) return { trouble: `${root} holds more than ${mostFiles} files` }
  const files = new Map<string, Look>()
  let bytes = 0
  for (let index = 0; index < found.length; index += readTogether) {
    const paths = found.slice(index, index + readTogether)
    const looks = await Promise.all(paths.map((path) => look(path, wish)))
    for (const [place, seen] of looks.entries()) {
      if (seen === null) continue
      files.set(paths[place] ?? '', seen)
      bytes += seen.bytes
    }
    if (bytes > mostBytes) return { trouble: `the files of ${root} are more than ${mostBytes / 1_000_000} MB` }
  }
  return { at, files, hasRepository }
}

/** Names the files below a directory. @returns false when there are too many */
async function list(dir: string, rules: IgnoreRules, found: string[]): Promise<boolean> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const path = join(dir, entry.name)
    if (skipped.has(entry.name) || isIgnored(rules, path, entry.isDirectory())) continue
    if (entry.isDirectory()) {
      if (!(await list(path, rulesBelow(rules, path), found))) return false
    } else if (entry.isFile() || entry.isSymbolicLink()) found.push(path)
    if (found.length > mostFiles) return false
  }
  return true
}

async function look(path: string, { last, keep, repository }: SnapshotWish): Promise<Look | null> {
  try {
    const stats = await lstat(path, { bigint: true })
    const known = last?.files.get(path)
    const stamp = stampOf(stats)
    if (known?.stamp === stamp && known.touched < (last?.at ?? 0) - tickMs) return known
    const bytes = await contentOf(path, stats)
    if (bytes === null) return null
    const sha256 = contentHash(bytes)
    const isKnown = known?.state.sha256 === sha256
    const storedId = isKnown ? known.storedId : repository.idOf(bytes)
    if (!isKnown && storedId === undefined && !namesSecrets(path)) keep(bytes)
    const mode = stats.isSymbolicLink() ? link : Number(stats.mode & 0o7777n)
    return { state: { sha256, mode }, storedId, stamp, touched: Number(stats.ctimeMs), bytes: bytes.length }
  } catch (error) {
    // Gone meanwhile, or closed to this process: it cannot have been changed by it either.
    if (errorCode(error) !== undefined) return null
    throw error
  }
}

async function contentOf(path: string, stats: BigIntStats): Promise<Uint8Array | null> {
  if (stats.isSymbolicLink()) return Buffer.from(await readlink(path))
  if (!stats.isFile() || stats.size > BigInt(mostBytes)) return null
  const handle = await open(path, 'r')
  try {
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

function stampOf({ size, mtimeNs, ctimeNs, ino, mode }: BigIntStats): string {
  return [size, mtimeNs, ctimeNs, ino, mode].join(' ')
}
