import type { Grant, Settings } from '../../protocol/permissions/settings.ts'
import type { Skill } from '../../protocol/skills/skill.ts'

/** A rule of a project's skill as a text that a person trusts: `skill deploy allows Bash(git push:*)`. */
export function skillGrant(name: string, rule: string): string {
  return `skill ${name} allows ${rule}`
}

/** The openings that a skill of a project brings along. */
export function skillGrants({ source, name, allow, file }: Skill): readonly Grant[] {
  if (source === 'user') return []
  return allow.map((rule): Grant => ({ kind: 'skill', text: skillGrant(name, rule), at: file }))
}

/** The rules of a skill that count: those of a person's own, and of a project's the trusted ones. */
export function countingRules({ source, name, allow }: Skill, trusted: Settings['trusted']): readonly string[] {
  if (source === 'user' || trusted === 'all') return allow
  return allow.filter((rule) => trusted.includes(skillGrant(name, rule)))
}
