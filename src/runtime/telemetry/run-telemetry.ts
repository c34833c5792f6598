import type { Recorded } from '../../protocol/facts/entry.ts'
import { traceparentOfRun } from '../../rules/telemetry/trace-ids.ts'
import { traceContextOf } from '../../protocol/telemetry/trace-context.ts'
import type { Clock } from '../actors/clock.ts'
import { isSampled, openLiveTelemetry, type LiveTelemetry } from './live-telemetry.ts'
import { NoTelemetry, telemetryOptions, type TelemetryOptions, type TelemetryRequest } from './telemetry-options.ts'

/** The wishes of whoever leads a run. */
export interface TelemetryWishes {
  /** The address of an OpenTelemetry collector, in place of those that `OTEL_EXPORTER_OTLP_…` of `env` give. */
  readonly otlp?: string | undefined
  /** The trace that the run belongs to, as W3C Trace Context writes it; by default `TRACEPARENT` of `env`. */
  readonly traceparent?: string | undefined
  /** Hears why telemetry is not sent. Default: a warning of the process. */
  readonly onTelemetryProblem?: ((text: string) => void) | undefined
}

type Wishes = TelemetryWishes & TelemetryRequest

/** A run that somebody leads from now on. */
export interface LedRun {
  readonly run: { readonly id: string }
  readonly team: { readonly name: string }
  readonly clock: Clock
  readonly earlier: { readonly recorded: readonly Recorded[] }
  readonly traceparent?: string | undefined
}

/** The trace of a new run: the one that it is started in, or its own where somebody wants its spans; undefined where neither is so. */
export function traceOfLaunch(run: string, wishes: Wishes): string | undefined {
  const outer = wishes.traceparent ?? wishes.env['TRACEPARENT']
  const options = optionsOf(wishes, () => undefined)
  if (options === null && traceContextOf(outer) === null) return undefined
  const sampled = options === null || isSampled({ run, traceparent: outer }, options)
  return traceparentOfRun(run, outer, sampled)
}

/** Telemetry for a run while it is led; null where nobody wants any: then nothing listens and nothing is timed. */
export function runTelemetry({ run, team, clock, earlier, traceparent }: LedRun, wishes: Wishes): LiveTelemetry | null {
  const { onTelemetryProblem: onProblem = warn } = wishes
  const options = optionsOf(wishes, onProblem)
  if (options === null) return null
  const live = { run: run.id, team: team.name, traceparent, earlier: earlier.recorded, clock, onProblem }
  return openLiveTelemetry(live, options)
}

/** The result of a run, once its telemetry is sent. */
export async function untilSent<Result>(result: Promise<Result>, telemetry: LiveTelemetry | null): Promise<Result> {
  try {
    return await result
  } finally {
    await telemetry?.close()
  }
}

/** A variable that cannot be used stops no run. */
function optionsOf(wishes: Wishes, onProblem: (text: string) => void): TelemetryOptions | null {
  try {
    return telemetryOptions(wishes)
  } catch (error) {
    if (!(error instanceof NoTelemetry)) throw error
    onProblem(`no telemetry is sent: ${error.message}`)
    return null
  }
}

function warn(text: string): void {
  process.emitWarning(text, 'TelemetryWarning')
}
