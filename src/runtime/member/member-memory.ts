import type { Conversation } from '../../rules/conversation/context-window.ts'
import type { Model } from '../../protocol/models/model.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import type { RunContext } from '../context/run-context.ts'
import { isTrusted } from '../../rules/settings/settings-trust.ts'
import { openAgentMemory, type AgentMemory } from '../memory/agent-memory.ts'

/** The memories of a member: those of the project in which its run was begun, also where it works in a worktree; or null. */
export function memberMemory(
  { context, card }: { readonly context: RunContext; readonly card: MemberCard },
  conversation: Conversation,
): AgentMemory | null {
  const { cwd, home, run, clock, trusted, nesting } = context
  if (card.memory === undefined) return null
  const trusts = (text: string): boolean => isTrusted(trusted(), text)
  const own = { plan: card.memory, member: card.name, run: run.id, depth: nesting.depth }
  return openAgentMemory({ ...own, cwd, home, clock, trusts, conversation })
}

/** The model that extracts the memories of a member, where it has one of its own. */
export function extractingModel({ models }: Pick<RunContext, 'models'>, { memory }: MemberCard): Model | undefined {
  return memory?.extract?.model === undefined ? undefined : models.get(memory.extract.model)
}
