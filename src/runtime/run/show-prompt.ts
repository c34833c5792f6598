import { readTrust, workspaceOf } from '../../adapters/settings/trust-file.ts'
import { emptyConversation } from '../../rules/conversation/context-window.ts'
import { memoryToolsOf } from '../../rules/memory/memory-plan.ts'
import { openAgentMemory } from '../memory/agent-memory.ts'
import { readJournal } from '../../adapters/sessions/read-journal.ts'
import { readRunFile, unreadableRun } from '../../adapters/sessions/read-run.ts'
import { runDirectory } from '../../adapters/sessions/run-directory.ts'
import { projectFolders } from '../../adapters/settings/settings-places.ts'
import type { FactOf } from '../../protocol/facts/fact.ts'
import type { MemberCard, ResolvedTeam } from '../../protocol/team/team-card.ts'
import type { ToolSpec } from '../../protocol/tools/tool.ts'
import { emptyGauge } from '../../rules/conversation/fullness.ts'
import { mcpServersOf } from '../../rules/mcp/member-servers.ts'
import { memberSections } from '../../rules/prompt/member-sections.ts'
import { driftChars, movedSections, type PromptSection } from '../../rules/prompt/section.ts'
import { coordinatorTools, roundsOf } from '../../rules/team/coordinator-tools.ts'
import { namedMember } from '../team-files/named-member.ts'
import { turnToolSets } from '../agent/turn-tools.ts'
import { workerTurn } from '../member/member-deps.ts'
import { skillSections } from '../skills/skill-sections.ts'
import { contextSections } from '../prompt/context-sections.ts'
import { fingerprintOf, printsOf } from '../prompt/open-prompt.ts'
import { skillsOf } from '../skills/skills-of.ts'

/** A part of what a member's model reads before anybody speaks. */
export interface ShownSection {
  readonly name: string
  /** The system prompt and the tools, which a vendor keeps; or the first user message. */
  readonly zone: 'tools' | PromptSection['zone']
  readonly chars: number
  /** An estimate, unless the prompt says that it was counted. */
  readonly tokens: number
  /** How long a vendor may keep the part. */
  readonly cache: string
  readonly text: string
}

export interface ShownPrompt {
  readonly team: string
  readonly member: string
  readonly fingerprint: string
  /** The model whose server counted the tokens. */
  readonly counted_by?: string
  /** MCP servers whose tools and words the member reads as well. */
  readonly without: readonly string[]
  readonly sections: readonly ShownSection[]
}

