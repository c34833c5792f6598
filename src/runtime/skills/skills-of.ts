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
  return members.some(usesSkills) ? loadSkills(trusted) : null
}

/** Loads what finds and reads skills and commands. */
export async function loadSkills(trusted: RunSkills['trusted']): Promise<RunSkills> {
  const { findSkills } = await import('./find-skills.ts')
  const { readSkill } = await import('../../adapters/teams/read-skill.ts')
  return { find: findSkills, read: readSkill, trusted, told: new Set() }
}

/**
 * The openings that skills and commands of a project bring along, for a person to trust. Persons call commands in any team.
 * @param team without one for whatever team may come
 */
export async function grantsOfSkills(
  team: UnhashedTeam | undefined,
  { cwd, home }: SkillPlace,
): Promise<readonly Grant[]> {
  const all = team === undefined || team.members.some(usesSkills)
  const { findSkills } = await import('./find-skills.ts')
  return readySkills(findSkills({ cwd, home }))
    .filter(({ kind }) => all || kind === 'command')
    .flatMap(skillGrants)
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
      const hint = nameHint(name, names, 'troupe skills ls shows what is there')
      const path = [...cardPath(card), 'skills', at]
      return [{ severity: 'warning', code: 'unknown_skill', message: `there is no skill "${name}" here`, path, hint }]
    }),
  )
}
