import type { AgentCommand, AgentInput } from '../../../machines/agent/agent-state.ts'
import { failure, type FailureCode } from '../../../src/protocol/conversation/failure.ts'
import {
  noUsage,
  userMessage,
  type AssistantMessage,
  type ToolUseBlock,
} from '../../../src/protocol/conversation/message.ts'
import type { AskOutput, IntakeOutput } from '../../../src/protocol/port.ts'
import type { CallDescription, CallOutcome } from '../../../src/protocol/tools/tool.ts'
import type { EscalationPlan, VerifyPlan } from '../../../src/protocol/team/work-card.ts'

export const prompt = userMessage('Find the bug.')

/** A stronger model to turn to. */
export const escalate: EscalationPlan = { model: 'scripted/c', after_errors: 2, on_loop: true }

/** A check that may fail twice. */
export const verify: VerifyPlan = { command: 'npm test', after_changes: true, attempts: 2, timeout_ms: 60_000 }

/** An agent that mail woke: it has no prompt. */
export const wokenInput: AgentInput = {
  agent: 'historian',
  model: 'scripted/a',
  limits: { max_turns: 3 },
  hooked: false,
}

export function agentInput(more: Partial<AgentInput> = {}): AgentInput {
  return { ...wokenInput, prompt, ...more }
}

export const intakes = {
  go: { received: 0, hold: false, answerable: true },
  mail: { received: 1, hold: false, answerable: true },
  hold: { received: 0, hold: true, answerable: true },
  nothing: { received: 0, hold: false, answerable: false },
  owes: { received: 0, hold: false, answerable: true, owes: true },
} as const satisfies Record<string, IntakeOutput>

export function use(id: string, name: string, input: unknown = {}): ToolUseBlock {
  return { type: 'tool_use', id, name, input }
}

export function description(id: string, tool: string, more: Partial<CallDescription> = {}): CallDescription {
  return {
    id,
    tool,
    input: {},
    refusal: null,
    safe: false,
    readOnly: false,
    interrupt: 'block',
    checked: false,
    ...more,
  }
}

export function assistant(more: Partial<AssistantMessage> = {}): AssistantMessage {
  return {
    role: 'assistant',
    model: 'scripted/a',
    content: [{ type: 'text', text: 'Here it is.' }],
    stop: 'end',
    usage: noUsage,
    ...more,
  }
}

export function settled(message: AssistantMessage, calls: readonly CallDescription[] = []): AskOutput {
  return { kind: 'settled', message, calls, cost_usd: 0.5, duration_ms: 7 }
}

/** An answer with calls: `calling(['a', 'Read'], ['b', 'Bash'])`; Read and Grep may run side by side. */
export function calling(...calls: readonly (readonly [id: string, tool: string])[]): AskOutput {
  const message = assistant({ content: calls.map(([id, tool]) => use(id, tool)), stop: 'tools' })
  const safe = (tool: string) => tool === 'Read' || tool === 'Grep'
  return settled(
    message,
    calls.map(([id, tool]) =>
      description(id, tool, { safe: safe(tool), ...(tool === 'Write' ? { changes: true } : {}) }),
    ),
  )
}

export const answers = {
  text: settled(assistant()),
  cut: settled(assistant({ stop: 'max_tokens' })),
  paused: settled(assistant({ stop: 'pause' })),
  calls: calling(['a', 'Read'], ['b', 'Grep'], ['c', 'Bash']),
  call: calling(['a', 'Read']),
  delegates: calling(['d', 'Delegate']),
  change: calling(['a', 'Write']),
  beyond: settled(assistant({ content: [{ type: 'text', text: 'STRONGER MODEL NEEDED: It needs a "proof".' }] })),
  clumsy: settled(assistant({ content: [use('a', 'Raed')], stop: 'tools' }), [
    description('a', 'Raed', { refusal: 'No such tool: Raed.', refusedFor: 'unknown' }),
  ]),
  overlong: failed('context_exceeded'),
  unpaid: failed('budget_exhausted'),
  broken: failed('server_error'),
  aborted: settled(assistant({ stop: 'aborted', content: [use('x', 'Read')] }), [description('x', 'Read')]),
  fallback: { kind: 'fallback', model: 'scripted/b', tombstones: ['historian-7'] },
  lastTurn: { kind: 'winding_down', notice: 'One turn is left.', ends: false },
  lastMoney: { kind: 'winding_down', notice: 'Report now.', ends: true },
} as const satisfies Record<string, AskOutput>

export function failed(code: FailureCode): AskOutput {
  return settled(assistant({ content: [], stop: 'error', failure: failure(code, `it was ${code}`) }))
}

export function outcome(id: string, tool: string, more: Partial<CallOutcome> = {}): CallOutcome {
  return {
    result: { call_id: id, tool, content: [{ type: 'text', text: `${id} done` }], is_error: false },
    stop: false,
    broke: false,
    ...more,
  }
}

export function errorOutcome(id: string, tool: string, more: Partial<CallOutcome> = {}): CallOutcome {
  const result = { call_id: id, tool, content: [{ type: 'text' as const, text: `${id} went wrong` }], is_error: true }
  return { result, stop: false, broke: false, ...more }
}

export const commands = {
  abort: { type: 'abort', at: 1 },
  wake: { type: 'wake', at: 1 },
  interrupt: { type: 'interrupt', at: 1 },
  steer: { type: 'steer', at: 1, message: userMessage('Look at the tests.') },
  follow_up: { type: 'follow_up', at: 1, message: userMessage('Now write it down.') },
} as const satisfies Record<AgentCommand['type'], AgentCommand>
