import { contentHash } from '../../adapters/fs/content-hash.ts'
import { describeCall } from '../../adapters/tools/describe-call.ts'
import { skillFiles } from '../../adapters/teams/skill-folders.ts'
import { textOf } from '../../protocol/conversation/message.ts'
import type { Hook } from '../../protocol/hooks/hook.ts'
import type { OpenedSkill, Skill, SkillWish } from '../../protocol/skills/skill.ts'
import { volatileSection, type VolatileSection } from '../../rules/prompt/section.ts'
import { countingHooks, countingRules } from '../../rules/skills/skill-grants.ts'
import { skillsInUse } from '../../rules/skills/skills-in-use.ts'
import { openSkillText, type SkillPart } from '../../rules/skills/skill-text.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import type { RunContext } from '../context/run-context.ts'
import type { AgentDeps } from '../agent/agent-deps.ts'
import { beginCall } from '../agent/begin-call.ts'
import { isReady, noSuchSkill, type FoundSkill } from '../skills/found-skills.ts'
import { usesSkills, type RunSkills } from '../skills/skills-of.ts'
import type { MemberStore } from './member-store.ts'
import { filledParts, skillSections, type SkilledMember } from './skill-sections.ts'

/*
 * The skills of one member: the list in its first message, the texts that its card gives it, and the opening of others.
 * Owns that what a skill says never becomes a permission: its commands pass the member's own rules one by one, and its rules
 * count where a person wrote or trusted them. Nothing here starts a member.
 */

/** The way of one member to what it may read of skills. */
export interface MemberSkills {
  /** The parts of its first message that are about skills, as they are now. */
  sections(): readonly VolatileSection[]
  open(wish: SkillWish, callId: string, signal: AbortSignal): Promise<OpenedSkill>
  /** The hooks of skills that it has read and that count. */
  hooks(): readonly Hook[]
  /** Some skill that it could read brings hooks. */
  mayHook(): boolean
}

/** Commands that one skill may run when it is opened. */
const mostCommands = 50

interface Member {
  readonly context: RunContext
  readonly card: MemberCard
}

/** Opens the way to a member's skills; null for one that has none. */
export function openMemberSkills(member: Member, store: MemberStore, deps: () => AgentDeps): MemberSkills | null {
  const { context, card } = member
  const { skills, home, workplace, run } = context
  if (skills === null || !usesSkills(card)) return null
  const here = { card, cwd: workplace(card).cwd, home, session: run.id }
  const placed = { ...member, skills, store, member: here }
  return {
    ...openSkillHooks(placed),
    sections: () => sectionsOf(placed),
    open: async (wish, callId, signal) => {
      const opened = openSkill(placed, { wish, found: skills.find(here), callId })
      if ('trouble' in opened) return opened
      const parts: string[] = []
      for (const [at, part] of opened.parts.entries())
        parts.push(await textOfPart(part, `${callId}!${at + 1}`, { member, store, deps, again: opened.again, signal }))
      const { skill } = opened
      return { text: openSkillText({ ...skill, body: parts.join(''), files: skillFiles(skill.folder) }) }
    },
  }
}

interface Placed extends Member {
  readonly skills: RunSkills
  readonly store: MemberStore
  readonly member: SkilledMember
}

/** Skills are looked for once for each that is opened: hooks are asked for at every call. */
function openSkillHooks({ skills, store, member }: Placed): Pick<MemberSkills, 'hooks' | 'mayHook'> {
  const known = new Map<string, readonly Hook[]>()
  const hooksOf = (name: string): readonly Hook[] => {
    const skill = skills.find(member).find((each) => isReady(each, name))?.skill ?? null
    return skill === null ? [] : countingHooks(skill, skills.trusted())
  }
  return {
    hooks() {
      const names = new Set([...(member.card.skills ?? []), ...store.skills.used.map(({ skill }) => skill)])
      return [...names].flatMap((name) => {
        const hooks = known.get(name) ?? hooksOf(name)
        known.set(name, hooks)
        return hooks
      })
    },
    mayHook: () => skills.find(member).some(({ skill }) => (skill?.hooks ?? []).length > 0),
  }
}

function sectionsOf(placed: Placed): readonly VolatileSection[] {
  const { card, store, skills, member } = placed
  const found = skills.find(member)
  const gone = (card.skills ?? []).filter((name) => !found.some((each) => isReady(each, name)))
  tell(placed, [...found.flatMap(refusal), ...gone.map((name) => absent(name, card.name))])
  const open = skillsInUse(store.conversation)
  return [
    ...skillSections(member, skills),
    volatileSection('open-skills', 'follows a conversation that was made shorter', open),
  ]
}

/** A person of this run hears once of a skill that cannot be used. */
function tell({ skills, store }: Placed, messages: readonly string[]): void {
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

interface Opening {
  readonly wish: SkillWish
  readonly found: readonly FoundSkill[]
  readonly callId: string
}

interface Opened {
  readonly skill: Skill
  readonly parts: readonly SkillPart[]
  /** This very call opened it before: the process ended before there was a result. */
  readonly again: boolean
}

/** Takes a skill into use: from now on its rules hold. */
function openSkill(placed: Placed, { wish, found, callId }: Opening): Opened | { readonly trouble: string } {
  const { store, skills } = placed
  const { skill: name, args } = wish
  const at = found.find((each) => isReady(each, name))
  if (at?.skill?.unlisted !== false) return { trouble: `Nothing was opened: ${noSuchSkill(name, found)}.` }
  const { skill, body, text } = skills.read(at)
  if (skill === null) return { trouble: `The SKILL.md of ${name} has changed and can no longer be read.` }
  const parts = filledParts(placed.member, skill, { body, args })
  const count = parts.filter((part) => 'command' in part).length
  if (count > mostCommands) return { trouble: `${name} would run ${count} commands; at most ${mostCommands} are run.` }
  const again = store.skills.used.some((used) => used.call_id === callId)
  const placedRules = (rules: readonly string[]): string[] =>
    rules.map((rule) => rule.replaceAll('${CLAUDE_SKILL_DIR}', skill.folder))
  store.ledger.record([
    {
      type: 'skill.opened',
      call_id: callId,
      skill: name,
      source: skill.source,
      folder: skill.folder,
      sha256: contentHash(text),
      allow: placedRules(countingRules(skill, skills.trusted())),
      deny: placedRules(skill.deny),
    },
  ])
  return { skill, parts, again }
}

interface Filling {
  readonly member: Member
  readonly store: MemberStore
  readonly deps: () => AgentDeps
  readonly again: boolean
  readonly signal: AbortSignal
}

/** A command runs as if the member had called Bash: its hooks, rules and limits hold, and people are asked. */
async function textOfPart(
  part: SkillPart,
  id: string,
  { member, store, deps, again, signal }: Filling,
): Promise<string> {
  if ('text' in part) return part.text
  const { command } = part
  if (again) return `[Not run again after an interruption: ${command}]`
  const tools = deps().turnTools().tools
  if (!tools.has('Bash')) return `[Not run, for you have no Bash: ${command}]`
  const call = describeCall(tools)({ type: 'tool_use', id, name: 'Bash', input: { command } })
  const result = await beginCall({ store, deps: deps(), clock: member.context.clock, leaving: signal }, call)
  const said = textOf(result).trimEnd()
  return result.is_error ? `[Not run: ${command}: ${said}]` : said
}
