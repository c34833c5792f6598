import { userMessage } from '../../protocol/conversation/message.ts'
import type { CompactInput, CompactOutput } from '../../protocol/port.ts'
import { compactionText, planCompaction } from '../../rules/conversation/compaction.ts'
import { logOf } from '../../rules/conversation/context-window.ts'
import type { AgentDeps } from './agent-deps.ts'

/** Leaves messages out of the conversation as `planCompaction` says, and tells the model; the journal keeps all of them. */
export function makeRoom(deps: AgentDeps, { trigger }: CompactInput): CompactOutput {
  const { conversation } = deps
  const plan = trigger === 'reactive' && conversation.shrunk ? null : planCompaction(logOf(conversation))
  if (plan === null) return { compacted: false }
  const { trimmed, dropped, before, after } = plan
  deps.note({ type: 'context.compacted', trigger, trimmed: [...trimmed], dropped: [...dropped], before, after })
  deps.note({ type: 'message.appended', message: userMessage(compactionText(plan), 'runtime') })
  return { compacted: true }
}
