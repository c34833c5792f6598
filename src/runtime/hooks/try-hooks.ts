import { basename } from 'node:path'
import { resolveReal } from '../../adapters/fs/resolve-real.ts'
import type { FactOf } from '../../protocol/facts/fact.ts'
import { hookEvents, type Hook, type HookAnswer, type HookEvent } from '../../protocol/hooks/hook.ts'
import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import { eventTraits } from '../../rules/hooks/hook-events.ts'
import { meetsCondition } from '../../rules/hooks/hook-condition.ts'
import { hookLabel } from '../../rules/hooks/read-hooks.ts'
import { analyse } from '../../rules/permissions/analyse.ts'
import { followPaths } from '../../rules/permissions/followed-paths.ts'
import { didYouMean } from '../../rules/tools/did-you-mean.ts'
import { openHooks } from './hook-engine.ts'
import type { HooksHere } from './hooks-here.ts'
import { keysOf } from './run-hooks.ts'
import type { Settings } from '../../protocol/permissions/settings.ts'

/** One hook in a list: what it is, where it stands, whether it can ever run. */
export interface ListedHook {
  readonly event: HookEvent
  readonly matcher: string
  readonly kind: Hook['spec']['type']
  readonly what: string
  readonly source: Hook['source']
  readonly at: string
  /** `runs`, or why it does not. */
  readonly state: string
}

/** Every hook in force, every one that nobody trusts yet, and the mistakes in the files that hold them. */
export function listHooks(
  { hooks, waiting }: HooksHere,
  problems: Settings['problems'],
): {
  readonly hooks: readonly ListedHook[]
  readonly untrusted: HooksHere['waiting']
  readonly problems: readonly Diagnostic[]
} {
  return {
    hooks: hooks.map(listed),
    untrusted: waiting,
    problems: problems.filter(({ code }) => code === 'hook_unusable'),
  }
}

function listed(hook: Hook): ListedHook {
  const { event, matcher, spec, source, at, refused } = hook
  const state = eventTraits[event].moment === null ? 'never fires' : (refused ?? 'runs')
  return { event, matcher: matcher ?? '*', kind: spec.type, what: hookLabel(hook), source, at, state }
}

/** Where hooks are tried. */
export interface TryPlace {
  readonly cwd: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => number
}

export interface Tried {
  readonly answer: HookAnswer
  readonly runs: readonly FactOf<'hook.ran'>[]
  /** The words of hooks that a run does not wait for. */
  readonly later: readonly string[]
}

/**
 * Runs the hooks of an event as a run would, with the given fields, and says what they answered. Nothing follows from it.
 *
 * @throws Error for a name that is no event
 * @example await tryHooks({ hooks, providers }, place, { event: 'PreToolUse', fields: { tool_name: 'Bash', tool_input: { command: 'ls' } } })
 */
export async function tryHooks(
  settings: Pick<Settings, 'hooks' | 'providers'>,
  place: TryPlace,
  { event: name, fields }: { readonly event: string; readonly fields: Readonly<Record<string, unknown>> },
): Promise<Tried> {
  const event = hookEvents.find((known) => known === name)
  if (event === undefined) {
    const guess = didYouMean(name, hookEvents)
    throw new Error(`there is no event "${name}"${guess === undefined ? '' : `; did you mean "${guess}"?`}`)
  }
  const { cwd, home, env, now } = place
  const runs: FactOf<'hook.ran'>[] = []
  const woken: string[] = []
  const hooks = openHooks({
    hooks: () => settings.hooks,
    worker: false,
    cwd,
    project: cwd,
    env,
    credentials: keysOf([settings.providers]),
    marks: {},
    common: () => ({ session_id: 'test', transcript_path: '', cwd, permission_mode: 'default' }),
    now,
    mint: () => 'test',
    note: (fact) => void (fact.type === 'hook.ran' && runs.push(fact)),
    rewake: (text) => void woken.push(text),
  })
  const { tool_name: tool, tool_input: input } = fields
  const value = valueOf(event, fields)
  const request = { tool: typeof tool === 'string' ? tool : '', input, cwd, home }
  const meets = (rule: string): boolean =>
    meetsCondition(rule, followPaths(analyse(request), resolveReal), { cwd, home, root: cwd })
  const about = typeof tool === 'string' ? { meets } : {}
  const answer = await hooks.fire({ event, value, fields, ...about }, new AbortController().signal)
  await hooks.settled()
  hooks.close()
  return { answer, runs, later: [...hooks.late(), ...woken] }
}

/** The value that matchers are compared with. */
function valueOf(event: HookEvent, fields: Readonly<Record<string, unknown>>): string {
  const value = fields[eventTraits[event].field ?? '']
  if (typeof value !== 'string') return ''
  return event === 'FileChanged' ? basename(value) : value
}
