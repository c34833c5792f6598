import type { GateOutput } from '../../protocol/port.ts'
import type { CallDescription, Tool, ToolOutput } from '../../protocol/tools/tool.ts'
import { overLimit, type ToolLimit, type ToolLimits } from '../../rules/tools/tool-limit.ts'

/** Limits of a member's calls, and the calls of its earlier lives. */
export interface CallBounds {
  readonly limits: ToolLimits
  readonly earlier: ReadonlyMap<string, number>
}

/** A call that is about to be looked at or run, with its tool. */
interface Use {
  readonly call: CallDescription
  readonly tool: Tool
}

/**
 * The calls of one agent: their counts, and results that answer the same call again. A limited call is counted when it is
 * let pass, so that calls side by side cannot pass together where one was left.
 */
export interface CallBook {
  /** Begins a turn, and marks the calls that `admit` decides on: of a limited tool, or made before. */
  turn(calls: readonly CallDescription[], tools: ReadonlyMap<string, Tool>): readonly CallDescription[]
  admit(use: Use, stamp: () => Promise<string | null>): Promise<GateOutput>
  /** A call of a tool that was not looked up: its limit speaks before that. It is counted in neither case. */
  turnBack(call: CallDescription): GateOutput
  /** The tool starts. The function that is returned hears the end. */
  started(use: Use): (output: ToolOutput | null) => void
  /** Calls so far by tool, answered ones included, refused ones not. */
  counts(): Readonly<Record<string, number>>
}

interface Made {
  readonly callId: string
  readonly turn: number
  /** The output's stamp, or null when it failed. */
  readonly end: Promise<{ readonly stamp: string | undefined } | null>
}

/** @param isHeard whether the result of a call is still part of the conversation */
export function openCallBook({ limits, earlier }: CallBounds, isHeard: (callId: string) => boolean): CallBook {
  const book: Book = { limits, isHeard, counts: new Map(earlier), made: new Map(), turn: 0 }
  return {
    turn: (calls, tools) => begunTurn(book, calls, tools),
    admit: (use, stamp) => gated(book, use, stamp),
    turnBack: (call) => turnedBack(book, call),
    started: (use) => begun(book, use),
    counts: () => Object.fromEntries(book.counts),
  }
}

interface Book {
  readonly limits: ToolLimits
  readonly isHeard: (callId: string) => boolean
  readonly counts: Map<string, number>
  /** The latest call of each kind that may answer an equal one. */
  readonly made: Map<string, Made>
  turn: number
}

function begunTurn(
  book: Book,
  calls: readonly CallDescription[],
  tools: ReadonlyMap<string, Tool>,
): readonly CallDescription[] {
  book.turn += 1
  const seen = new Set<string>()
  return calls.map((call) => {
    if (call.refusal !== null || call.deferred) return call
    if (limitOf(book, call.tool)) return { ...call, gated: true }
    if (!call.readOnly || (tools.get(call.tool)?.reuse ?? 'never') === 'never') return call
    const key = keyOf(call)
    const again = book.made.has(key) || seen.has(key)
    seen.add(key)
    return again ? { ...call, gated: true } : call
  })
}

async function gated(book: Book, use: Use, stamp: () => Promise<string | null>): Promise<GateOutput> {
  const { name } = use.tool
  const limit = limitOf(book, name)
  const over = overNow(book, name)
  if (over?.verdict === 'block') return over
  if (limit !== undefined) count(book, name)
  const limited = over === null ? {} : { limited: over.limited }
  const same = await equalCall(book, use, stamp)
  if (same === null) return { verdict: 'run', ...limited }
  if (limit === undefined) count(book, name)
  return { verdict: 'answer', output: sameAs(same.turn === book.turn), of: same.callId, ...limited }
}

function turnedBack(book: Book, { tool, deferred }: CallDescription): GateOutput {
  const over = overNow(book, tool)
  if (over?.verdict === 'block') return over
  return { verdict: 'block', message: deferred?.why ?? '', why: 'deferred' }
}

/** The word of the tool's limit on one more call. */
function overNow(book: Book, tool: string): ReturnType<typeof overLimit> {
  const limit = limitOf(book, tool)
  return limit === undefined ? null : overLimit(tool, limit, book.counts.get(tool) ?? 0)
}

/** An equal call whose result still holds. */
async function equalCall(book: Book, { call, tool }: Use, stamp: () => Promise<string | null>): Promise<Made | null> {
  if (!call.readOnly || tool.reuse === 'never') return null
  const key = keyOf(call)
  const before = book.made.get(key)
  if (before === undefined || before.callId === call.id) return null
  const ended = await before.end
  const holds = (): boolean => book.made.get(key) === before
  if (ended === null || !holds()) return null
  if (before.turn === book.turn) return before
  if (tool.reuse === 'turn' || ended.stamp === undefined || !book.isHeard(before.callId)) return null
  return (await stamp()) === ended.stamp && holds() ? before : null
}

function begun(book: Book, { call, tool }: Use): (output: ToolOutput | null) => void {
  if (limitOf(book, tool.name) === undefined) count(book, tool.name)
  if (!call.readOnly) book.made.clear()
  if (!call.readOnly || tool.reuse === 'never') return () => undefined
  const end = Promise.withResolvers<{ readonly stamp: string | undefined } | null>()
  book.made.set(keyOf(call), { callId: call.id, turn: book.turn, end: end.promise })
  return (output) => end.resolve(output === null || output.isError === true ? null : { stamp: output.stamp })
}

function limitOf({ limits }: Book, tool: string): ToolLimit | undefined {
  return Object.hasOwn(limits, tool) ? limits[tool] : undefined
}

function count({ counts }: Book, tool: string): void {
  counts.set(tool, (counts.get(tool) ?? 0) + 1)
}

/** Inputs were parsed by one schema, so equal ones are written alike. */
function keyOf({ tool, input }: CallDescription): string {
  return `${tool} ${JSON.stringify(input)}`
}

function sameAs(now: boolean): ToolOutput {
  const text = now
    ? '[The same call stands beside this one: its result is the result of both.]'
    : '[Nothing has changed since you last made this very call: its result above still holds.]'
  return { content: [{ type: 'text', text }] }
}
