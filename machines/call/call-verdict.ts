import type { GateOutput, PreHooksOutput } from '../../src/protocol/port.ts'
import type { ToolOutput } from '../../src/protocol/tools/tool.ts'

/* The verdicts of hooks, middleware and gates on a call, in words and parts. */

/** Why a verdict blocks, in its own words. */
export function blockedFor(verdict: PreHooksOutput | GateOutput): string {
  return verdict.verdict === 'block' ? verdict.message : ''
}

/** The text to the model about a call that a hook or middleware refuses. */
export function blockedText(verdict: PreHooksOutput): string {
  const who = verdict.verdict === 'block' && verdict.by !== undefined ? `the middleware ${verdict.by}` : 'a hook'
  return `Blocked by ${who}: ${blockedFor(verdict)}`
}

/** The text to the model about a call that the gate holds back. */
export function gateText(answer: GateOutput): string {
  const held = answer.verdict === 'block' && answer.why !== undefined
  return held ? answer.message : `Blocked: ${blockedFor(answer)}`
}

/** The output of a verdict in the place of the tool's. */
export function givenBy(verdict: PreHooksOutput | GateOutput): ToolOutput {
  return verdict.verdict === 'answer' ? verdict.output : { content: [] }
}

/** `{ verdict: 'block', stop: true }`: the run of the agent ends with the call. */
export function endsRun(verdict: PreHooksOutput): boolean {
  return verdict.verdict === 'block' && verdict.stop === true
}
