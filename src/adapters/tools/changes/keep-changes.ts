import { lstat } from 'node:fs/promises'
import type { FileDifference, FileState } from '../../../protocol/facts/change-fact.ts'
import type { FactOf } from '../../../protocol/facts/fact.ts'
import type { FileChange, Filesystem } from '../../../protocol/tools/filesystem.ts'
import type { Tool, ToolContext, ToolOutput } from '../../../protocol/tools/tool.ts'
import { namesSecrets } from '../../../rules/undo/secret-names.ts'
import { contentHash } from '../../fs/content-hash.ts'
import { resolveReal } from '../../fs/resolve-real.ts'
import { snapshotTree, type ContentSource, type TreeSnapshot } from './tree-snapshot.ts'

/*
 * Keeps what calls change, so that a person can take it back.
 * Owns: the latest look at the member's directory. Never: stops a call because it could not look.
 * 1. A file tool's change is journaled, and the old content kept, before the file is replaced.
 * 2. Whatever else may change files is judged by the difference between a look before and a look after it.
 * 3. What is outside of the member's directory, or ignored by its repository, is not seen.
 */
export interface ChangeKeeper {
  /** Runs a call, and journals what it changes. */
  around(use: Use, context: ToolContext, run: (context: ToolContext) => Promise<ToolOutput>): Promise<ToolOutput>
}

interface Use {
  readonly tool: Pick<Tool, 'name' | 'effect' | 'isReadOnly'>
  readonly input: unknown
}

export interface ChangeKeeping {
  readonly cwd: string
  /** Looks at the directory's repository. */
  readonly openRepository: () => Promise<ContentSource>
  readonly now: () => number
  /**
   * Keeps a content under its hash; it may throw what the disk says. `flush`: it has to be on the disk when the call returns.
   */
  readonly keep: (bytes: Uint8Array, flush: boolean) => void
  readonly note: (fact: FactOf<'files.changed'>) => void
}

/** The tools that change files through `context.files` alone. */
const fileTools: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit'])

/** `openChangeKeeper({ cwd, openRepository, now, keep, note }).around({ tool, input }, context, (kept) => tool.run(input, kept))`. */
export function openChangeKeeper(keeping: ChangeKeeping): ChangeKeeper {
  let last: TreeSnapshot | undefined
  /** Once a directory was too large it is not looked at again. */
  let trouble: string | undefined
  let repository: ContentSource | undefined
  const keep = (bytes: Uint8Array): void => keeping.keep(bytes, false)
  const look = async (): Promise<TreeSnapshot | undefined> => {
    if (trouble !== undefined) return undefined
    repository ??= await keeping.openRepository()
    const seen = await snapshotTree(resolveReal(keeping.cwd), { now: keeping.now, repository, keep, last })
    if ('trouble' in seen) {
      trouble = seen.trouble
      last = undefined
    } else last = seen
    return last
  }
  return {
    async around({ tool, input }, context, run) {
      const call = { type: 'files.changed', call_id: context.callId, tool: tool.name } as const
      if (fileTools.has(tool.name)) {
        const files = keptFiles(context.files, keeping, (changed) => keeping.note({ ...call, files: [changed] }))
        return run({ ...context, files })
      }
      const acts = tool.effect === 'execute' || tool.effect === 'edit'
      if (!acts || tool.isReadOnly(input)) return run(context)
      const before = await look()
      const since = before?.at ?? keeping.now()
      try {
        return await run(context)
      } finally {
        const after = await look()
        const files = before && after ? differences(before, after) : []
        const stored = files.flatMap(({ path }) => before?.files.get(path)?.storedId ?? [])
        if (stored.length > 0) for (const bytes of (await repository?.read(stored)) ?? []) keep(bytes)
        const untaken = before && after ? whyUntaken(input, before, after) : trouble
        if (files.length > 0 || untaken !== undefined)
          keeping.note({ ...call, files, since, ...(untaken === undefined ? {} : { untaken }) })
      }
    },
  }
}

function whyUntaken(input: unknown, before: TreeSnapshot, after: TreeSnapshot): string | undefined {
  if (before.hasRepository && !after.hasRepository) return 'its command removed .git, which is kept nowhere else'
  const runsOn = typeof input === 'object' && input !== null && 'run_in_background' in input && input.run_in_background
  return runsOn === true ? 'its command went on in the background' : undefined
}

function differences(before: TreeSnapshot, after: TreeSnapshot): FileDifference[] {
  const paths = new Set([...before.files.keys(), ...after.files.keys()])
  return [...paths].toSorted().flatMap((path) => {
    const [old, now] = [before.files.get(path)?.state ?? null, after.files.get(path)?.state ?? null]
    const isSame = old?.sha256 === now?.sha256 && old?.mode === now?.mode
    return isSame ? [] : [{ path, before: old, after: now }]
  })
}

const usualMode = 0o644

/** The same files; what is replaced is told, with its old content kept, before it is. */
function keptFiles(files: Filesystem, { keep }: ChangeKeeping, tell: (changed: FileDifference) => void): Filesystem {
  const told = async (path: string, { content, before, led }: FileChange): Promise<void> => {
    const real = led ?? resolveReal(path)
    const old = before === null ? null : await oldState(files, { path: real, sha256: before }, keep)
    if (old === undefined) return
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    tell({ path: real, before: old, after: { sha256: contentHash(bytes), mode: old?.mode ?? usualMode } })
  }
  return {
    ...files,
    async replace(path, change) {
      await told(path, change)
      return files.replace(path, change)
    },
  }
}

/** Keeps the content that is about to go; undefined when it is not there any more, so that nothing will be replaced. */
async function oldState(
  files: Filesystem,
  { path, sha256 }: { readonly path: string; readonly sha256: string },
  keep: ChangeKeeping['keep'],
): Promise<FileState | undefined> {
  const opened = await files.open(path)
  if ('trouble' in opened) return undefined
  try {
    const bytes = await opened.bytes()
    if (contentHash(bytes) !== sha256) return undefined
    if (!namesSecrets(path)) keep(bytes, true)
    const mode = await lstat(path).then(
      (stats) => stats.mode & 0o7777,
      () => usualMode,
    )
    return { sha256, mode }
  } finally {
    await opened.close()
  }
}
