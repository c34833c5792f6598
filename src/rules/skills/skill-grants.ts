import type { Grant, Settings } from '../../protocol/permissions/settings.ts'
import type { Skill, SkillKind } from '../../protocol/skills/skill.ts'

/** A rule of a project's skill as a text that a person trusts: `skill deploy allows Bash(git push:*)`. */
export function skillGrant(kind: SkillKind, name: string, rule: string): string {
  return `${kind} ${name} allows ${rule}`
}

/** The openings that a skill of a project brings along. */
export function skillGrants({ kind, source, name, allow, file }: Skill): readonly Grant[] {
  if (source === 'user') return []
  return allow.map((rule): Grant => ({ kind: 'skill', text: skillGrant(kind, name, rule), at: file }))
}

/** The rules of a skill that count: those of a person's own, and of a project's the trusted ones. */
export function countingRules({ kind, source, name, allow }: Skill, trusted: Settings['trusted']): readonly string[] {
  if (source === 'user' || trusted === 'all') return allow
  return allow.filter((rule) => trusted.includes(skillGrant(kind, name, rule)))
}
