import { existsSync } from 'node:fs'
import { contentHash } from '../../adapters/fs/content-hash.ts'
import type { AgentStory } from '../../projections/member/agent-story.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { Skill, SkillWish } from '../../protocol/skills/skill.ts'
import type { Conversation } from '../../rules/conversation/context-window.ts'
import { resolveFrom } from '../../rules/paths/path-inside.ts'
import { withPluginRoot } from '../../rules/plugins/plugin-servers.ts'
import { countingRules } from '../../rules/skills/skill-grants.ts'
import type { SkillPart } from '../../rules/skills/skill-text.ts'
import { isReady, noSuchSkill, type FoundSkill } from './found-skills.ts'
import type { RunSkills } from './skills-of.ts'
import { filledParts, type SkilledAgent } from './skill-sections.ts'

/** Commands and files of one skill that are run and read when it is opened. */
const mostCommands = 50

/** An agent with the skills that it finds. */
export interface SkillUser {
  readonly skills: RunSkills
  readonly agent: SkilledAgent
  readonly store: Pick<AgentStory, 'skills'> & {
    readonly conversation: Conversation
    readonly ledger: { record(facts: readonly Fact[]): unknown }
  }
}

/** The wish to open a skill, and who had it. */
interface Opening {
  readonly wish: SkillWish
  readonly found: readonly FoundSkill[]
  /** The call, or the entry in which a person called it. */
  readonly callId: string
  readonly by?: 'person'
}

export interface Opened {
  readonly skill: Skill
  readonly parts: readonly SkillPart[]
  /** This very call opened it before: the process ended before there was a result. */
  readonly again: boolean
}

/** Takes a skill into use: from now on its rules hold. */
export function openSkill(
  { store, skills, agent }: SkillUser,
  { wish, found, callId, by }: Opening,
): Opened | { readonly trouble: string } {
  const { skill: name, args } = wish
  const at = found.find((each) => isReady(each, name))
  if (at === undefined || (by === undefined ? at.skill?.unlisted : at.skill?.uncallable) !== false)
    return { trouble: `Nothing was opened: ${noSuchSkill(name, found)}.` }
  const { skill, body, text } = skills.read(at)
  if (skill === null) return { trouble: `The file of ${name} has changed and can no longer be read.` }
  const parts = filledParts(agent, skill, { body, args })
  const count = parts.filter((part) => !('text' in part)).length
  if (count > mostCommands)
    return { trouble: `${name} would run ${count} commands and show as many files; at most ${mostCommands} are.` }
  const again = store.skills.used.some((used) => used.call_id === callId)
  const placedRules = (rules: readonly string[]): string[] =>
    (skill.pluginRoot === undefined ? [...rules] : withPluginRoot([...rules], skill.pluginRoot)).map((rule) =>
      rule.replaceAll('${CLAUDE_SKILL_DIR}', skill.folder),
    )
  store.ledger.record([
    {
      type: 'skill.opened',
      call_id: callId,
      skill: name,
      source: skill.source,
      folder: skill.pluginRoot ?? skill.folder,
      sha256: contentHash(text),
      allow: placedRules(countingRules(skill, skills.trusted())),
      deny: placedRules(skill.deny),
      ...(by === undefined ? {} : { by }),
      ...(by === undefined || skill.model === undefined ? {} : { model: skill.model }),
    },
  ])
  return { skill, parts, again }
}

/** Makes a call as if the agent had made it: hooks, rules and limits hold, and people are asked. @returns its words */
export type CallFor = (
  tool: 'Bash' | 'Read',
  input: Readonly<Record<string, string | number>>,
  call: {
    readonly id: string
    /** The command or the file as people know it. */
    readonly shown: string
    /** This very call was made before the process ended. */
    readonly again: boolean
    readonly signal: AbortSignal
  },
) => Promise<string>

/** The agent for which commands run and files are read. */
interface Filling {
  readonly agent: Pick<SkilledAgent, 'cwd' | 'home'>
  readonly callFor: CallFor
  readonly signal: AbortSignal
}

/** Joins the parts of an open skill, with the output of its commands and the files that it names. */
export async function filledText(
  { parts, again }: Opened,
  callId: string,
  { agent, callFor, signal }: Filling,
): Promise<string> {
  const texts: string[] = []
  for (const [at, part] of parts.entries()) {
    const call = { id: `${callId}!${at + 1}`, again, signal }
    if ('text' in part) texts.push(part.text)
    else if ('command' in part)
      texts.push(await callFor('Bash', { command: part.command }, { ...call, shown: part.command }))
    // A word that only begins with @ is no file.
    else if (!existsSync(resolveFrom(agent.cwd, agent.home, part.path))) texts.push(`@${part.path}`)
    else
      texts.push(`@${part.path}\n${await callFor('Read', { file_path: part.path }, { ...call, shown: part.path })}\n`)
  }
  return texts.join('')
}
