import type { PluginContent } from '../../protocol/plugins/plugin.ts'
import type { Skill } from '../../protocol/skills/skill.ts'
import { hookText } from '../hooks/read-hooks.ts'
import { serverGrant } from '../mcp/server-scopes.ts'

/** A plugin as the text that a person trusts: another content is another plugin. */
export function pluginGrant(name: string, sha256: string): string {
  return `plugin ${name} sha256:${sha256}`
}

/**
 * The openings that a plugin brings along, a line each, for a person who is to trust it.
 *
 * @param skills its commands and skills
 * @example pluginOpenings(content, skills)[0] // 'hook PreToolUse Bash {"type":"command","command":"…"}'
 */
export function pluginOpenings(
  { hooks, servers }: Pick<PluginContent, 'hooks' | 'servers'>,
  skills: readonly Pick<Skill, 'kind' | 'name' | 'allow' | 'hooks'>[],
): readonly string[] {
  return [
    ...hooks.map(hookText),
    ...servers.map(({ name, spec }) => serverGrant(name, spec)),
    ...skills.flatMap(({ kind, name, allow, hooks: own = [] }) => [
      ...allow.map((rule) => `${kind} ${name} allows ${rule}`),
      ...own.map((hook) => `${kind} ${name} ${hookText(hook)}`),
    ]),
  ]
}