/** Where a prompt is looked at. */
export interface PromptPlace {
  readonly cwd: string
  readonly home: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * The parts that a member's model would read before its task, in order. MCP servers are not started: their tools and
 * words are missing.
 *
 * @throws Error for a member that is not there
 * @example (await showPrompt(team, 'lead', { cwd, home, now })).sections.map(({ name, tokens }) => `${name} ${tokens}`)
 */
export async function showPrompt(team: ResolvedTeam, member: string, place: PromptPlace): Promise<ShownPrompt> {
  return shownPrompt(team, await promptParts(team, member, place))
}

/** The parts of a member's prompt, as a model is sent them. */
export interface PromptParts {
  readonly card: MemberCard
  readonly tools: readonly ToolSpec[]
  readonly sections: readonly PromptSection[]
}

/** @throws Error for a member that is not there */
export async function promptParts(team: ResolvedTeam, member: string, place: PromptPlace): Promise<PromptParts> {
  const card = namedMember(team, member)
  const skills = await skillsOf({ members: [card] }, () => [])
  const about = skills === null ? [] : skillSections({ card, ...place, session: '' }, skills)
  const context = contextSections({
    ...place,
    folders: projectFolders(place.cwd, place.home),
    servers: '',
    memory: rememberedBy(card, place),
    skills: about,
  })
  const sections = [...memberSections(team, card), ...context].filter(({ text }) => text !== '')
  return { card, tools: toolsOf(team, card), sections }
}

/** The parts as people are shown them. */
export function shownPrompt(team: ResolvedTeam, { card, tools, sections }: PromptParts): ShownPrompt {
  const named = tools.map(({ name }) => name).join(', ')
  const kept = { name: 'tools', zone: 'tools', cache: 'kept: the same in every clone and home', text: named } as const
  return {
    team: team.name,
    member: card.name,
    fingerprint: fingerprintOf(printsOf(sections)),
    without: mcpServersOf(card, team),
    sections: [sized(kept, JSON.stringify(tools).length), ...sections.map(shown)],
  }
}

/** The notes of a member, as far as a person trusts those that lie in the workspace. */
function rememberedBy({ memory: plan, name }: MemberCard, { cwd, home, now }: PromptPlace): string {
  if (plan === undefined) return ''
  const known = readTrust(home).trust.get(workspaceOf(cwd, home)) ?? []
  const clock = { now: () => now, mint: () => '' }
  const own = { plan, cwd, home, member: name, clock, conversation: emptyConversation(), depth: 0 }
  return openAgentMemory({ ...own, trusts: (text) => known.includes(text) }).section()
}

/** The tools as the member has them when it begins. */
function toolsOf(team: ResolvedTeam, card: MemberCard): readonly ToolSpec[] {
  const sets = turnToolSets()
  return card.role === 'coordinator'
    ? sets([...leadTools(team, card), ...memoryToolsOf(card)]).specs
    : workerTurn(card, sets).turnTools(new Set()).specs
}

function leadTools({ partition, gather, tasks }: ResolvedTeam, { tools, advisor }: MemberCard): readonly string[] {
  const place = { state: 'planning', rounds: roundsOf(gather) } as const
  return coordinatorTools(place, {
    partition,
    domain: tools,
    board: tasks !== undefined,
    advised: advisor !== undefined,
  })
}

function shown(section: PromptSection): ShownSection {
  const { name, zone, text } = section
  const cache =
    section.zone === 'cached' ? 'kept: the same in every clone, home and turn' : `first message: ${section.reason}`
  return sized({ name, zone, cache, text }, text.length)
}

function sized(section: Omit<ShownSection, 'chars' | 'tokens'>, chars: number): ShownSection {
  return { ...section, chars, tokens: Math.ceil(chars * emptyGauge().tokensPerChar) }
}

/** The difference between the prompts that a member of two runs began with. */
export interface PromptDifference {
  readonly member: string
  readonly same: boolean
  /** Sections that are other ones, new or gone. */
  readonly moved: readonly string[]
  /** Characters that a vendor could not take from what it kept. */
  readonly chars: number
}

/**
 * Compares the prompts of two runs by the fingerprints in their journals, for the members that began in both.
 * @param dirs run directories
 * @throws Error when one of them is no run
 */
export function promptDifferences(dirs: readonly [string, string]): readonly PromptDifference[] {
  const [before, after] = [promptsOf(dirs[0]), promptsOf(dirs[1])]
  return [...before].flatMap(([member, old]) => {
    const now = after.get(member)
    if (now === undefined) return []
    const moved = movedSections(old.sections, now.sections)
    return [{ member, same: moved.length === 0, moved, chars: driftChars(now.sections, moved) }]
  })
}

function promptsOf(dir: string): ReadonlyMap<string, NonNullable<FactOf<'member.started'>['prompt']>> {
  const file = readRunFile(dir)
  if (!file) throw new Error(unreadableRun(dir))
  const run = runDirectory(dir, file.team)
  return new Map(
    file.team.members.flatMap(({ name }) => {
      const { entries } = readJournal(run.journalFile(name))
      const prompt = entries.flatMap((entry) => (entry.type === 'member.started' ? [entry.prompt] : []))[0]
      return prompt === undefined ? [] : [[name, prompt] as const]
    }),
  )
}
