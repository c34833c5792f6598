import type { SearchBackend } from './backend.ts'
import { findRipgrep } from './find-ripgrep.ts'
import { inProcessBackend } from './in-process.ts'
import { ripgrepBackend } from './ripgrep.ts'

const found = new Map<string, Promise<string | null>>()

/**
 * The best search this machine has: ripgrep, else this process itself. The look-up is made once per search path.
 *
 * @example const { paths } = await (await openSearch(context.env)).files('/project', signal)
 */
export async function openSearch(env: Readonly<Record<string, string>>): Promise<SearchBackend> {
  const path = env['PATH'] ?? ''
  const looking = found.get(path) ?? findRipgrep(path)
  found.set(path, looking)
  const binary = await looking
  return binary === null ? inProcessBackend : ripgrepBackend(binary, env)
}
