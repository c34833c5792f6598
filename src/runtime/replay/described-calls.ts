import { describeCall } from '../../adapters/tools/describe-call.ts'
import { builtinTools } from '../../adapters/tools/registry.ts'
import { textOf, type ToolResult, type ToolUseBlock } from '../../protocol/conversation/message.ts'
import type { Entry } from '../../protocol/facts/entry.ts'
import type { Decision } from '../../protocol/permissions/permission.ts'
import type { CallDescription } from '../../protocol/tools/tool.ts'
import type { Tape } from './tape.ts'

/*
 * The calls of a recorded answer as their tools had described them: a built-in tool describes its call again, and the facts
 * of a call show what no tool can say any more (whether it was refused, permitted at once, held by a limit).
 */

const describeBuiltin = describeCall(new Map(builtinTools.map((tool) => [tool.name, tool])))

/** @param hooked hooks look at a call before it is permitted */
export function describedCalls(blocks: readonly ToolUseBlock[], tape: Tape, hooked: boolean): CallDescription[] {
  const facts = blocks.map(({ id }) => tape.ofCall(id).filter(({ type }) => type !== 'call.coerced'))
  const results = tape.results() ?? []
  const shared = blocks.map((_, index) => overlap(facts[index - 1], facts[index]))
  const calls = blocks.map((block, index) => {
    const call = described(block, tape, results[index])
    return { ...call, safe: call.safe || shared[index] === true || shared[index + 1] === true }
  })
  return hooked ? calls : permittedAtOnce(calls, tape)
}

/** The later call had begun before the earlier one ended: they ran in one batch. */
function overlap(earlier: readonly Entry[] = [], later: readonly Entry[] = []): boolean {
  const [end, begin] = [earlier.find(({ type }) => type === 'call.finished'), later[0]]
  return begin !== undefined && (end === undefined || begin.seq < end.seq)
}

function described(block: ToolUseBlock, tape: Tape, result: ToolResult | undefined): CallDescription {
  const { id, name: tool, input } = block
  const facts = tape.ofCall(id)
  const coerced = facts.find((fact) => fact.type === 'call.coerced')
  const first = facts.find(({ type }) => type !== 'call.coerced')
  const text = result === undefined ? '' : textOf(result)
  const refused = first?.type === 'call.refused' ? first : undefined
  const refusal = refused && !later.has(refused.why) ? refused.reason : null
  const turnedBack = facts.find((fact) => fact.type === 'call.refused' && fact.why === 'deferred')
  const known = describeBuiltin(block)
  const changed = tape.find('files.changed')?.call_id === id
  const changes = known.refusal === null ? known.changes === true : changed
  return {
    id,
    tool,
    input,
    refusal,
    ...(refusal === null || refused === undefined ? {} : { refusedFor: refused.why }),
    ...(coerced?.type === 'call.coerced' ? { coerced: coerced.changes } : {}),
    safe: refusal === null && known.safe,
    readOnly: known.readOnly,
    ...(changes ? { changes } : {}),
    interrupt: stoppedByMessage.test(text) ? 'cancel' : known.interrupt,
    checked: refused?.why === 'meaning' || (refusal === null && known.checked),
    ...(isGated(facts, text) ? { gated: true } : {}),
    ...(turnedBack?.type === 'call.refused' ? { deferred: { why: turnedBack.reason, denied: false } } : {}),
  }
}

/** Refusals of phases that come after the call was described. */
const later: ReadonlySet<string> = new Set(['meaning', 'hook', 'middleware', 'deferred'])

export const stoppedByMessage = /^Stopped: a new message arrived (while it ran|before it ran again)\.$/

/** A limit or an equal call was looked at before the call ran. */
function isGated(facts: ReturnType<Tape['ofCall']>, text: string): boolean {
  const permitted = facts.find((fact) => fact.type === 'permission.decided' && fact.decision.behavior === 'allow')
  const started = facts.find(({ type }) => type === 'call.started')
  if (facts.some(({ type }) => type === 'call.limited' || type === 'call.reused')) return true
  // A call that was given up before its start, though it was permitted, waited there.
  if (started === undefined) return permitted !== undefined || text.startsWith('Blocked: ')
  // A step that permits and starts states both at once.
  return permitted !== undefined && started.seq !== permitted.seq + 1
}

/** The calls at the front that the rules allowed as they were described: each states that in the step that told of it. */
function permittedAtOnce(calls: readonly CallDescription[], tape: Tape): CallDescription[] {
  const settled = tape.find('model.settled')
  let seq = (settled?.seq ?? 0) + 1 + calls.filter(({ coerced }) => coerced !== undefined).length
  let isDirect = true
  return calls.map((call) => {
    const [decided, started] = tape.ofCall(call.id).filter(({ type }) => type !== 'call.coerced')
    const decision = decided?.seq === seq && !call.checked ? ruledOn(decided) : null
    isDirect &&= decision !== null
    if (!isDirect || decision === null) return call
    seq += started?.type === 'call.started' && started.seq === seq + 1 ? 2 : 1
    return { ...call, allowed: decision }
  })
}

/** The permission that rules gave without asking anybody; null for any other fact. */
function ruledOn(entry: Entry): Decision | null {
  const isRuled = entry.type === 'permission.decided' && entry.asked === undefined && entry.request === undefined
  return isRuled && entry.decision.behavior === 'allow' ? entry.decision : null
}
