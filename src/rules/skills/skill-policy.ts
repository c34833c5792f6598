import type { Policy, RuleLists } from '../../protocol/permissions/permission.ts'
import { isInside } from '../paths/path-inside.ts'
import type { SkillInUse } from '../../protocol/skills/skill.ts'

/**
 * The policy of an agent that uses skills: their files may be read, and run as any command is; their rules stand with those
 * of the session, behind everybody's deny and ask rules.
 *
 * @example withSkills(policy, [{ skill: 'pdf', folder: '/home/ann/.claude/skills/pdf', allow: ['Bash(pdftotext:*)'], deny: [] }])
 */
export function withSkills(policy: Policy, used: readonly SkillInUse[]): Policy {
  if (used.length === 0) return policy
  const { session } = policy.rules
  const folders = used.map(({ folder }) => folder)
  const reads = folders.map((folder) => `Read(/${folder}/**)`)
  const lists: RuleLists = {
    ...session,
    // Where only the managed policy's allow rules count, those of skills do not either.
    allow: [
      ...(session?.allow ?? []),
      ...reads,
      ...(policy.managedOnly === true ? [] : used.flatMap(({ allow }) => allow)),
    ],
    deny: [...(session?.deny ?? []), ...used.flatMap(({ deny }) => deny)],
  }
  // Only what lies among the skills and plugins of a closed directory opens: never the directory itself, or one around it.
  const places = policy.bounds.protected.flatMap((dir) => [`${dir}/skills`, `${dir}/plugins`])
  const among = folders.filter((folder) => places.some((place) => folder !== place && isInside(place, folder)))
  const runnable = [...(policy.bounds.runnable ?? []), ...among]
  return { ...policy, rules: { ...policy.rules, session: lists }, bounds: { ...policy.bounds, runnable } }
}
