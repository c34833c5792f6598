import { existsSync } from 'node:fs'
import { markVariable } from '../../adapters/process/end-process.ts'
import { runCommandHook, type HookRan, type HookRun } from '../../adapters/hooks/command-hook.ts'
import { hookEnv } from '../../adapters/hooks/hook-env.ts'
import { runFunctionHook } from '../../adapters/hooks/function-hook.ts'
import type { Hook, HookAnswer, HookInput, HookOutcome } from '../../protocol/hooks/hook.ts'
import { maxContext, preview, silent, understand } from '../../rules/hooks/hook-answer.ts'
import { eventTraits, timeoutOf } from '../../rules/hooks/hook-events.ts'
import { hookLabel } from '../../rules/hooks/read-hooks.ts'
import { elapsed } from '../actors/clock.ts'
import type { HookMoment, HookPlace } from './hook-place.ts'
import { postHook } from './hook-web.ts'

/*
 * One run of one hook, whatever its kind.
 * Owns: its time, its environment, the fact about it, and that a broken one stays alone.
 * 1. A hook that fails has no opinion and is told of; one that must not fail open says no instead.
 */

export interface RunningHook {
  readonly place: HookPlace
  /** Carried by all that a program starts. */
  readonly mark: string
  readonly moment: HookMoment
  /** The event as a function sees it, and as programs and servers read it. */
  readonly input: HookInput
  readonly text: () => string
  readonly signal: AbortSignal
  /** Called when the hook itself says that nobody shall wait for it. */
  readonly detach?: () => void
}

/** Runs a hook to its end and makes an answer of that; it never rejects. */
export async function runHook(hook: Hook, running: RunningHook): Promise<HookAnswer> {
  const { place, moment } = running
  const started = place.now()
  if (hook.spec.statusMessage !== undefined) place.show?.(hook.spec.statusMessage, moment.call_id)
  const ran = await begin(hook, running).catch((error: unknown): HookRan => {
    return { failed: String(error), cancelled: false }
  })
  const read = 'ending' in ran ? understand(hook.event, ran.ending) : { answer: silent, failed: ran.failed }
  const answer = read.failed === null ? bounded(read.answer, place) : failed(hook, read.failed)
  const message = read.failed ?? (answer.blocks ? answer.reason : undefined)
  place.note({
    type: 'hook.ran',
    event: hook.event,
    hook: hookLabel(hook),
    source: hook.source,
    outcome: outcomeOf(ran, { failed: read.failed, answer }),
    duration_ms: elapsed(started, place.now()),
    ...(moment.call_id === undefined ? {} : { call_id: moment.call_id }),
    ...(answer.updatedInput === undefined ? {} : { updated_input: answer.updatedInput }),
    ...(message === undefined || message === '' ? {} : { message: message.slice(0, 500) }),
  })
  return answer
}

/** Long texts are put aside, and shown with their beginning. */
function bounded(answer: HookAnswer, { keep }: HookPlace): HookAnswer {
  const { context, notices, reason } = answer
  if ([...context, ...notices, reason].every(({ length }) => length <= maxContext)) return answer
  const short = (text: string): string => {
    if (text.length <= maxContext) return text
    const path = keep?.(text) ?? null
    const rest = path === null ? '' : `; the whole text is in ${path}`
    return `${text.slice(0, preview)}\n[… cut: the hook said ${text.length} characters${rest} …]`
  }
  return { ...answer, context: context.map(short), notices: notices.map(short), reason: short(reason) }
}

function outcomeOf(
  ran: HookRan,
  { failed: why, answer }: { readonly failed: string | null; readonly answer: HookAnswer },
): HookOutcome {
  if (why !== null) return 'cancelled' in ran && ran.cancelled ? 'cancelled' : 'error'
  return answer.blocks || answer.permission?.behavior === 'deny' ? 'blocking' : 'success'
}

/** A failure has no opinion; that of a hook of the managed policy, or of one that says so, is a denial. */
function failed({ spec, source, event }: Hook, why: string): HookAnswer {
  // A tree counts as made only where every hook says so.
  const closed = event === 'WorktreeCreate' || (spec.on_failure ?? (source === 'policy' ? 'deny' : 'open')) === 'deny'
  if (!closed) return silent
  const reason = `a hook that has to answer failed: ${why}`
  if (event === 'PermissionRequest') {
    return { ...silent, permission: { behavior: 'deny', message: reason, interrupt: false, proposals: [] } }
  }
  return eventTraits[event].blockable ? { ...silent, decision: 'deny', reason, blocks: true } : silent
}

async function begin(
  { spec, event, source, root }: Hook,
  { place, mark, input, text, signal, detach }: RunningHook,
): Promise<HookRan> {
  const folder = root === undefined ? {} : { [source === 'skill' ? 'CLAUDE_SKILL_DIR' : 'CLAUDE_PLUGIN_ROOT']: root }
  const run: HookRun = {
    input: spec.type === 'function' ? '' : text(),
    cwd: existsSync(place.cwd) ? place.cwd : place.project,
    env: {
      ...hookEnv(place.env, place.credentials),
      ...place.marks,
      [markVariable]: mark,
      CLAUDE_PROJECT_DIR: place.project,
      ...folder,
    },
    timeoutMs: timeoutOf(event, spec),
    signal,
    ...(detach === undefined ? {} : { detach }),
  }
  switch (spec.type) {
    case 'command':
      return runCommandHook(spec, run)
    case 'function':
      return runFunctionHook(spec, run, input)
    case 'http': {
      const { runHttpHook } = await import('../../adapters/hooks/http-hook.ts')
      return runHttpHook(spec, run, { post: await postHook(), variables: place.env })
    }
    case 'mcp_tool':
      return place.runners?.call(spec, run, input) ?? homeless
    default:
      return place.runners?.ask(spec, run, input) ?? homeless
  }
}

const homeless: HookRan = { failed: 'only an agent of a run can run a hook of this kind', cancelled: false }
