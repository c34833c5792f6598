import type { ToolContext } from '../../../protocol/tools/tool.ts'
import type { SearchBackend } from './backend.ts'
import { searchHere } from './in-process.ts'
import { ripgrepBackend } from './ripgrep.ts'
import { access, constants } from 'node:fs/promises'
import { systemPath } from '../../fs/system-programs.ts'
import { delimiter, join } from 'node:path'

/** The answer where the files of an agent are not on this machine. */
export const searchedElsewhere =
  'The files are elsewhere, where this tool does not reach: search with Bash (grep -rn, find).'

const found = new Map<string, Promise<string | null>>()

/**
 * The best search this machine has: ripgrep, else this process itself. The look-up is made once per search path.
 *
 * @param context the call that searches
 * @example const { paths } = await (await openSearch(context)).files('/project', signal)
 */
export async function openSearch({
  env,
  cwd,
  unignored = false,
}: Pick<ToolContext, 'env' | 'cwd' | 'unignored'>): Promise<SearchBackend> {
  // A search asks nobody: it starts no program that lies where agents write.
  const path = systemPath(env['PATH'], [cwd])
  const looking = found.get(path) ?? findRipgrep(path)
  found.set(path, looking)
  const binary = await looking
  return binary === null ? searchHere(unignored) : ripgrepBackend(binary, env, unignored)
}

/**
 * Finds a ripgrep binary: the optional package's own, else `rg` on the given search path.
 *
 * @returns null when there is none; searches then run in this process.
 * @example await findRipgrep(context.env['PATH'])
 */
export async function findRipgrep(searchPath: string | undefined): Promise<string | null> {
  const candidates = [await packaged(), ...(searchPath ?? '').split(delimiter).map((dir) => dir && join(dir, 'rg'))]
  for (const candidate of candidates) if (candidate && (await isExecutable(candidate))) return candidate
  return null
}

async function packaged(): Promise<string | null> {
  try {
    return (await import('@vscode/ripgrep')).rgPath
  } catch {
    // The dependency is optional: an installation without it, or without its binary for this platform, is whole.
    return null
  }
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
