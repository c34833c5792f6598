import { existsSync } from 'node:fs'
import { contentHash } from '../../adapters/fs/content-hash.ts'
import { describeCall } from '../../adapters/tools/describe-call.ts'
import { textOf } from '../../protocol/conversation/message.ts'
import type { Skill, SkillWish } from '../../protocol/skills/skill.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import { resolveFrom } from '../../rules/paths/path-inside.ts'
import { withPluginRoot } from '../../rules/plugins/plugin-servers.ts'
import { countingRules } from '../../rules/skills/skill-grants.ts'
import type { SkillPart } from '../../rules/skills/skill-text.ts'
import type { AgentDeps } from '../agent/agent-deps.ts'
import { beginCall } from '../agent/begin-call.ts'
import type { RunContext } from '../context/run-context.ts'
import { isReady, noSuchSkill, type FoundSkill } from '../skills/found-skills.ts'
import type { RunSkills } from '../skills/skills-of.ts'
import type { MemberStore } from './member-store.ts'
import { filledParts, type SkilledMember } from './skill-sections.ts'

/** Commands and files of one skill that are run and read when it is opened. */
const mostCommands = 50

export interface Member {
  readonly context: RunContext
  readonly card: MemberCard
}

/** A member with the skills that it finds. */
export interface SkillUser extends Member {
  readonly skills: RunSkills
  readonly store: MemberStore
  readonly member: SkilledMember
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
  placed: SkillUser,
  { wish, found, callId, by }: Opening,
): Opened | { readonly trouble: string } {
  const { store, skills } = placed
  const { skill: name, args } = wish
  const at = found.find((each) => isReady(each, name))
  if (at === undefined || (by === undefined ? at.skill?.unlisted : at.skill?.uncallable) !== false)
    return { trouble: `Nothing was opened: ${noSuchSkill(name, found)}.` }
  const { skill, body, text } = skills.read(at)
  if (skill === null) return { trouble: `The file of ${name} has changed and can no longer be read.` }
  const parts = filledParts(placed.member, skill, { body, args })
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

interface Filling extends Member {
  readonly store: MemberStore
  readonly deps: () => AgentDeps
  readonly again: boolean
  readonly signal: AbortSignal
}

/** Joins the parts of an open skill, each command and file as if the member had called its tool. */
export async function filledText(
  { parts, again }: Opened,
  callId: string,
  filling: Omit<Filling, 'again'>,
): Promise<string> {
  const texts: string[] = []
  for (const [at, part] of parts.entries())
    texts.push(await textOfPart(part, `${callId}!${at + 1}`, { ...filling, again }))
  return texts.join('')
}

/** A command runs as if the member had called Bash, a file is read as by Read: hooks, rules and limits hold, people are asked. */
async function textOfPart(part: SkillPart, id: string, filling: Filling): Promise<string> {
  if ('text' in part) return part.text
  if ('command' in part) return calledFor('Bash', { command: part.command }, { ...filling, id, shown: part.command })
  const { context, card } = filling
  const { path } = part
  const { cwd } = context.workplace(card)
  // A word that only begins with @ is no file.
  if (!existsSync(resolveFrom(cwd, context.home, path))) return `@${path}`
  const text = await calledFor('Read', { file_path: path }, { ...filling, id, shown: path })
  return `@${path}\n${text}\n`
}

interface Calling extends Filling {
  readonly id: string
  /** The command or the file as people know it. */
  readonly shown: string
}

async function calledFor(
  name: 'Bash' | 'Read',
  input: Readonly<Record<string, string>>,
  { context, store, deps, again, signal, id, shown }: Calling,
): Promise<string> {
  const not = name === 'Bash' ? 'Not run' : 'Not read'
  if (again) return `[${not} again after an interruption: ${shown}]`
  const { tools } = deps().turnTools()
  if (!tools.has(name)) return `[${not}, for you have no ${name}: ${shown}]`
  const call = describeCall(tools)({ type: 'tool_use', id, name, input })
  const result = await beginCall({ store, deps: deps(), clock: context.clock, leaving: signal }, call)
  const said = textOf(result).trimEnd()
  return result.is_error ? `[${not}: ${shown}: ${said}]` : said
}
