import type { Hook, HookAnswer, HookEvent } from '../../protocol/hooks/hook.ts'
import { coversValue } from '../../rules/hooks/hook-events.ts'
import { silent, together } from '../../rules/hooks/hook-answer.ts'
import { hookText } from '../../rules/hooks/read-hooks.ts'
import type { HookMoment, HookPlace } from './hook-place.ts'
import { runHook } from './run-hook.ts'

/*
 * Runs the hooks of one event, all at once, and joins what they say.
 * Owns: which hooks an event concerns, and which of them are waited for. Never: decides what follows from an answer.
 * 1. Equal hooks run once; nothing is started for those that an event does not concern.
 * 2. When the promise settles nothing of a hook that was waited for is left; the others end by `close` at the latest.
 */

/** Hooks as one agent fires them. */
export interface AgentHooks {
  /** The agent works for a coordinator: its events are those of a subagent. */
  readonly worker: boolean
  /** Some hook wants to hear of this event. */
  has(event: HookEvent): boolean
  fire(moment: HookMoment, signal: AbortSignal): Promise<HookAnswer>
  /** Ends the hooks that nobody waits for. */
  close(): void
}

/** `openHooks(place)`: the hooks of one agent. */
export function openHooks(place: HookPlace): AgentHooks {
  const ran = new Set<string>()
  const leave = new AbortController()
  return {
    worker: place.worker,
    has: (event) => place.hooks().some((hook) => hook.event === event),
    async fire(moment, signal) {
      const due = concerned(place.hooks(), moment).filter((hook) => hook.spec.once !== true || !ran.has(hookText(hook)))
      if (due.length === 0) return silent
      for (const hook of due) ran.add(hookText(hook))
      const answers = await Promise.all(due.map((hook) => start(hook, { place, moment, signal, leave: leave.signal })))
      const answer = together(answers)
      for (const message of answer.notices) place.note({ type: 'warning.raised', code: 'hook', message })
      return answer
    },
    close: () => leave.abort(),
  }
}

/** The hooks that an event concerns; those that say the same run once. */
function concerned(hooks: readonly Hook[], { event, value, meets }: HookMoment): readonly Hook[] {
  const found = new Map<unknown, Hook>()
  for (const hook of hooks) {
    const { spec, matcher } = hook
    if (hook.event !== event || !coversValue(event, matcher, value)) continue
    if (spec.if !== undefined && meets?.(spec.if) !== true) continue
    const same = spec.type === 'function' ? spec.run : JSON.stringify([spec, hook.root])
    if (!found.has(same)) found.set(same, hook)
  }
  return [...found.values()]
}

interface Starting {
  readonly place: HookPlace
  readonly moment: HookMoment
  readonly signal: AbortSignal
  /** Aborted when the agent leaves. */
  readonly leave: AbortSignal
}

async function start(hook: Hook, { place, moment, signal, leave }: Starting): Promise<HookAnswer> {
  const { spec } = hook
  const rewakes = spec.type === 'command' && spec.asyncRewake === true
  const later = (answering: Promise<HookAnswer>): HookAnswer => {
    // An agent that is gone by then keeps no record of it.
    void answering.then(({ blocks, reason }) => rewakes && blocks && place.rewake?.(reason)).catch(() => undefined)
    return silent
  }
  if (spec.async === true || rewakes) return later(runHook(hook, { place, moment, signal: leave }))
  const detached = Promise.withResolvers<HookAnswer>()
  const stop = new AbortController()
  const follow = (): void => stop.abort(signal.reason)
  signal.addEventListener('abort', follow, { once: true })
  if (signal.aborted) follow()
  const answering = runHook(hook, {
    place,
    moment,
    signal: AbortSignal.any([stop.signal, leave]),
    detach() {
      signal.removeEventListener('abort', follow)
      detached.resolve(later(answering))
    },
  })
  try {
    return await Promise.race([answering, detached.promise])
  } finally {
    signal.removeEventListener('abort', follow)
  }
}
