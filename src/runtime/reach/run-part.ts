import { orderlyReasons, type TerminalReason } from '../../protocol/conversation/agent-event.ts'
import type { Failure } from '../../protocol/conversation/failure.ts'
import type { AgentEvent } from '../../protocol/facts/run-event.ts'
import type { Contract } from '../../protocol/mail/envelope.ts'
import type { Middleware } from '../../protocol/middleware.ts'
import type { LonePart, PartEnd } from './delegate-alone.ts'

interface PartOptions {
  readonly signal: AbortSignal
  readonly middleware: readonly Middleware[]
  readonly schema?: Contract
}

interface PartRun extends AsyncIterable<AgentEvent> {
  readonly result: Promise<{
    readonly reason: TerminalReason
    readonly text: string
    readonly failure?: Failure
    readonly value?: unknown
  }>
}

/** The agent that does a part of another one's work. */
export interface PartAgent {
  resume(options: PartOptions): PartRun | null
  run(prompt: string, options: PartOptions): PartRun
  /** The answer of an earlier life to its only prompt; null while there is none. */
  readonly answered: () => string | null
  close(): void
}

/** The run of the agent whose work it is a part of: the code around it, and the ear for events. */
interface AskingRun {
  readonly around: readonly Middleware[]
  hear(event: AgentEvent): void
}

/** Whether work has come to an end that counts as one. */
export function isOrderly(end: { readonly reason: TerminalReason } | null): boolean {
  return end !== null && orderlyReasons.includes(end.reason)
}

/** Runs such an agent to its end, and closes it. What its journal tells of an earlier life is not done again. */
export async function runPart(agent: PartAgent, part: LonePart, { around, hear }: AskingRun): Promise<PartEnd> {
  const { prompt, returns, signal } = part
  try {
    const answered = agent.answered()
    if (answered !== null) return { status: 'done', text: answered }
    const options = { signal, middleware: around, ...(returns === null ? {} : { schema: returns }) }
    const run = agent.resume(options) ?? agent.run(prompt, options)
    for await (const event of run) hear(event)
    const { reason, text, value, failure } = await run.result
    if (value !== undefined) return { status: 'done', text: JSON.stringify(value) }
    if (isOrderly({ reason }) && failure === undefined) return { status: 'done', text }
    const why = `Did not finish (${reason}${failure ? `: ${failure.message}` : ''}).`
    return { status: signal.aborted ? 'cancelled' : 'failed', text: text === '' ? why : `${why} Last words:\n${text}` }
  } finally {
    agent.close()
  }
}
