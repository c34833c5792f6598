import type { PermissionMode } from '../../protocol/permissions/permission.ts'
import type { PermissionRule } from './rule.ts'

/** Programs that run any other program or text: to allow all their calls is to allow everything. */
const openEnded = new Set(
  `python python2 python3 pypy pypy3 node deno bun ruby perl php lua tclsh osascript pwsh powershell bash sh dash zsh ksh
  fish npx bunx pnpx uvx pipx tsx ts-node eval exec command sudo doas su env xargs ssh script watch parallel source .
  docker kubectl`.split(/\s+/),
)

/**
 * Why an allow rule is out of force in a mode that already lets changes through unasked: it would turn that mode into
 * one that asks nothing. Null when the rule stays.
 *
 * @example strippedBecause(parseRule('Bash(python3:*)'), 'acceptEdits') // 'Bash(python3:*) is not in force …'
 */
export function strippedBecause(rule: PermissionRule, mode: PermissionMode): string | null {
  if (mode !== 'acceptEdits' || rule.tool !== 'Bash') return null
  const name = /^([\w./-]+)(?: \*|:\*|\*)$/.exec(rule.specifier)?.[1]
  const wide = rule.kind === 'tool' || (name !== undefined && openEnded.has(name.slice(name.lastIndexOf('/') + 1)))
  if (!wide) return null
  return `${rule.text} is not in force in ${mode} mode: it would let any command run unasked`
}
