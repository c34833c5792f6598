import {
  hookEvents,
  hookSpecSchema,
  type FunctionHook,
  type Hook,
  type HookEvent,
  type HookSource,
  type HookSpec,
  type WrittenTable,
} from '../../protocol/hooks/hook.ts'
import { didYouMean } from '../tools/did-you-mean.ts'
import { parseRule } from '../permissions/rule.ts'
import { eventTraits, expressionOf } from './hook-events.ts'
import { isRecord } from '../../protocol/words/is-record.ts'

/** A part of a `hooks` setting that cannot be used, with its path in the file. */
export interface HookComplaint {
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly hint?: string
  /** Absent where the hook cannot be used. */
  readonly code?: 'never_fires'
}

/** The hooks of one file and what is wrong with them. A hook with a mistake is left out; the others hold. */
export interface HooksRead {
  readonly hooks: readonly Hook[]
  readonly complaints: readonly HookComplaint[]
}

/** Where a table of hooks stands. */
export interface HookOrigin {
  readonly source: HookSource
  /** A hook of this place that fails says no, unless the hook itself says otherwise. */
  readonly failsClosed?: boolean
  /** The folder of the plugin or skill that brings them. */
  readonly root?: string
  readonly at: (path: readonly (string | number)[]) => string
}

/**
 * Reads a table of hooks, as settings files, team files, cards, skills, plugins and programs hold it.
 *
 * @example readHooks({ Stop: [{ hooks: [{ type: 'command', command: 'make test' }] }] }, place).hooks.length // 1
 */
export function readHooks(value: unknown, place: HookOrigin): HooksRead {
  if (value === undefined) return { hooks: [], complaints: [] }
  if (!isRecord(value)) return complaint(['hooks'], 'hooks is no table of events')
  return joined(Object.entries(value).map(([event, groups]) => readEvent(event, groups, place)))
}

function readEvent(name: string, groups: unknown, place: HookOrigin): HooksRead {
  const event = hookEvents.find((known) => known === name)
  if (event === undefined) {
    const guess = didYouMean(name, hookEvents)
    const [found] = complaint(['hooks', name], `there is no event ${name}`).complaints
    const hinted = found && guess !== undefined ? { ...found, hint: `did you mean "${guess}"?` } : found
    return { hooks: [], complaints: hinted ? [hinted] : [] }
  }
  if (!Array.isArray(groups)) return complaint(['hooks', event], `${event} is no list of groups`)
  const read = joined(groups.map((group: unknown, i) => readGroup(event, group, { place, path: ['hooks', event, i] })))
  if (read.hooks.length === 0 || eventTraits[event].moment !== null) return read
  const message = `${event} never fires here, so its hooks do not run`
  const silent = { path: ['hooks', event], message, code: 'never_fires' as const }
  return { ...read, complaints: [...read.complaints, silent] }
}

interface Spot {
  readonly place: HookOrigin
  readonly path: readonly (string | number)[]
}

function readGroup(event: HookEvent, group: unknown, { place, path }: Spot): HooksRead {
  if (!isRecord(group) || !Array.isArray(group['hooks'])) return complaint(path, 'a group needs a list "hooks"')
  const { matcher = null, hooks } = group
  if (matcher !== null && typeof matcher !== 'string') return complaint([...path, 'matcher'], 'matcher is no text')
  if (matcher !== null && eventTraits[event].matches !== null && expressionOf(matcher) === null && matcher !== '*') {
    return complaint([...path, 'matcher'], `matcher ${JSON.stringify(matcher)} is no regular expression`)
  }
  const specs: readonly unknown[] = hooks
  return joined(specs.map((spec, i) => readSpec({ event, matcher }, spec, { place, path: [...path, 'hooks', i] })))
}

function readSpec(group: Pick<Hook, 'event' | 'matcher'>, value: unknown, { place, path }: Spot): HooksRead {
  const parsed = specOf(value, place)
  if ('issue' in parsed) return complaint([...path, ...parsed.at], `this hook cannot be used: ${parsed.issue}`)
  const { spec } = parsed
  const rule = spec.if === undefined ? null : parseRule(spec.if)
  if (rule !== null && 'error' in rule) return complaint([...path, 'if'], `if is no rule: ${rule.error}`)
  const closed = place.failsClosed === true && spec.on_failure === undefined
  const kept = closed ? { ...spec, on_failure: 'deny' as const } : spec
  const { source, root } = place
  const hook = { ...group, spec: kept, source, at: place.at(path), ...(root === undefined ? {} : { root }) }
  return { hooks: [hook], complaints: [] }
}

type SpecRead = { readonly spec: HookSpec } | { readonly issue: string; readonly at: readonly (string | number)[] }

/** A function is taken from a program alone: in a file it can only be a mistake. */
function specOf(value: unknown, { source }: HookOrigin): SpecRead {
  if (source === 'program' && isFunctionHook(value)) return { spec: value }
  const parsed = hookSpecSchema.safeParse(value)
  if (parsed.success) return { spec: parsed.data }
  const [issue] = parsed.error.issues
  const at = issue?.path.map((part) => (typeof part === 'symbol' ? String(part) : part)) ?? []
  return { issue: issue?.message ?? 'it is no hook', at }
}

function isFunctionHook(value: unknown): value is FunctionHook {
  return isRecord(value) && value['type'] === 'function' && typeof value['run'] === 'function'
}

function complaint(path: readonly (string | number)[], message: string): HooksRead {
  return { hooks: [], complaints: [{ path, message }] }
}

function joined(reads: readonly HooksRead[]): HooksRead {
  return { hooks: reads.flatMap(({ hooks }) => hooks), complaints: reads.flatMap(({ complaints }) => complaints) }
}

/**
 * A hook as the text that a person trusts: its very text, so that another text is asked about again.
 *
 * @example hookText(hook) // 'hook PreToolUse Bash {"type":"command","command":"./guard.sh"}'
 */
export function hookText({ event, matcher, spec }: Pick<Hook, 'event' | 'matcher' | 'spec'>): string {
  const covers = matcher === null || /^[\w.*|, -]+$/.test(matcher) ? (matcher ?? '*') : JSON.stringify(matcher)
  return `hook ${event} ${covers} ${JSON.stringify(spec)}`
}

/** A hook in a few words, for journals and screens. */
export function hookLabel({ spec }: Pick<Hook, 'spec'>): string {
  const line = subjectOf(spec).replaceAll(/\s+/g, ' ')
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`
}

function subjectOf(spec: HookSpec): string {
  switch (spec.type) {
    case 'command':
      return [spec.command, ...(spec.args ?? [])].join(' ')
    case 'http':
      return spec.url
    case 'mcp_tool':
      return `${spec.server} ${spec.tool}`
    case 'function':
      return spec.name ?? (spec.run.name || 'a function')
    default:
      return spec.prompt
  }
}

/** Hooks as a table again: `tableOf(hooks)` holds one group for each. */
export function tableOf(hooks: readonly Hook[]): WrittenTable {
  const table: WrittenTable = {}
  for (const { event, matcher, spec } of hooks) {
    if (spec.type === 'function') continue
    ;(table[event] ??= []).push({ ...(matcher === null ? {} : { matcher }), hooks: [spec] })
  }
  return table
}
