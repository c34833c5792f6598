import { killMarked, markVariable } from '../../adapters/process/end-process.ts'
import type { Hook, HookAnswer, HookEvent, HookInput } from '../../protocol/hooks/hook.ts'
import { coversValue } from '../../rules/hooks/hook-events.ts'
import { silent, together } from '../../rules/hooks/hook-answer.ts'
import { hookText } from '../../rules/hooks/read-hooks.ts'
import type { HookMoment, HookPlace } from './hook-place.ts'
import { runHook, type RunningHook } from './run-hook.ts'

/*
 * Runs the hooks of one event, all at once, and joins what they say.
 * Owns: which hooks an event concerns, and which of them are waited for. Never: decides what follows from an answer.
 * 1. Equal hooks run once; nothing is started for those that an event does not concern.
 * 2. When the promise settles nothing of a hook that was waited for is left; the others end by `close` at the latest. A
 *    denied permission settles at once, and what is still being asked about it is ended. What left the group of its program
 *    carries a mark, by which `close` finds it.
 */

/** The team around an agent, for the fields of its events. */
export interface TeamSight {
  readonly name: string
  /** The agent's own journal. */
  readonly transcript: string
  /** A task of the board. */
  task(id: number): { readonly subject: string; readonly description?: string | undefined } | undefined
}

/** Hooks as one agent fires them. */
export interface AgentHooks {
  /** The agent works for a coordinator: its events are those of a subagent. */
  readonly worker: boolean
  /** Absent for an agent outside of any team. */
  readonly team?: TeamSight
  /** A name for something that an event speaks of. */
  mint(): string
  /** Some hook wants to hear of this event. */
  has(event: HookEvent): boolean
  fire(moment: HookMoment, signal: AbortSignal): Promise<HookAnswer>
  /** Takes what hooks that were not waited for have said since, for the model. */
  late(): readonly string[]
  /** Resolves when the hooks that were not waited for have ended, too. */
  settled(): Promise<void>
  /** Ends the hooks that nobody waits for. */
  close(): void
}

/** `openHooks(place)`: the hooks of one agent. */
export function openHooks(place: HookPlace): AgentHooks {
  const ran = new Set<string>()
  const leave = new AbortController()
  let [mark, hasPrograms] = [place.marks[markVariable], false]
  const { hear, goes, late, settled } = openBeside()
  return {
    worker: place.worker,
    mint: place.mint,
    has: (event) => place.hooks().some((hook) => hook.event === event),
    async fire(moment, signal) {
      const due = concerned(place.hooks(), moment).filter((hook) => !isOnce(hook) || !ran.has(hookText(hook)))
      if (due.length === 0) return silent
      for (const hook of due.filter(isOnce)) ran.add(hookText(hook))
      hasPrograms ||= due.some(({ spec }) => spec.type === 'command')
      const input: HookInput = { ...place.common(), hook_event_name: moment.event, ...moment.fields }
      let said: string | undefined
      const text = (): string => (said ??= JSON.stringify(input))
      // An abort that nobody hears costs as much as the rest of this function.
      const decided = moment.event === 'PermissionRequest' ? new AbortController() : null
      const until = AbortSignal.any([signal, leave.signal, ...(decided === null ? [] : [decided.signal])])
      mark ??= `hooks-${place.mint()}`
      const starting = { place, mark, moment, input, text, signal: until, leave: leave.signal, hear, goes }
      const isAsked = ({ source }: Hook): boolean => moment.of?.(source) ?? true
      const asked = due.filter(isAsked).map((hook) => start(hook, starting))
      for (const hook of due.filter((each) => !isAsked(each)))
        goes(runHook(hook, { ...starting, signal: leave.signal }))
      const answers = await Promise.race([Promise.all(asked), firstDenial(asked)])
      decided?.abort()
      const answer = together(answers)
      for (const message of answer.notices) place.note({ type: 'warning.raised', code: 'hook', message })
      return answer
    },
    late,
    settled,
    close() {
      leave.abort()
      if (hasPrograms && mark !== undefined) killMarked(mark)
    },
  }
}

/** The hooks that nobody waits for, and the words that they said since. */
function openBeside() {
  const going = new Set<Promise<unknown>>()
  let heard: readonly string[] = []
  return {
    goes(answering: Promise<unknown>): void {
      going.add(answering)
      void answering.finally(() => going.delete(answering))
    },
    hear({ context, notices }: HookAnswer): void {
      heard = [...heard, ...context, ...notices]
    },
    late(): readonly string[] {
      const said = heard
      heard = []
      return said
    },
    async settled(): Promise<void> {
      while (going.size > 0) await Promise.all(going)
    },
  }
}

/** A denial of a permission counts at once: the other hooks are not waited for. */
function firstDenial(asked: readonly Promise<HookAnswer>[]): Promise<readonly HookAnswer[]> {
  return new Promise((resolve) => {
    for (const each of asked)
      void each.then((answer) => answer.permission?.behavior === 'deny' && resolve([answer])).catch(() => undefined)
  })
}

/** Settings files and cards cannot have a hook run once: there the word is passed over, as Claude Code does. */
const oftenAlone: ReadonlySet<Hook['source']> = new Set(['policy', 'user', 'project', 'local', 'member'])

function isOnce({ spec, source }: Hook): boolean {
  return spec.once === true && !oftenAlone.has(source)
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

interface Starting extends Pick<RunningHook, 'place' | 'mark' | 'moment' | 'input' | 'text' | 'signal'> {
  /** Aborted when the agent leaves. */
  readonly leave: AbortSignal
  /** Hears the answer of a hook that is not waited for. */
  readonly hear: (answer: HookAnswer) => void
  /** Keeps account of a hook that is not waited for. */
  readonly goes: (answering: Promise<unknown>) => void
}

async function start(hook: Hook, { signal, leave, hear, goes, ...running }: Starting): Promise<HookAnswer> {
  const [{ spec }, { place }] = [hook, running]
  const rewakes = spec.type === 'command' && spec.asyncRewake === true
  const later = (answering: Promise<HookAnswer>): HookAnswer => {
    // An agent that is gone by then keeps no record of it.
    goes(
      answering
        .then((answer) => (rewakes && answer.blocks ? place.rewake?.(answer.reason) : hear(answer)))
        .catch(() => undefined),
    )
    return silent
  }
  if (spec.async === true || rewakes) return later(runHook(hook, { ...running, signal: leave }))
  // Programs alone say that nobody shall wait for them.
  if (spec.type !== 'command') return runHook(hook, { ...running, signal })
  const detached = Promise.withResolvers<HookAnswer>()
  const stop = new AbortController()
  const follow = (): void => stop.abort(signal.reason)
  signal.addEventListener('abort', follow, { once: true })
  if (signal.aborted) follow()
  const answering = runHook(hook, {
    ...running,
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
