import { skillFiles } from '../../adapters/teams/skill-folders.ts'
import type { Skill } from '../../protocol/skills/skill.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import { volatileSection, type VolatileSection } from '../../rules/prompt/section.ts'
import { skillListing } from '../../rules/skills/skill-listing.ts'
import { foldersOfPlugin } from '../../rules/plugins/plugin-servers.ts'
import { openSkillText, skillParts } from '../../rules/skills/skill-text.ts'
import { isReady, readySkills, type FoundSkill } from './found-skills.ts'
import type { RunSkills } from './skills-of.ts'

/** An agent, and where it works, as its skills see it. */
export interface SkilledAgent {
  readonly card: Pick<MemberCard, 'name' | 'tools' | 'skills'>
  readonly cwd: string
  readonly home: string
  /** The run's id, or the name of an agent outside of any run. */
  readonly session: string
}

/** The parts of an agent's first message that are about skills: those that its card gives, and the list of all. */
export function skillSections(
  agent: SkilledAgent,
  skills: Pick<RunSkills, 'find' | 'read'>,
): readonly VolatileSection[] {
  const { card } = agent
  const found = skills.find(agent)
  const given = (card.skills ?? []).flatMap((name) => found.find((each) => isReady(each, name)) ?? [])
  const texts = given.flatMap((each) => givenText(agent, each, skills))
  const listed = card.tools.includes('Skill') ? skillListing(readySkills(found)) : ''
  return [
    volatileSection('given-skills', 'people change skills', texts.join('\n')),
    volatileSection('skills', 'people add and change skills', listed),
  ]
}

/** A skill that the card gives; nobody is there yet who could run a command. */
function givenText(agent: SkilledAgent, found: FoundSkill, { read }: Pick<RunSkills, 'read'>): readonly string[] {
  const { skill, body } = read(found)
  if (skill === null) return []
  const parts = filledParts(agent, skill, { body, args: '' })
  const text = parts
    .map((part) => {
      if ('text' in part) return part.text
      return 'path' in part ? `@${part.path}` : `[Not run: ${part.command}]`
    })
    .join('')
  return [openSkillText({ ...skill, body: text, files: skillFiles(skill.folder) })]
}

/** The text of a skill with everything filled in but the output of its commands. */
export function filledParts(
  { cwd, session }: SkilledAgent,
  skill: Skill,
  { body, args }: { readonly body: string; readonly args: string },
): ReturnType<typeof skillParts> {
  const ofPlugin = skill.pluginRoot === undefined ? {} : foldersOfPlugin(skill.pluginRoot)
  const variables = { CLAUDE_SKILL_DIR: skill.folder, CLAUDE_PROJECT_DIR: cwd, CLAUDE_SESSION_ID: session, ...ofPlugin }
  return skillParts(body, { args, argumentNames: skill.argumentNames, variables, kind: skill.kind })
}
