import type { Grant, Settings } from '../../protocol/permissions/settings.ts'
import type { MemberCard, UnhashedTeam } from '../../protocol/team/team-card.ts'
import { skillGrants } from '../../rules/skills/skill-grants.ts'
import { cardPath, nameHint, oncePerCard, type TeamProblem } from '../../rules/team/team-problem.ts'
import type { SkillFolder, SkillRead } from '../../adapters/teams/read-skill.ts'
import { readySkills, type FindSkills, type SkillPlace } from './found-skills.ts'

/** The places and the trust that all members of a run share when they look for skills. */
export interface RunSkills {
  readonly find: FindSkills
  /** Reads a skill whole, as it is now: bodies are not kept. */
  readonly read: (folder: SkillFolder) => SkillRead
  readonly trusted: () => Settings['trusted']
  /** Mistakes in skills of which somebody was told already. */
  readonly told: Set<string>
}

/** Whether a member is told of skills, or given some. */
export function usesSkills({ tools, skills = [] }: Pick<MemberCard, 'tools' | 'skills'>): boolean {
  return tools.includes('Skill') || skills.length > 0
}

/** The way of a run to its skills. Many teams use none: for them nothing is loaded. */
export async function skillsOf(
  { members }: Pick<UnhashedTeam, 'members'>,
  trusted: RunSkills['trusted'],
): Promise<RunSkills | null> {
  if (!members.some(usesSkills)) return null
  const { findSkills } = await import('./find-skills.ts')
  const { readSkill } = await import('../../adapters/teams/read-skill.ts')
  return { find: findSkills, read: readSkill, trusted, told: new Set() }
}

/**
 * The openings that skills of a project bring along, for a person to trust.
 * @param team without one for whatever team may come
 */
export async function grantsOfSkills(
  team: UnhashedTeam | undefined,
  { cwd, home }: SkillPlace,
): Promise<readonly Grant[]> {
  if (team && !team.members.some(usesSkills)) return []
  const { findSkills } = await import('./find-skills.ts')
  return readySkills(findSkills({ cwd, home })).flatMap(skillGrants)
}

/** Cards that are given a skill which is not there: their members do without, and that is told. */
export async function skillProblems(team: UnhashedTeam, { cwd, home }: SkillPlace): Promise<readonly TeamProblem[]> {
  const cards = oncePerCard(team.members).filter(({ skills = [] }) => skills.length > 0)
  if (cards.length === 0) return []
  const { findSkills } = await import('./find-skills.ts')
  const names = readySkills(findSkills({ cwd, home })).map(({ name }) => name)
  return cards.flatMap((card) =>
    (card.skills ?? []).flatMap((name, at): readonly TeamProblem[] => {
      if (names.includes(name)) return []
      const hint = nameHint(name, names) ?? 'troupe skills ls shows what is there'
      const path = [...cardPath(card), 'skills', at]
      return [{ severity: 'warning', code: 'unknown_skill', message: `there is no skill "${name}" here`, path, hint }]
    }),
  )
}
