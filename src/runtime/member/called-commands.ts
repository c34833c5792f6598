import { userMessage } from '../../protocol/conversation/message.ts'
import type { SkillWish } from '../../protocol/skills/skill.ts'
import { calledCommands } from '../../rules/skills/called-commands.ts'
import { calledText } from '../../rules/skills/skill-text.ts'
import type { AgentDeps } from '../agent/agent-deps.ts'
import { callsFor } from '../agent/begin-call.ts'
import { isReady } from '../skills/found-skills.ts'
import { loadSkills } from '../skills/skills-of.ts'
import { filledText, openSkill } from '../skills/open-skill.ts'
import type { MemberMcp } from '../mcp/member-mcp.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import type { RunContext } from '../context/run-context.ts'
import type { MemberStore } from './member-store.ts'
import { settleChoices, type Choosing } from './persons-choices.ts'

/** A member, and what all members of its run share. */
export interface Member {
  readonly context: RunContext
  readonly card: MemberCard
}

/** The dependencies of a member that also reads the commands which persons call, and what they choose for it. */
export function withCommands(
  member: Member,
  store: MemberStore,
  { deps, mcp, ...choosing }: Choosing & Pick<Reading, 'mcp'> & { readonly deps: AgentDeps },
): AgentDeps {
  const whole: AgentDeps = {
    ...deps,
    get system() {
      return deps.system
    },
    choices: () => settleChoices(store, choosing),
    async commands(signal) {
      await settleChoices(store, choosing)
      await readCommands(member, { store, mcp, deps: () => whole, signal })
    },
  }
  return whole
}

interface Reading {
  readonly store: MemberStore
  readonly mcp: Pick<MemberMcp, 'prompt'> | null
  readonly deps: () => AgentDeps
  readonly signal: AbortSignal
}

/**
 * Puts the text of each command that a person called behind the words in which that was said. What runs for it passes the
 * member's own rules; words that name no command stay words.
 */
async function readCommands({ context, card }: Member, { store, mcp, deps, signal }: Reading): Promise<void> {
  const called = calledCommands(store.conversation)
  if (called.length === 0) return
  const { home, workplace, run, trusted, clock } = context
  const skills = context.skills ?? (await loadSkills(trusted))
  const agent = { card, cwd: workplace(card).cwd, home, session: run.id }
  const found = skills.find(agent)
  const told = (wish: SkillWish, entry: string, body: string): void => {
    signal.throwIfAborted()
    const text = calledText({ name: wish.skill, entry, body })
    store.ledger.record([{ type: 'message.appended', message: userMessage(text, 'runtime') }])
  }
  for (const { entry, ...wish } of called) {
    if (mcp !== null && wish.skill.startsWith('mcp__')) {
      const body = await promptBody(mcp, wish, { deps, signal })
      if (body !== null) told(wish, entry, body)
      continue
    }
    if (!found.some((each) => isReady(each, wish.skill) && each.skill?.uncallable === false)) continue
    const { blocked, context: more = [] } = await expansionOf(deps(), wish, signal)
    const opened =
      blocked === null
        ? openSkill({ skills, agent, store }, { wish, found, callId: entry, by: 'person' })
        : { trouble: `[A hook does not let this command be called: ${blocked}]` }
    const body =
      'trouble' in opened
        ? opened.trouble
        : await filledText(opened, entry, { agent, callFor: callsFor(store, clock, deps), signal })
    told(wish, entry, [body, ...more].join('\n\n'))
  }
}

/** The text of a prompt of one of the member's servers; null where none of them has that name. */
async function promptBody(
  mcp: Pick<MemberMcp, 'prompt'>,
  wish: SkillWish,
  { deps, signal }: Pick<Reading, 'deps' | 'signal'>,
): Promise<string | null> {
  const { blocked, context = [] } = await expansionOf(deps(), wish, signal)
  if (blocked !== null) return `[A hook does not let this command be called: ${blocked}]`
  const text = await mcp.prompt(wish, signal)
  return text === null ? null : [text, ...context].join('\n\n')
}

/** Asks the hooks whether a command that a person typed may become the words behind it. */
async function expansionOf(
  { hooks = null }: AgentDeps,
  { skill: command_name, args: command_args }: SkillWish,
  signal: AbortSignal,
): Promise<{ readonly blocked: string | null; readonly context?: readonly string[] }> {
  if (hooks?.has('UserPromptExpansion') !== true) return { blocked: null }
  const prompt = `/${command_name} ${command_args}`.trimEnd()
  const isPrompt = command_name.startsWith('mcp__')
  const kind = isPrompt ? 'mcp_prompt' : 'slash_command'
  const command_source = isPrompt ? 'mcp' : 'skill'
  const fields = { expansion_type: kind, command_name, command_args, command_source, prompt }
  const { blocks, stops, reason, context } = await hooks.fire(
    { event: 'UserPromptExpansion', value: command_name, fields },
    signal,
  )
  return { blocked: blocks ? reason : stops, context }
}
