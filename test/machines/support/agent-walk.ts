import { agentMachine } from '../../../machines/agent/agent.ts'
import type { AgentInput } from '../../../machines/agent/agent-state.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import type { AskOutput } from '../../../src/protocol/port.ts'
import type { CallOutcome } from '../../../src/protocol/tools/tool.ts'
import { agentInput, answers, intakes, outcome, verify } from './agent-samples.ts'
import { added, answer, begin, doneEvent, factsOf, stateName, take, type Effect, type Walk } from './walk.ts'

export type AgentWalk = Walk<typeof agentMachine>

export const everything = { hooked: true, verify } as const

export function started(input: Partial<AgentInput> = {}): AgentWalk {
  return begin(agentMachine, agentInput(input))
}

/** Through the inbox and the compactor, where they are on the way, up to the question. */
export function goAsk(walk: AgentWalk): AgentWalk {
  const ready = at(walk) === 'thinking.taking_in' ? answer(walk, 'intake', intakes.go) : walk
  return at(ready) === 'thinking.fitting' ? answer(ready, 'compact', { compacted: false }) : ready
}

export function asked(input: Partial<AgentInput> = {}): AgentWalk {
  return goAsk(started(input))
}

export function said(walk: AgentWalk, output: AskOutput): AgentWalk {
  return answer(walk, 'ask', output)
}

export function ends(walk: AgentWalk, child: string, end: CallOutcome): AgentWalk {
  return take(walk, doneEvent(child, end))
}

/** One turn with one call of `Read`, up to the next question or what comes before it. */
export function oneTurn(walk: AgentWalk, call: AskOutput = answers.call): AgentWalk {
  return ends(said(walk, call), '0', outcome('a', 'Read'))
}

export function parkedLead(): AgentWalk {
  const acting = said(asked(), answers.delegates)
  return answer(ends(acting, '0', outcome('d', 'Delegate')), 'intake', intakes.hold)
}

export function at(walk: AgentWalk): string {
  return stateName(walk.snapshot)
}

/** The facts that the steps between two moments stated. */
export function newFacts(before: AgentWalk, after: AgentWalk): readonly Fact[] {
  return factsOf(added(before, after))
}

export function starts(effects: readonly Effect[]): readonly (readonly [src: string, input: unknown])[] {
  return effects.flatMap((effect) => (effect.kind === 'start' ? [[effect.src, effect.input] as const] : []))
}

export function sends(effects: readonly Effect[]): readonly (readonly [to: string, event: unknown])[] {
  return effects.flatMap((effect) => (effect.kind === 'send' ? [[effect.to, effect.event] as const] : []))
}
