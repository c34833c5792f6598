import { describeCall } from '../../adapters/tools/describe-call.ts'
import { complaint } from '../../adapters/tools/define/answer.ts'
import { runCall } from '../../adapters/tools/define/run-call.ts'
import type { GateOutput, RunInput, RunOutput } from '../../protocol/port.ts'
import type { CallDescription, Tool, ToolContext, ToolOutput } from '../../protocol/tools/tool.ts'
import type { SeenCall } from '../../protocol/middleware.ts'
import { closedFiles } from '../../rules/permissions/closed-files.ts'
import { toolPause } from '../../rules/tools/tool-retry.ts'
import { elapsed } from '../actors/clock.ts'
import { preparedRules } from '../settings/policy.ts'
import type { AgentSession } from './agent-session.ts'

/**
 * Checks the meaning of a call: a complaint, or null. An input that was changed after its shape was checked has its shape
 * checked again.
 */
export async function complaintOf(
  session: AgentSession,
  call: CallDescription,
  signal: AbortSignal,
): Promise<string | null> {
  const again = described(session, call)
  if (again.refusal !== null) return again.refusal
  return toolOf(session, call).check(again.input, contextOf(session, call.id, signal))
}

/** Whether a permitted call still runs. */
export async function gateCall(session: AgentSession, call: CallDescription, signal: AbortSignal): Promise<GateOutput> {
  if (call.deferred) return session.deps.book.turnBack(call)
  const use = { call: described(session, call), tool: toolOf(session, call) }
  return session.deps.book.admit(use, () => use.tool.stamp(use.call.input, contextOf(session, call.id, signal)))
}

/** One attempt of a call. The book hears of the first one, and of its end. */
export async function startCall(
  session: AgentSession,
  { call, attempt }: RunInput,
  signal: AbortSignal,
): Promise<RunOutput> {
  const { now } = session.deps
  const started = now()
  const use = { call: described(session, call), tool: toolOf(session, call) }
  const settle = attempt === 1 ? session.deps.book.started(use) : () => undefined
  let output: ToolOutput | null = null
  try {
    output = await outputOf(session, use, signal)
    const pause = output.transient === true && !signal.aborted ? toolPause(use.tool.retry, attempt) : null
    if (pause === null && !signal.aborted) output = await insteadOf(use, output, contextOf(session, call.id, signal))
    return { output, duration_ms: elapsed(started, now()), ...(pause === null ? {} : { again_ms: pause }) }
  } finally {
    settle(output)
  }
}

/** The way down of a call that broke off: the tool's fallback, then going on without it. */
async function insteadOf(
  { call, tool }: { readonly call: CallDescription; readonly tool: Tool },
  failed: ToolOutput,
  context: ToolContext,
): Promise<ToolOutput> {
  const { fallback, optional } = tool
  const isDown = ({ broke, transient }: ToolOutput): boolean => broke === true || transient === true
  if (!isDown(failed) || (fallback === undefined && optional !== true)) return failed
  const run: Tool['run'] = (input, within) => fallback?.(input, within, failed) ?? Promise.resolve(failed)
  const second = fallback === undefined ? failed : await runCall({ ...tool, run }, call.input, context)
  if (!isDown(second) || optional !== true) return second
  const [block] = second.content
  const why = block?.type === 'text' ? block.text : 'it broke off'
  return { content: [{ type: 'text', text: `[${tool.name} is not there: ${why} Go on without it.]` }] }
}

/** Makes a call through the middleware of the run. */
export async function callThrough(session: AgentSession, input: RunInput, signal: AbortSignal): Promise<RunOutput> {
  const { middleware = null, now, member: agent } = session.deps
  if (middleware === null) return startCall(session, input, signal)
  const started = now()
  const ran: RunOutput[] = []
  const run = async (): Promise<ToolOutput> => {
    const one = await startCall(session, input, signal)
    ran.push(one)
    return one.output
  }
  const output = await middleware.call(seenCall(session, input.call), run, { agent, signal })
  // The call of middleware that answers by itself is not made again.
  return { ...(output.transient === true ? ran.at(-1) : {}), output, duration_ms: elapsed(started, now()) }
}

/** A call as middleware sees it. */
export function seenCall({ deps }: AgentSession, { id, tool, input }: CallDescription): SeenCall {
  return { id, tool, input, counts: deps.book.counts() }
}

async function outputOf(
  session: AgentSession,
  { call, tool }: { readonly call: CallDescription; readonly tool: Tool },
  signal: AbortSignal,
): Promise<ToolOutput> {
  if (call.refusal !== null) return complaint(call.refusal)
  const context = contextOf(session, call.id, signal)
  // A person's change came after the check of meaning.
  const wrong = call.amended === true && call.checked ? await tool.check(call.input, context) : null
  if (wrong !== null) return complaint(`ValidationError: ${wrong}`)
  const run = (kept: ToolContext): Promise<ToolOutput> => runCall(tool, call.input, kept)
  const { changes } = session.deps
  return changes ? changes.around({ tool, input: call.input }, context, run) : run(context)
}

/** The call as it is to be run: one whose input was changed is described anew. */
function described({ turn }: AgentSession, call: CallDescription): CallDescription {
  if (call.amended !== true) return call
  const { id, tool: name, input } = call
  return { ...describeCall(turn.tools)({ type: 'tool_use', id, name, input }), amended: true }
}

function toolOf({ turn }: AgentSession, call: CallDescription): Tool {
  const tool = turn.tools.get(call.tool)
  if (!tool) throw new Error(`${call.tool} was described but is not a tool of this turn`)
  return tool
}

function contextOf({ deps, realPaths }: AgentSession, id: string, signal: AbortSignal): ToolContext {
  const known = realPaths.get(id)
  const policy = deps.policy()
  let isClosed: ReturnType<typeof closedFiles> | undefined
  // Only a search asks.
  const closed: ReturnType<typeof closedFiles> = (path, root) =>
    (isClosed ??= closedFiles(policy, preparedRules(policy), deps))(path, root)
  return { ...deps.toolContext(id, signal), closed, ...(known === undefined ? {} : { led: known }) }
}
