import { foreignServerSchema, mcpServerNameSchema } from '../../protocol/mcp/server-spec.ts'
import type { PluginServer } from '../../protocol/plugins/plugin.ts'

/** A plugin and where its files are. */
interface PluginPlace {
  readonly plugin: string
  readonly root: string
}

/**
 * A server of a plugin, under the name by which Claude Code names its tools, with the plugin's folder filled in.
 *
 * @returns why it cannot be used in `trouble`
 * @example pluginServer({ plugin: 'db', root: '/p' }, 'main', { command: '${CLAUDE_PLUGIN_ROOT}/run' }) // { name: 'plugin_db_main', spec: { command: '/p/run' } }
 */
export function pluginServer(
  { plugin, root }: PluginPlace,
  name: string,
  entry: unknown,
): PluginServer | { readonly trouble: string } {
  const called = calledHere(`plugin:${plugin}:${name}`)
  const named = mcpServerNameSchema.safeParse(called)
  const parsed = foreignServerSchema.safeParse(withPluginRoot(entry, root))
  const issue = named.error?.issues[0] ?? parsed.error?.issues[0]
  if (named.success && parsed.success) return { name: called, spec: parsed.data }
  const field = issue?.path.length ? `.${issue.path.join('.')}` : ''
  return { trouble: `mcpServers.${name}${field}: ${issue?.message ?? 'is wrong'}` }
}

/** The name of a server as Troupe has it: `calledHere('plugin:db:main')` → `plugin_db_main`; other names stay. */
export function calledHere(server: string): string {
  if (!server.startsWith('plugin:')) return server
  return server.replaceAll(/[^A-Za-z0-9_-]/g, '_').replaceAll(/_{2,}/g, '_')
}

/** The folder in which a plugin keeps what outlives its updates: `pluginData('/p/fmt@12ab')` → `/p/data/fmt`. */
export function pluginData(root: string): string {
  const cut = root.lastIndexOf('/')
  return `${root.slice(0, cut)}/data/${root.slice(cut + 1).replace(/@[^@]*$/, '')}`
}

/** The folders of a plugin under the names that it knows them by: `foldersOfPlugin('/p/fmt@12ab')`. */
export function foldersOfPlugin(root: string): Readonly<Record<string, string>> {
  return { CLAUDE_PLUGIN_ROOT: root, CLAUDE_PLUGIN_DATA: pluginData(root) }
}

/** A value with the folders of the plugin in the places that stand for them, in every text in it. */
export function withPluginRoot<Value>(value: Value, root: string): Value {
  return filled(value, root) as Value
}

function filled(value: unknown, root: string): unknown {
  if (typeof value === 'string')
    return Object.entries(foldersOfPlugin(root)).reduce(
      (text, [name, folder]) => text.replaceAll(`\${${name}}`, () => folder),
      value,
    )
  if (Array.isArray(value)) return value.map((each) => filled(each, root))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each, root)]))
}
