import type { HookEvent } from '../../protocol/hooks/hook.ts'
import type { CompactInput, CompactOutput, RunInput, RunOutput } from '../../protocol/port.ts'
import type { CallDescription } from '../../protocol/tools/tool.ts'
import type { AgentDeps } from './agent-deps.ts'
import type { AgentSession } from './agent-session.ts'
import { runHooked } from './agent-hooks.ts'
import { makeRoom, wishDone } from './make-room.ts'

/** The tools whose calls are events of the task board, too. */
const taskEvents: ReadonlyMap<string, HookEvent> = new Map([
  ['TaskCreate', 'TaskCreated'],
  ['TaskDone', 'TaskCompleted'],
])

/** Runs a call. A task that hooks object to is not created, or stays open, and its member is told why. */
export async function runWatched(session: AgentSession, input: RunInput, signal: AbortSignal): Promise<RunOutput> {
  const { hooks = null, member } = session.deps
  const event = taskEvents.get(input.call.tool)
  if (event === undefined || hooks?.has(event) !== true) return runHooked(session, input, signal)
  const fields = { ...taskFields(input.call), teammate_name: member }
  const answer = await hooks.fire({ event, value: '', fields, call_id: input.call.id }, signal)
  const why = answer.stops ?? (answer.blocks ? answer.reason : null)
  if (why === null) return runHooked(session, input, signal)
  const told = `Blocked by a hook: ${why}`
  return { output: { content: [{ type: 'text', text: told }], isError: true }, duration_ms: 0 }
}

function taskFields({ tool, input }: CallDescription): Readonly<Record<string, unknown>> {
  const said = typeof input === 'object' && input !== null ? new Map(Object.entries(input)) : new Map<string, unknown>()
  if (tool === 'TaskDone') return { task_id: text(said.get('id')), outcome: said.get('outcome') ?? 'done' }
  return { task_subject: text(said.get('subject')), task_description: text(said.get('description')) }
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Makes the conversation shorter, unless hooks object; they hear of it afterwards. */
export async function makeHookedRoom(
  deps: AgentDeps,
  input: CompactInput,
  signal: AbortSignal,
): Promise<CompactOutput> {
  const { hooks = null, conversation } = deps
  const trigger = (input.focus ?? conversation.wanted) === null ? 'auto' : 'manual'
  const fields = { trigger, custom_instructions: input.focus ?? conversation.wanted ?? '' }
  if (hooks?.has('PreCompact') === true) {
    const answer = await hooks.fire({ event: 'PreCompact', value: trigger, fields }, signal)
    if (answer.blocks || answer.stops !== null) {
      wishDone(deps)
      return { compacted: false }
    }
  }
  const made = await makeRoom(deps, input, signal)
  if (made.compacted) await hooks?.fire({ event: 'PostCompact', value: trigger, fields: { trigger } }, signal)
  return made
}
