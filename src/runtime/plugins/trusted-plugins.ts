import { statSync } from 'node:fs'
import { pluginFolder, lockPath, pluginsFolder, readLock } from '../../adapters/plugins/plugin-lock.ts'
import { pluginHash } from '../../adapters/plugins/plugin-tree.ts'
import { readPlugin } from '../../adapters/plugins/read-plugin.ts'
import { readTrust, trustPath } from '../../adapters/settings/trust-file.ts'
import { resolveReal } from '../../adapters/fs/resolve-real.ts'
import { PluginRefused, type LockedPlugin, type PluginContent } from '../../protocol/plugins/plugin.ts'
import { pluginGrant } from '../../rules/plugins/plugin-grants.ts'

/*
 * The plugins that a person added. A plugin brings nothing at all unless its files are those of the lock file, and a person
 * trusts them as they are. The files are looked at once for each state of the lock file and of the trust.
 */

/** A plugin of the lock file and what became of it. */
export interface AddedPlugin {
  readonly name: string
  readonly entry: LockedPlugin
  /** `changed`: the files are no longer those of the lock file; `broken`: they cannot be read. */
  readonly state: 'trusted' | 'untrusted' | 'changed' | 'broken'
  /** Present unless it is broken or changed. */
  readonly content: PluginContent | null
  /** Why it is broken or changed. */
  readonly reason: string | null
}

/** All plugins that were added. */
export interface AddedPlugins {
  readonly plugins: readonly AddedPlugin[]
  /** Why the lock file counts for nothing, or null. */
  readonly problem: string | null
}

const known = new Map<string, { readonly stamp: string; readonly added: AddedPlugins }>()

/** Lists the plugins of a person with their state: `addedPlugins('/home/ann').plugins`. */
export function addedPlugins(home: string): AddedPlugins {
  const stamp = [lockPath(home), trustPath(home)].map(stampOf).join(' ')
  const before = known.get(home)
  if (before?.stamp === stamp) return before.added
  const { plugins, problem } = readLock(home)
  const trusted = Object.keys(plugins).length === 0 ? [] : trustedTexts(home)
  const added = { problem, plugins: Object.entries(plugins).map((each) => judged(home, each, trusted)) }
  known.set(home, { stamp, added })
  return added
}

/** The contents of the plugins that a person trusts. */
export function trustedPlugins(home: string): readonly PluginContent[] {
  return addedPlugins(home).plugins.flatMap(({ state, content }) => (state === 'trusted' && content ? [content] : []))
}

/** The name under which the trust of plugins is remembered. */
export function pluginsWorkspace(home: string): string {
  return resolveReal(pluginsFolder(home))
}

function trustedTexts(home: string): readonly string[] {
  return readTrust(home).trust.get(pluginsWorkspace(home)) ?? []
}

function judged(home: string, [name, entry]: readonly [string, LockedPlugin], trusted: readonly string[]): AddedPlugin {
  const root = pluginFolder(home, name, entry.sha256)
  const nothing = { name, entry, content: null }
  try {
    if (pluginHash(root) !== entry.sha256)
      return { ...nothing, state: 'changed', reason: `its files in ${root} were changed; add it again` }
    const content = readPlugin(root)
    const state = trusted.includes(pluginGrant(name, entry.sha256)) ? 'trusted' : 'untrusted'
    return { name, entry, content, state, reason: null }
  } catch (error) {
    const reason = error instanceof PluginRefused ? error.message : `its files in ${root} cannot be read; add it again`
    return { ...nothing, state: 'broken', reason }
  }
}

function stampOf(file: string): string {
  const state = statSync(file, { throwIfNoEntry: false })
  return state === undefined ? '' : `${state.ino} ${state.size} ${state.mtimeMs} ${state.ctimeMs}`
}
