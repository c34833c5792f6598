import type { ToolResult } from '../../protocol/conversation/message.ts'
import type { CallDescription } from '../../protocol/tools/tool.ts'
import type { StuckLimits } from '../../protocol/tools/tool-limits.ts'
import { commandName, unwrapped } from '../shell/bash-wrappers.ts'
import { bashCommands } from '../shell/walk/bash-commands.ts'

/** A turn with calls, as the loop guard remembers it. */
export interface TurnMark {
  /** Names, arguments and results of the calls, whatever the order of keys. */
  readonly signature: string
  /** The same for each call. */
  readonly calls: readonly string[]
  /** A call changed something, and was not made like this before: what is seen after that is news. */
  readonly progress: boolean
  /** Turns in a row that only looked whether something had happened, and saw the same; 0 for any other turn. */
  readonly looks: number
}

/** How often the same is done without any change, and the number at which that ends the work. */
export interface Standstill {
  readonly times: number
  readonly limit: number
}

const [usualWindow, usualRepeats, usualLooks] = [10, 5, 50]

/** A call as far as the loop guard looks at it. */
type Marked = Pick<CallDescription, 'tool' | 'input' | 'changes'>

/**
 * The remembered turns with one more: as many as the window holds, twice, so that a change that was made before is known
 * again.
 *
 * @param results one per call
 */
export function marksAfter(
  marks: readonly TurnMark[],
  { calls, results }: { readonly calls: readonly Marked[]; readonly results: readonly ToolResult[] },
  { window = usualWindow }: StuckLimits = {},
): readonly TurnMark[] {
  const signatures = calls.map((call, index) => signatureOf(call, results[index]))
  const signature = JSON.stringify(signatures)
  const known = new Set(marks.flatMap((mark) => mark.calls))
  const isNew = ({ changes }: Marked, index: number): boolean =>
    changes === true && results[index]?.is_error === false && !known.has(signatures[index] ?? '')
  const last = marks.at(-1)
  const isLook = calls.every(looksOn)
  const looks = isLook ? 1 + (last?.signature === signature ? last.looks : 0) : 0
  const before = looks > 1 ? marks.slice(0, -1) : marks
  const mark: TurnMark = { signature, calls: signatures, progress: !isLook && calls.some(isNew), looks }
  return [...before, mark].slice(-2 * window)
}

/**
 * How far an agent stands still: how often the latest turn was made, with the same results and no change in between. Looks
 * at what others do (a poll) have a bound of their own.
 */
export function standstillOf(marks: readonly TurnMark[], limits: StuckLimits = {}): Standstill {
  const { window = usualWindow, repeats = usualRepeats, looks = usualLooks } = limits
  const latest = marks.at(-1)
  if (latest === undefined || latest.looks > 0) return { times: latest?.looks ?? 0, limit: looks }
  const since = marks
    .slice(
      Math.max(
        0,
        marks.findLastIndex(({ progress }) => progress),
      ),
    )
    .slice(-window)
  return { times: since.filter(({ signature }) => signature === latest.signature).length, limit: repeats }
}

/** Whether an agent goes in circles. */
export function isStuck(marks: readonly TurnMark[], limits?: StuckLimits): boolean {
  const { times, limit } = standstillOf(marks, limits)
  return times >= limit
}

/** The warning for an agent that stands still, before its work is ended: the last two times; null at all others. */
export function standstillText({ times, limit }: Standstill): string | null {
  if (times < 2 || times < limit - 2 || times >= limit) return null
  return [
    `[No progress: this was done ${times} times with the same result, and nothing was changed in between.`,
    `Do something else, or end your turn and say what is missing. At ${limit} times the work is ended.]`,
  ].join(' ')
}

/** Tools that only look whether something has happened. */
const looking: ReadonlySet<string> = new Set(['BashOutput', 'TaskList', 'Wait'])

/** Commands that only wait: a shell line with one of them is a poll by hand. */
const waiting: ReadonlySet<string> = new Set(['sleep', 'wait'])

function looksOn({ tool, input }: Marked): boolean {
  if (looking.has(tool)) return true
  const { command } = (input ?? {}) as { readonly command?: unknown }
  return tool === 'Bash' && typeof command === 'string' && waitsSomewhere(command)
}

function waitsSomewhere(line: string): boolean {
  return bashCommands(line).commands.some(({ words }) => waiting.has(commandName(unwrapped(words))))
}

function signatureOf({ tool, input }: Marked, result: ToolResult | undefined): string {
  return JSON.stringify([tool, sorted(input), result?.is_error, result?.content])
}

/** The same value with the keys of its objects in order. */
function sorted(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(sorted)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]))
}
