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
  const called = `plugin_${plugin}_${name}`.replaceAll(/[^A-Za-z0-9_-]/g, '_').replaceAll(/_{2,}/g, '_')
  const named = mcpServerNameSchema.safeParse(called)
  const parsed = foreignServerSchema.safeParse(withPluginRoot(entry, root))
  const issue = named.error?.issues[0] ?? parsed.error?.issues[0]
  if (named.success && parsed.success) return { name: called, spec: parsed.data }
  const field = issue?.path.length ? `.${issue.path.join('.')}` : ''
  return { trouble: `mcpServers.${name}${field}: ${issue?.message ?? 'is wrong'}` }
}

/** A value with the folder of the plugin in the place of `${CLAUDE_PLUGIN_ROOT}` in every text in it. */
export function withPluginRoot<Value>(value: Value, root: string): Value {
  return filled(value, root) as Value
}

function filled(value: unknown, root: string): unknown {
  if (typeof value === 'string') return value.replaceAll('${CLAUDE_PLUGIN_ROOT}', () => root)
  if (Array.isArray(value)) return value.map((each) => filled(each, root))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each, root)]))
}
