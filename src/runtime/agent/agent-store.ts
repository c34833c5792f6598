import { applyAdvice, noAdvice, type AdviceCount } from '../../projections/member/advice-count.ts'
import { applyCallCounts, forgetCalls, type CallCounts } from '../../projections/member/call-counts.ts'
import { applyDenials, emptyDenials, type DenialCount } from '../../projections/member/denials.ts'
import { applyLoadedTools, type LoadedTools } from '../../projections/member/loaded-tools.ts'
import { applyPause, noPause, type Pause } from '../../projections/member/pause.ts'
import { applyPlanning, emptyPlanning, type Planning } from '../../projections/member/plan-state.ts'
import { applySeenFiles, type SeenFiles } from '../../projections/member/seen-files.ts'
import type { Entry } from '../../protocol/facts/entry.ts'
import { appendEntry, emptyConversation, type Conversation } from '../../rules/conversation/context-window.ts'
import { openLedger, type Ledger, type LedgerOptions } from '../journals/ledger.ts'

/** The state of one agent, a member's or a lone one: its ledger with the folds over it. */
export interface AgentStore {
  readonly ledger: Ledger
  readonly conversation: Conversation
  /** A limit that the agent waits for. */
  readonly pause: Pause
  /** Refusals of the agent's classifier. */
  readonly denials: DenialCount
  /** Questions to the agent's advisor. */
  readonly advice: AdviceCount
  /** Whether the agent plans or carries out. */
  readonly planning: Planning
  /** Calls of each tool. */
  readonly calls: CallCounts
  /** Files as the agent last saw or left them. */
  readonly seen: SeenFiles
  /** Deferred tools that the agent looked up. */
  readonly loaded: LoadedTools
  /** Values that tools keep from one call to the next. */
  readonly memory: Map<string, unknown>
}

export interface AgentStoreOptions extends LedgerOptions {
  /** Calls and questions are counted for a whole life of the journal, or anew from each run to the next. */
  readonly counts: 'life' | 'run'
}

/** The folds hear the lines of all lives: those of `earlier` at once, new ones as they are written. */
export function openAgentStore({ folds, counts, ...journal }: AgentStoreOptions): AgentStore {
  const calls: CallCounts = {}
  const seen: SeenFiles = new Map()
  const loaded: LoadedTools = new Set()
  const state = {
    conversation: emptyConversation(),
    pause: noPause(),
    denials: emptyDenials(),
    advice: noAdvice(),
    planning: emptyPlanning(),
    calls,
    seen,
    loaded,
  }
  const fold = (entry: Entry): void => {
    appendEntry(state.conversation, entry)
    applyPause(state.pause, entry)
    applyDenials(state.denials, entry)
    applyAdvice(state.advice, entry)
    applyPlanning(state.planning, entry)
    applyCallCounts(calls, entry)
    applySeenFiles(seen, entry)
    applyLoadedTools(loaded, entry)
    if (counts === 'run' && entry.type === 'agent.ended') {
      forgetCalls(calls)
      state.advice.used = 0
    }
  }
  return { ...state, ledger: openLedger({ ...journal, folds: [fold, ...folds] }), memory: new Map() }
}
