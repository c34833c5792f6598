import type { Hook } from '../../protocol/hooks/hook.ts'
import type { Grant, Settings } from '../../protocol/permissions/settings.ts'
import type { Skill, SkillKind } from '../../protocol/skills/skill.ts'
import { hookText } from '../hooks/read-hooks.ts'
import { isTrusted } from '../settings/settings-trust.ts'

/** A rule of a project's skill as a text that a person trusts: `skill deploy allows Bash(git push:*)`. */
export function skillGrant(kind: SkillKind, name: string, rule: string): string {
  return `${kind} ${name} allows ${rule}`
}

/** The openings that a skill of a project brings along. */
export function skillGrants({ kind, source, name, allow, hooks = [], file }: Skill): readonly Grant[] {
  if (source !== 'project') return []
  return [
    ...allow.map((rule): Grant => ({ kind: 'skill', text: skillGrant(kind, name, rule), at: file })),
    ...hooks.map((hook): Grant => ({ kind: 'hook', text: skillHook(kind, name, hook), at: file })),
  ]
}

/** A hook of a project's skill as a text that a person trusts: its very text, and whose it is. */
function skillHook(kind: SkillKind, name: string, hook: Hook): string {
  return `${kind} ${name} ${hookText(hook)}`
}

/** The hooks of a skill that count, as its rules do. */
export function countingHooks(
  { kind, source, name, hooks = [] }: Skill,
  trusted: Settings['trusted'],
): readonly Hook[] {
  if (source !== 'project') return hooks
  return hooks.filter((hook) => isTrusted(trusted, skillHook(kind, name, hook)))
}

/** The rules of a skill that count: those of a person's own and of trusted plugins, and of a project's the trusted ones. */
export function countingRules({ kind, source, name, allow }: Skill, trusted: Settings['trusted']): readonly string[] {
  if (source !== 'project' || trusted === 'all') return allow
  return allow.filter((rule) => trusted.includes(skillGrant(kind, name, rule)))
}
