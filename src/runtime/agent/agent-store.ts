import { applyStory, emptyStory, forgetCounts, type AgentStory } from '../../projections/member/agent-story.ts'
import type { Entry } from '../../protocol/facts/entry.ts'
import { appendEntry, emptyConversation, type Conversation } from '../../rules/conversation/context-window.ts'
import { openLedger, type Ledger, type LedgerOptions } from '../journals/ledger.ts'

/** The state of one agent, a member's or a lone one: its ledger with the folds over it. */
export interface AgentStore extends AgentStory {
  readonly ledger: Ledger
  readonly conversation: Conversation
  /** Values that tools keep from one call to the next. */
  readonly memory: Map<string, unknown>
}

export interface AgentStoreOptions extends LedgerOptions {
  /** Calls and questions are counted for a whole life of the journal, or anew from each run to the next. */
  readonly counts: 'life' | 'run'
}

/** The folds hear the lines of all lives: those of `earlier` at once, new ones as they are written. */
export function openAgentStore({ folds, counts, ...journal }: AgentStoreOptions): AgentStore {
  const story = emptyStory()
  const conversation = emptyConversation()
  const fold = (entry: Entry): void => {
    appendEntry(conversation, entry)
    applyStory(story, entry)
    if (counts === 'run' && entry.type === 'agent.ended') forgetCounts(story)
  }
  return { ...story, conversation, ledger: openLedger({ ...journal, folds: [fold, ...folds] }), memory: new Map() }
}
