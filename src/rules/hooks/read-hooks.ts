import {
  hookEvents,
  hookSpecSchema,
  type Hook,
  type HookEvent,
  type HookSource,
  type HookSpec,
} from '../../protocol/hooks/hook.ts'
import { didYouMean } from '../tools/did-you-mean.ts'
import { parseRule } from '../permissions/rule.ts'
import { eventTraits, expressionOf } from './hook-events.ts'

/** A part of a `hooks` setting that cannot be used, with its path in the file. */
export interface HookComplaint {
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly hint?: string
}

/** The hooks of one file and what is wrong with them. A hook with a mistake is left out; the others hold. */
export interface HooksRead {
  readonly hooks: readonly Hook[]
  readonly complaints: readonly HookComplaint[]
}

interface Place {
  readonly source: HookSource
  readonly at: (path: readonly (string | number)[]) => string
}

/**
 * Reads the value of `hooks` in a settings file.
 *
 * @example readHooks({ Stop: [{ hooks: [{ type: 'command', command: 'make test' }] }] }, place).hooks.length // 1
 */
export function readHooks(value: unknown, place: Place): HooksRead {
  if (value === undefined) return { hooks: [], complaints: [] }
  if (!isRecord(value)) return complaint(['hooks'], 'hooks is no table of events')
  return joined(Object.entries(value).map(([event, groups]) => readEvent(event, groups, place)))
}

function readEvent(name: string, groups: unknown, place: Place): HooksRead {
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
  const silent = { path: ['hooks', event], message: `${event} never fires here, so its hooks do not run` }
  return { ...read, complaints: [...read.complaints, silent] }
}

interface Spot {
  readonly place: Place
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
  const parsed = hookSpecSchema.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = issue?.path.map((part) => (typeof part === 'symbol' ? String(part) : part)) ?? []
    return complaint([...path, ...where], `this hook cannot be used: ${issue?.message ?? 'it is no hook'}`)
  }
  const spec = parsed.data
  const rule = spec.if === undefined ? null : parseRule(spec.if)
  if (rule !== null && 'error' in rule) return complaint([...path, 'if'], `if is no rule: ${rule.error}`)
  return { hooks: [{ ...group, spec, source: place.source, at: place.at(path) }], complaints: [] }
}

function complaint(path: readonly (string | number)[], message: string): HooksRead {
  return { hooks: [], complaints: [{ path, message }] }
}

function joined(reads: readonly HooksRead[]): HooksRead {
  return { hooks: reads.flatMap(({ hooks }) => hooks), complaints: reads.flatMap(({ complaints }) => complaints) }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * A hook as the text that a person trusts: its very text, so that another text is asked about again.
 *
 * @example hookText(hook) // 'hook PreToolUse Bash {"type":"command","command":"./guard.sh"}'
 */
export function hookText({ event, matcher, spec }: Pick<Hook, 'event' | 'matcher' | 'spec'>): string {
  return `hook ${event} ${matcher ?? '*'} ${JSON.stringify(spec)}`
}

/** A hook in a few words, for journals and screens. */
export function hookLabel({ spec }: Pick<Hook, 'spec'>): string {
  const line = subjectOf(spec).replaceAll(/\s+/g, ' ')
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`
}

function subjectOf(spec: HookSpec): string {
  if (spec.type === 'command') return [spec.command, ...(spec.args ?? [])].join(' ')
  if (spec.type === 'http') return spec.url
  return spec.type === 'mcp_tool' ? `${spec.server} ${spec.tool}` : spec.prompt
}

/** The kinds that are run; a hook of another kind is one that fails. */
const runnable: ReadonlySet<HookSpec['type']> = new Set(['command', 'http'])

/** Whether hooks of a kind are run here. */
export function isRunnable({ type }: HookSpec): boolean {
  return runnable.has(type)
}
