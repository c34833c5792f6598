import { projectFolders } from '../../adapters/settings/settings-places.ts'
import { memberSections } from '../../rules/prompt/member-sections.ts'
import type { MemberMcp } from '../mcp/member-mcp.ts'
import { contextSections } from '../prompt/context-sections.ts'
import { touchedInstructions } from '../prompt/touched-instructions.ts'
import type { AgentHooks } from '../hooks/hook-engine.ts'
import { tellInstructions } from '../hooks/instruction-hooks.ts'
import { openPrompt, type AgentPrompt } from '../prompt/open-prompt.ts'
import type { AgentDeps } from '../agent/agent-deps.ts'
import { callsFor } from '../agent/begin-call.ts'
import { openAgentSkills, type AgentSkills } from '../skills/agent-skills.ts'
import { usesSkills } from '../skills/skills-of.ts'
import type { StartMemberOptions } from './member-deps.ts'
import { memberMemory } from './member-memory.ts'
import type { MemberStore } from './member-store.ts'

/** Opens the prompt of a member: its sections by its card, its context by the place where it works. */
export function memberPrompt(
  { context, card }: Pick<StartMemberOptions, 'context' | 'card'>,
  { conversation, ledger }: Pick<MemberStore, 'conversation' | 'ledger'>,
  { mcp, skills }: { readonly mcp: MemberMcp | null; readonly skills: AgentSkills | null },
): AgentPrompt {
  const { team, home, clock, workplace } = context
  const { cwd } = workplace(card)
  const memory = memberMemory({ context, card }, conversation)
  const volatile = () =>
    contextSections({
      cwd,
      home,
      folders: projectFolders(cwd, home),
      now: clock.now(),
      memory: memory?.section() ?? '',
      servers: mcp?.foreign().instructions ?? '',
      skills: skills?.sections(),
    })
  return openPrompt({ cached: memberSections(team, card), volatile, note: (fact) => ledger.record([fact]) })
}

/** Opens the way to a member's skills; null for one that has none. */
export function memberSkills(
  { context, card }: Pick<StartMemberOptions, 'context' | 'card'>,
  store: MemberStore,
  deps: () => AgentDeps,
): AgentSkills | null {
  const { skills, home, workplace, run, clock } = context
  if (skills === null || !usesSkills(card)) return null
  const agent = { card, cwd: workplace(card).cwd, home, session: run.id }
  return openAgentSkills({ skills, agent, store }, callsFor(store, clock, deps))
}

/** Tells a member the instructions for files that its latest calls touched. */
export function memberInstructions(
  { context: { home, workplace }, card }: Pick<StartMemberOptions, 'context' | 'card'>,
  { conversation, ledger }: Pick<MemberStore, 'conversation' | 'ledger'>,
  hooks: AgentHooks | null,
): () => void {
  const { cwd } = workplace(card)
  return touchedInstructions({
    folders: projectFolders(cwd, home),
    home,
    cwd,
    messages: () => conversation.messages,
    note: (fact) => ledger.record([fact]),
    ...(hooks !== null && {
      loaded: (files, trigger) => void tellInstructions(hooks, files, { home, reason: 'touched', trigger }),
    }),
  })
}
