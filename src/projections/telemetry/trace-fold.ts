import type { Recorded } from '../../protocol/facts/entry.ts'
import type { TraceSpan } from '../../protocol/telemetry/trace-span.ts'
import { contentFold } from './genai-content.ts'
import { noteworthy } from './noted-facts.ts'
import { abandonSpans, noSpans, noteEvent, noteTime, runKey } from './open-spans.ts'
import { callSpans, mailSpans } from './work-spans.ts'
import { innerKeys, lifeSpans, modelSpans, type Tracing } from './life-spans.ts'

/** The run whose spans are folded. */
export interface TracedRun {
  readonly run: string
  readonly team: string
  /** The context in which the run was started, as its `run.json` says. */
  readonly traceparent?: string | undefined
  /** Words of models and tools go along; without it no prompt, argument, result, mail, path or reason does. */
  readonly content?: boolean | undefined
}

/** The spans of a run, as its journals tell them. */
export interface TraceFold {
  apply(recorded: Recorded): void
  /** Takes the spans that are over and were not taken yet. */
  take(): readonly TraceSpan[]
  /** Ends what is still open: the run has no leader any more. */
  finish(): void
  openCount(): number
  /** Spans whose process ended before they did, so far. */
  abandonedCount(): number
}

/**
 * Folds the facts of a run into spans: run, lives of members, turns, and in them model calls, tool calls, hooks, waits for a person,
 * and mail. The same facts give the same spans with the same ids, live or years later.
 *
 * Source: OpenTelemetry's semantic conventions for generative AI, MCP and messaging.
 * @example const fold = traceFold({ run: id, team: 'review' }); recorded.forEach(fold.apply); fold.finish(); fold.take()
 */
export function traceFold({ run, team, traceparent, content = false }: TracedRun): TraceFold {
  const spans = noSpans(run, traceparent)
  const tracing: Tracing = { run, team, spans, content, said: contentFold(content) }
  const steps = [lifeSpans, modelSpans, callSpans, mailSpans].map((stepsOf) => stepsOf(tracing))
  return {
    apply(recorded) {
      const { owner, entry } = recorded
      tracing.said.apply(recorded)
      for (const hear of steps) hear(recorded)
      const noted = noteworthy(entry)
      if (noted !== null) noteEvent(spans, owner, { ...noted, in: [...innerKeys, runKey] })
      noteTime(spans, owner, entry.at)
    },
    take() {
      const taken = spans.ended
      spans.ended = []
      return taken
    },
    finish() {
      for (const owner of spans.owners.keys()) abandonSpans(spans, owner)
    },
    openCount: () => [...spans.owners.values()].reduce((sum, { open }) => sum + open.size, 0),
    abandonedCount: () => spans.abandoned,
  }
}
