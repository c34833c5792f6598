import { runCommandHook, type HookRan, type HookRun } from '../../adapters/hooks/command-hook.ts'
import { hookEnv } from '../../adapters/hooks/hook-env.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { Hook, HookAnswer, HookEvent, HookOutcome } from '../../protocol/hooks/hook.ts'
import { coversValue, eventTraits } from '../../rules/hooks/hook-events.ts'
import { silent, together, understand } from '../../rules/hooks/hook-answer.ts'
import { hookLabel, hookText, isRunnable } from '../../rules/hooks/read-hooks.ts'
import { elapsed } from '../actors/clock.ts'
import { postHook } from './hook-web.ts'

/*
 * Runs the hooks of one event, all at once, and joins what they say.
 * Owns: which hooks an event concerns, their time, and that a broken one stays alone.
 * Never: decides what follows from an answer. 1. A hook that fails has no opinion and is told of; one that must not fail
 * open says no instead. 2. When the promise settles nothing of a hook that was waited for is left.
 */

/** One event at one moment. */
export interface HookMoment {
  readonly event: HookEvent
  /** The value that matchers are compared with. */
  readonly value: string
  /** The fields of this event, beside those that every event has. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly call_id?: string
  /** Whether a rule in `if` speaks of the call; absent where there is none. */
  readonly meets?: (rule: string) => boolean
}

/** Hooks as one agent fires them. */
export interface AgentHooks {
  /** The agent works for a coordinator: its events are those of a subagent. */
  readonly worker: boolean
  /** Some hook wants to hear of this event. */
  has(event: HookEvent): boolean
  fire(moment: HookMoment, signal: AbortSignal): Promise<HookAnswer>
}

/** The agent that hooks are run for. */
export interface HookPlace {
  readonly hooks: readonly Hook[]
  readonly worker: boolean
  readonly cwd: string
  /** The directory of the project, whatever tree the agent works in. */
  readonly project: string
  /** The whole environment of the run. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Variables that hold keys of models. */
  readonly credentials: ReadonlySet<string>
  /** Variables for the hook's program beside those of the run. */
  readonly marks: Readonly<Record<string, string>>
  /** The fields that every event has. */
  readonly common: () => Readonly<Record<string, unknown>>
  readonly now: () => number
  readonly note: (fact: Fact) => void
  /** Tells the agent what a hook found out after it was no longer waited for. */
  readonly rewake?: (text: string) => void
}

const seconds = 1_000

/**
 * Opens the hooks of one agent; null where there are none, so that a run without hooks pays nothing.
 *
 * @example const hooks = openHooks(place); if (hooks?.has('Stop')) await hooks.fire({ event: 'Stop', … }, signal)
 */
export function openHooks(place: HookPlace): AgentHooks | null {
  if (place.hooks.length === 0) return null
  const ran = new Set<string>()
  return {
    worker: place.worker,
    has: (event) => place.hooks.some((hook) => hook.event === event),
    async fire(moment, signal) {
      const due = concerned(place.hooks, moment).filter((hook) => hook.spec.once !== true || !ran.has(hookText(hook)))
      for (const hook of due) ran.add(hookText(hook))
      const answers = await Promise.all(due.map((hook) => runOne(hook, { place, moment, signal })))
      const answer = together(answers)
      for (const message of answer.notices) place.note({ type: 'warning.raised', code: 'hook', message })
      return answer
    },
  }
}

/** The hooks that an event concerns; those that say the same run once. Nothing is started for the others. */
function concerned(hooks: readonly Hook[], { event, value, meets }: HookMoment): readonly Hook[] {
  const found = new Map<string, Hook>()
  for (const hook of hooks) {
    const { spec, matcher } = hook
    if (hook.event !== event || !coversValue(event, matcher, value)) continue
    if (spec.if !== undefined && meets?.(spec.if) !== true) continue
    const same = JSON.stringify(spec)
    if (!found.has(same)) found.set(same, hook)
  }
  return [...found.values()]
}

interface Running {
  readonly place: HookPlace
  readonly moment: HookMoment
  readonly signal: AbortSignal
}

async function runOne(hook: Hook, running: Running): Promise<HookAnswer> {
  const { spec } = hook
  if (spec.type !== 'command' || (spec.async !== true && spec.asyncRewake !== true)) return waited(hook, running)
  void later(hook, { ...running, signal: new AbortController().signal })
  return silent
}

/** A hook that is not waited for may outlive the moment, within its own time. */
async function later(hook: Hook, running: Running): Promise<void> {
  const { reason } = await waited(hook, running)
  const wakes = hook.spec.type === 'command' && hook.spec.asyncRewake === true
  if (wakes && reason !== '') running.place.rewake?.(reason)
}

async function waited(hook: Hook, { place, moment, signal }: Running): Promise<HookAnswer> {
  const started = place.now()
  const ran = await start(hook, { place, moment, signal }).catch((error: unknown) => brokenBy(error))
  const read = 'ending' in ran ? understand(hook.event, ran.ending) : { answer: silent, failed: ran.failed }
  const answer = read.failed === null ? read.answer : failed(hook, read.failed)
  const outcome = outcomeOf(ran, { failed: read.failed, answer })
  const message = read.failed ?? (answer.blocks ? answer.reason : undefined)
  place.note({
    type: 'hook.ran',
    event: hook.event,
    hook: hookLabel(hook),
    source: hook.source,
    outcome,
    duration_ms: elapsed(started, place.now()),
    ...(moment.call_id === undefined ? {} : { call_id: moment.call_id }),
    ...(message === undefined || message === '' ? {} : { message: message.slice(0, 500) }),
  })
  return answer
}

function brokenBy(error: unknown): HookRan {
  return { failed: String(error), cancelled: false }
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
  const closed = (spec.on_failure ?? (source === 'policy' ? 'deny' : 'open')) === 'deny'
  if (!closed) return silent
  const reason = `a hook that has to answer failed: ${why}`
  if (event === 'PermissionRequest') {
    return { ...silent, permission: { behavior: 'deny', message: reason, interrupt: false } }
  }
  return eventTraits[event].blockable ? { ...silent, decision: 'deny', reason, blocks: true } : silent
}

async function start({ spec, event }: Hook, { place, moment, signal }: Running): Promise<HookRan> {
  if (!isRunnable(spec)) return { failed: `hooks of the kind ${spec.type} are not run here`, cancelled: false }
  const run: HookRun = {
    input: JSON.stringify({ ...place.common(), hook_event_name: event, ...moment.fields }),
    cwd: place.cwd,
    env: { ...hookEnv(place.env, place.credentials), ...place.marks, CLAUDE_PROJECT_DIR: place.project },
    timeoutMs: (spec.timeout ?? eventTraits[event].timeout ?? 600) * seconds,
    signal,
  }
  if (spec.type === 'command') return runCommandHook(spec, run)
  if (spec.type !== 'http') throw new Error(`no runner for ${spec.type}`)
  const { runHttpHook } = await import('../../adapters/hooks/http-hook.ts')
  return runHttpHook(spec, run, { post: await postHook(), variables: place.env })
}
