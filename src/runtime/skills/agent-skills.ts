import { skillFiles } from '../../adapters/teams/skill-folders.ts'
import type { Hook } from '../../protocol/hooks/hook.ts'
import type { OpenedSkill, SkillWish } from '../../protocol/skills/skill.ts'
import { volatileSection, type VolatileSection } from '../../rules/prompt/section.ts'
import { countingHooks } from '../../rules/skills/skill-grants.ts'
import { skillsInUse } from '../../rules/skills/skills-in-use.ts'
import { openSkillText } from '../../rules/skills/skill-text.ts'
import { isReady, type FoundSkill } from './found-skills.ts'
import { filledText, openSkill, type CallFor, type SkillUser } from './open-skill.ts'
import { skillSections } from './skill-sections.ts'

/*
 * The skills of one agent: the list in its first message, the texts that its card gives it, and the opening of others.
 * Owns that what a skill says never becomes a permission: its commands pass the agent's own rules one by one, and its rules
 * count where a person wrote or trusted them. Nothing here starts an agent.
 */

/** The way of one agent to what it may read of skills. */
export interface AgentSkills {
  /** The parts of its first message that are about skills, as they are now. */
  sections(): readonly VolatileSection[]
  open(wish: SkillWish, callId: string, signal: AbortSignal): Promise<OpenedSkill>
  /** The hooks of skills that it has read and that count. */
  hooks(): readonly Hook[]
  /** Some skill that it could read brings hooks. */
  mayHook(): boolean
}

/** Opens the way to an agent's skills. */
export function openAgentSkills(user: SkillUser, callFor: CallFor): AgentSkills {
  const { skills, agent } = user
  return {
    ...openSkillHooks(user),
    sections: () => sectionsOf(user),
    open: async (wish, callId, signal) => {
      const opened = openSkill(user, { wish, found: skills.find(agent), callId })
      if ('trouble' in opened) return opened
      const body = await filledText(opened, callId, { agent, callFor, signal })
      const { skill } = opened
      return { text: openSkillText({ ...skill, body, files: skillFiles(skill.folder) }) }
    },
  }
}

/** Skills are looked for once for each that is opened: hooks are asked for at every call. */
function openSkillHooks({ skills, store, agent }: SkillUser): Pick<AgentSkills, 'hooks' | 'mayHook'> {
  const known = new Map<string, readonly Hook[]>()
  const hooksOf = (name: string): readonly Hook[] => {
    const skill = skills.find(agent).find((each) => isReady(each, name))?.skill ?? null
    return skill === null ? [] : countingHooks(skill, skills.trusted())
  }
  return {
    hooks() {
      const names = new Set([...(agent.card.skills ?? []), ...store.skills.used.map(({ skill }) => skill)])
      return [...names].flatMap((name) => {
        const hooks = known.get(name) ?? hooksOf(name)
        known.set(name, hooks)
        return hooks
      })
    },
    mayHook: () => skills.find(agent).some(({ skill }) => (skill?.hooks ?? []).length > 0),
  }
}

function sectionsOf(user: SkillUser): readonly VolatileSection[] {
  const { store, skills, agent } = user
  const { card } = agent
  const found = skills.find(agent)
  const gone = (card.skills ?? []).filter((name) => !found.some((each) => isReady(each, name)))
  tell(user, [...found.flatMap(refusal), ...gone.map((name) => absent(name, card.name))])
  const open = skillsInUse(store.conversation)
  return [
    ...skillSections(agent, skills),
    volatileSection('open-skills', 'follows a conversation that was made shorter', open),
  ]
}

/** A person of this run hears once of a skill that cannot be used. */
function tell({ skills, store }: SkillUser, messages: readonly string[]): void {
  const news = messages.filter((message) => !skills.told.has(message))
  for (const message of news) skills.told.add(message)
  store.ledger.record(news.map((message) => ({ type: 'warning.raised', code: 'skills', message })))
}

function refusal({ state, shown, diagnostics }: FoundSkill): readonly string[] {
  const why = diagnostics.find(({ severity }) => severity === 'error')
  if (state !== 'refused' || why === undefined) return []
  const cure = why.hint === undefined ? '' : ` (${why.hint})`
  return [`the skill ${shown} cannot be used: ${why.file}:${why.line} ${why.message}${cure}`]
}

function absent(name: string, member: string): string {
  return `${member} is to have the skill "${name}", and there is none; troupe skills ls shows what is there`
}
