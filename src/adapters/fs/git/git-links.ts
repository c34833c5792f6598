import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const known = new Map<string, { readonly stamp: string; readonly links: readonly string[] | null }>()

/**
 * The paths at which the index of a repository holds a commit of another one, below the top of its files: submodules, and
 * any folder with a `.git` that was added. Kept until the index changes.
 *
 * @param directory the directory of git that holds the index
 * @returns null where the index cannot be read
 * @example gitLinks('/repo/.git') // ['lib/inner']
 */
export function gitLinks(directory: string): readonly string[] | null {
  const files = indexFiles(directory).map((name) => join(directory, name))
  const stamp = files.map(stampOf).join(' ')
  const before = known.get(directory)
  if (before?.stamp === stamp) return before.links
  const found = files.map(linksIn)
  const links = found.some((each) => each === null) ? null : found.flatMap((each) => each ?? [])
  known.set(directory, { stamp, links })
  return links
}

/** A split index keeps most of its names in a second file. Where the directory cannot be listed, the first one is tried. */
function indexFiles(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter((name) => name === 'index' || name.startsWith('sharedindex.'))
  } catch {
    return ['index']
  }
}

/** Empty for a file that is not there. */
function stampOf(file: string): string {
  try {
    const state = statSync(file, { throwIfNoEntry: false })
    return state === undefined ? '' : `${file}:${state.mtimeMs}:${state.size}:${state.ino}`
  } catch {
    return `${file}:closed`
  }
}

/** @returns null for a file that is there and cannot be read */
function contentOf(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch {
    return stampOf(file) === '' ? Buffer.alloc(0) : null
  }
}

/** The mode of an entry that is a commit, as the index keeps it. */
const commit = Buffer.from([0, 0, 0xe0, 0])

function linksIn(file: string): readonly string[] | null {
  const index = contentOf(file)
  if (index === null || !index.includes(commit)) return index && []
  // The ids of objects are hashes of 20 bytes, or of 32.
  return entriesOf(index, 20) ?? entriesOf(index, 32)
}

/** Bytes in front of the entries. */
const headed = 12
/** Bytes of an entry in front of its object id, the mode among them. */
const [modeAt, idAt] = [24, 40]
const modes = new Set([0o100644, 0o100755, 0o100664, 0o120000, 0o160000, 0o040000])

/** The entries as gitformat-index(5) says; null where they are none of this kind. */
function entriesOf(index: Buffer, hash: 20 | 32): readonly string[] | null {
  if (index.length < headed) return null
  const version = index.readUInt32BE(4)
  const links: string[] = []
  let [at, name] = [headed, '']
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    const start = at
    if (start + idAt + hash + 2 >= index.length || !modes.has(index.readUInt32BE(start + modeAt))) return null
    const flags = start + idAt + hash
    const isExtended = (index.readUInt16BE(flags) & 0x4000) !== 0
    const names = flags + (isExtended ? 4 : 2)
    const text = version === 4 ? shortened(index, names) : { cut: name.length, at: names }
    const end = index.indexOf(0, text.at)
    if (end === -1) return null
    name = name.slice(0, name.length - text.cut) + index.toString('latin1', text.at, end)
    at = version === 4 ? end + 1 : start + Math.ceil((end + 1 - start) / 8) * 8
    if (index.readUInt32BE(start + modeAt) === 0o160000) links.push(Buffer.from(name, 'latin1').toString('utf8'))
  }
  return links
}

/** An index of version 4 says how many letters at the end of the last name go away, as a number of several bytes. */
function shortened(index: Buffer, from: number): { readonly cut: number; readonly at: number } {
  let at = from
  let byte = index[at] ?? 0
  let cut = byte & 0x7f
  while ((byte & 0x80) !== 0) {
    at += 1
    byte = index[at] ?? 0
    cut = (cut + 1) * 128 + (byte & 0x7f)
  }
  return { cut, at: at + 1 }
}
