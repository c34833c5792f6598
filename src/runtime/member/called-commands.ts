import { userMessage } from '../../protocol/conversation/message.ts'
import type { SkillWish } from '../../protocol/skills/skill.ts'
import { calledCommands } from '../../rules/skills/called-commands.ts'
import { calledText } from '../../rules/skills/skill-text.ts'
import type { AgentDeps } from '../agent/agent-deps.ts'
import { isReady } from '../skills/found-skills.ts'
import { loadSkills } from '../skills/skills-of.ts'
import type { MemberStore } from './member-store.ts'
import { filledText, openSkill, type Member } from './open-skill.ts'

/** The dependencies of a member that also reads the commands which persons call. */
export function withCommands(member: Member, store: MemberStore, deps: AgentDeps): AgentDeps {
  const whole: AgentDeps = {
    ...deps,
    commands: (signal) => readCommands(member, { store, deps: () => whole, signal }),
  }
  return whole
}

interface Reading {
  readonly store: MemberStore
  readonly deps: () => AgentDeps
  readonly signal: AbortSignal
}

/**
 * Puts the text of each command that a person called behind the words in which that was said. What runs for it passes the
 * member's own rules; words that name no command stay words.
 */
async function readCommands({ context, card }: Member, { store, deps, signal }: Reading): Promise<void> {
  const called = calledCommands(store.conversation)
  if (called.length === 0) return
  const { home, workplace, run, trusted } = context
  const skills = context.skills ?? (await loadSkills(trusted))
  const member = { card, cwd: workplace(card).cwd, home, session: run.id }
  const found = skills.find(member)
  for (const { entry, ...wish } of called) {
    if (!found.some((each) => isReady(each, wish.skill) && each.skill?.uncallable === false)) continue
    const { blocked, context: more = [] } = await expansionOf(deps(), wish, signal)
    const opened = openSkill({ context, card, skills, store, member }, { wish, found, callId: entry, by: 'person' })
    const body =
      blocked !== null
        ? `[A hook does not let this command be called: ${blocked}]`
        : 'trouble' in opened
          ? opened.trouble
          : await filledText(opened, entry, { context, card, store, deps, signal })
    signal.throwIfAborted()
    const text = calledText({ name: wish.skill, entry, body: [body, ...more].join('\n\n') })
    store.ledger.record([{ type: 'message.appended', message: userMessage(text, 'runtime') }])
  }
}

/** Asks the hooks whether a command that a person typed may become the words behind it. */
async function expansionOf(
  { hooks = null }: AgentDeps,
  { skill: command_name, args: command_args }: SkillWish,
  signal: AbortSignal,
): Promise<{ readonly blocked: string | null; readonly context?: readonly string[] }> {
  if (hooks?.has('UserPromptExpansion') !== true) return { blocked: null }
  const prompt = `/${command_name} ${command_args}`.trimEnd()
  const fields = { expansion_type: 'slash_command', command_name, command_args, command_source: 'skill', prompt }
  const { blocks, stops, reason, context } = await hooks.fire(
    { event: 'UserPromptExpansion', value: command_name, fields },
    signal,
  )
  return { blocked: blocks ? reason : stops, context }
}
