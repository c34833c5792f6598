import { createHash } from 'node:crypto'
import { gitBytes, runGit, type GitPlace } from './git-process.ts'

/** The contents that git keeps of the files below a directory. */
export interface GitContents {
  /**
   * The id under which git has exactly these bytes. Where a filter or git's conversion of line ends makes the bytes on the disk
   * others than those in git, there is no such id.
   */
  idOf(bytes: Uint8Array): string | undefined
  /** The contents of these ids, in any order; those that git has no more are left out. */
  read(ids: readonly string[]): Promise<readonly Uint8Array[]>
}

/**
 * The contents that the index of a directory's repository names; none outside of a repository.
 * @example (await openGitContents({ cwd: '/project', env })).idOf(bytes)
 */
export async function openGitContents(place: GitPlace): Promise<GitContents> {
  const { code, out } = await runGit(place, ['ls-files', '--stage', '-z', '--', '.'])
  // A line is `<mode> <id> <stage>\t<path>`; the id of a submodule, whose mode begins with 16, is a commit.
  const listed = code === 0 ? out.split('\0').filter((line) => !line.startsWith('16')) : []
  const ids = new Set(listed.flatMap((line) => line.split(' ').slice(1, 2)))
  const [any] = ids
  return {
    idOf(bytes) {
      if (any === undefined) return undefined
      const hash = createHash(any.length === 40 ? 'sha1' : 'sha256')
      const id = hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
      return ids.has(id) ? id : undefined
    },
    read: async (wanted) =>
      readBatch(await gitBytes({ ...place, input: `${wanted.join('\n')}\n` }, ['cat-file', '--batch'])),
  }
}

function readBatch(out: Buffer): readonly Uint8Array[] {
  const found: Uint8Array[] = []
  for (let at = 0; at < out.length;) {
    const lineEnd = out.indexOf('\n', at)
    const size = /^\w+ blob (\d+)$/.exec(out.toString('latin1', at, lineEnd))?.[1]
    at = lineEnd + 1
    if (size === undefined) continue
    found.push(out.subarray(at, at + Number(size)))
    at += Number(size) + 1
  }
  return found
}
