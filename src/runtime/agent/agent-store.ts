import { appendEntry, emptyConversation, type Conversation } from '../../rules/conversation/context-window.ts'
import { applyStory, emptyStory, forgetCounts, type AgentStory } from '../../projections/member/agent-story.ts'
import { applyChoices } from '../../projections/member/chosen.ts'
import { applyArranged } from '../../projections/member/arranged.ts'
import { applyExtraction } from '../../projections/member/extraction.ts'
import { applyLastWork, emptyLastWork, type LastWork } from '../../projections/member/last-work.ts'
import type { EntryFold } from '../../protocol/facts/entry.ts'
import { openLedger, type Ledger, type LedgerOptions } from '../journals/ledger.ts'

/** The state of one agent, a member's or a lone one: its ledger, and what its journal's fold made of all lives. */
export interface AgentStore extends AgentStory, AgentPast {
  readonly ledger: Ledger
  /** Values that tools keep from one call to the next. */
  readonly memory: Map<string, unknown>
}

/** The past of an agent, as its journal tells it. */
export interface AgentPast {
  /** How often it began from nothing: a model may give its calls the ids of an earlier conversation. */
  readonly renewals: number
  readonly story: AgentStory
  readonly conversation: Conversation
  readonly work: LastWork
}

function noPast(renewals = 0): AgentPast {
  return { renewals, story: emptyStory(), conversation: emptyConversation(), work: emptyLastWork() }
}

/** The choices of people hold for the next life of an agent, too, that knows of nothing else. */
function renewed({ renewals, story: { chosen } }: AgentPast): AgentPast {
  const past = noPast(renewals + 1)
  return { ...past, story: { ...past.story, chosen } }
}

/** The fold of an agent's journal; calls and questions are counted for a whole life of the journal, or anew from each run to the next. */
export function agentFold(counts: 'life' | 'run'): EntryFold<AgentPast> {
  return {
    version: `agent-10-${counts}`,
    empty: () => noPast(),
    apply(past, entry) {
      if (entry.type === 'member.renewed') Object.assign(past, renewed(past))
      const { story, conversation, work } = past
      appendEntry(conversation, entry)
      applyStory(story, entry)
      applyChoices(story.chosen, entry)
      applyArranged(story.arranged, entry)
      applyExtraction(story.extraction, entry)
      applyLastWork(work, entry)
      if (counts === 'run' && entry.type === 'agent.ended') forgetCounts(story)
    },
  }
}

export function openAgentStore({ past, ...ledger }: LedgerOptions & { readonly past: AgentPast }): AgentStore {
  return { ...past, ...past.story, ledger: openLedger(ledger), memory: new Map() }
}
