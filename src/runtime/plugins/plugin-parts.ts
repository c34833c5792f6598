import type { Hook } from '../../protocol/hooks/hook.ts'
import type { Settings } from '../../protocol/permissions/settings.ts'
import type { ScopedServer } from '../../protocol/mcp/server-spec.ts'
import { withinLimits } from '../../rules/hooks/http-limits.ts'
import { didYouMean } from '../../rules/tools/did-you-mean.ts'
import { addedPlugins, trustedPlugins } from './trusted-plugins.ts'

/** The hooks of a person's trusted plugins: `pluginHooks('/home/ann').length`. */
export function pluginHooks(home: string): readonly Hook[] {
  return trustedPlugins(home).flatMap(({ hooks }) => hooks)
}

/** Settings whose hooks are those of plugins, too, where those are not switched off. */
export function withPluginHooks<Given extends Pick<Settings, 'hooks' | 'hooksOff' | 'hookLimits'>>(
  settings: Given,
  home: string,
): Given {
  const off = settings.hooksOff.includes('plugin')
  if (off) return settings
  return { ...settings, hooks: [...settings.hooks, ...withinLimits(pluginHooks(home), settings.hookLimits)] }
}

/** The MCP servers of a person's trusted plugins. */
export function pluginServers(home: string): readonly ScopedServer[] {
  return trustedPlugins(home).flatMap(({ name, servers }) =>
    servers.map((server) => ({ ...server, scope: 'plugin' as const, file: `plugin ${name}` })),
  )
}

/** A file of a plugin, or why there is none. */
export type PluginFileFound = { readonly path: string } | { readonly trouble: string }

/**
 * Finds an agent's card or a team of a plugin by its whole name.
 *
 * @returns null for a text that is no such name
 * @example pluginFile(home, 'agents', 'fmt:reviewer') // { path: '/home/ann/.troupe/plugins/fmt@…/agents/reviewer.md' }
 */
export function pluginFile(home: string, part: 'agents' | 'teams', text: string): PluginFileFound | null {
  const [, plugin, name] = /^([a-z0-9][a-z0-9._-]*):([\p{L}\p{N}][\p{L}\p{N}_.-]*)$/u.exec(text) ?? []
  if (plugin === undefined || name === undefined) return null
  const { plugins } = addedPlugins(home)
  const found = plugins.find((each) => each.name === plugin)
  if (found === undefined)
    return {
      trouble: `there is no plugin "${plugin}"${guess(
        plugin,
        plugins.map((each) => each.name),
      )}`,
    }
  if (found.state === 'untrusted')
    return { trouble: `nobody trusts the plugin "${plugin}" yet; troupe plugin add ${found.entry.source} asks` }
  if (found.content === null) return { trouble: `the plugin "${plugin}" cannot be used: ${found.reason ?? ''}` }
  const path = found.content[part].get(name)
  if (path !== undefined) return { path }
  const kind = part === 'agents' ? 'agent' : 'team'
  return { trouble: `the plugin "${plugin}" has no ${kind} "${name}"${guess(name, [...found.content[part].keys()])}` }
}

function guess(name: string, names: readonly string[]): string {
  const near = didYouMean(name, names)
  return near === undefined ? '' : `; did you mean "${near}"?`
}
