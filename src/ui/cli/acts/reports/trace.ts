import { resolve } from 'node:path'
import type { TraceSpan } from '../../../../protocol/telemetry/trace-span.ts'
import { readTrace, sendTrace, traceLines, type RunTrace } from '../../../../runtime/telemetry/read-trace.ts'
import { resourceOf, telemetryOptions } from '../../../../runtime/telemetry/telemetry-options.ts'
import { durationText } from '../../../text/figures.ts'
import { plainLine } from '../../../text/plain-text.ts'
import { paintFor } from '../../../text/theme.ts'
import type { Paint } from '../../../text/terminal-text.ts'
import { exitCodes, type ExitCode } from '../../host/exit-codes.ts'
import { print, printEither, type Flags, type Host, type Values } from '../../host/host.ts'
import { UserError } from '../../host/user-error.ts'
import { writeOutput } from '../../host/write-output.ts'
import { runDirectoryOf, type RunChoice } from '../../runs/run-choice.ts'

export type TraceOptions = RunChoice & Flags<'console' | 'content'> & Values<'otlp' | 'jsonl'>

/** Exports the trace of a run from its journals: to a collector, to a file, or to the terminal. */
export async function traceRun(run: string | undefined, options: TraceOptions, host: Host): Promise<ExitCode> {
  const dir = runDirectoryOf(run, options, host)
  const trace = readTrace(dir, { content: options.content === true })
  const sent = await exported(trace, options, host)
  const { run: id, trace_id, spans, abandoned, open } = trace
  const document = { run: id, trace_id, spans: spans.length, abandoned, open, ...sent }
  if (options.console && !options.json) await print(host.stdout, treeText(trace, paintFor(host.stdout, host.env)))
  const text = `${id}: ${spans.length} spans${asides(trace)}${sent.to === null ? '' : ` to ${plainLine(sent.to)}`}`
  await printEither({ document, text }, options, host)
  return exitCodes.done
}

async function exported(trace: RunTrace, { otlp, jsonl, console }: TraceOptions, host: Host) {
  const { env, cwd } = host
  if (jsonl !== undefined) {
    const file = resolve(cwd, jsonl)
    writeOutput(file, traceLines(trace, { resource: resourceOf(env) }), { option: '--jsonl', mode: 0o600 })
    return { to: file }
  }
  if (console) return { to: null }
  const target = telemetryOptions({ env, otlp })
  if (target === null)
    throw new UserError(
      'a trace goes to --otlp URL, --jsonl FILE or --console, or where OTEL_EXPORTER_OTLP_ENDPOINT says',
    )
  const problem = await sendTrace(trace, target)
  if (problem !== null) throw new UserError(problem, exitCodes.environment)
  return { to: target.traces?.url ?? target.metrics?.url ?? null }
}

function asides({ abandoned, open, problems }: RunTrace): string {
  const parts = [
    ...(abandoned > 0 ? [`${abandoned} abandoned`] : []),
    ...(open > 0 ? [`${open} still open and left out`] : []),
    ...(problems.length > 0 ? [`${problems.length} lines of the journals could not be read`] : []),
  ]
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

/** The spans as a tree, each with its length and what it came to. */
function treeText({ spans }: RunTrace, paint: Paint): string {
  const known = new Set(spans.map(({ spanId }) => spanId))
  const children = Map.groupBy(spans, ({ parentId }) => (parentId !== null && known.has(parentId) ? parentId : null))
  const below = (parent: string | null, depth: number): string =>
    (children.get(parent) ?? [])
      .toSorted((a, b) => a.from - b.from)
      .map((span) => `${'  '.repeat(depth)}${spanText(span, paint)}\n${below(span.spanId, depth + 1)}`)
      .join('')
  return below(null, 0)
}

function spanText({ name, from, to, failed, attributes }: TraceSpan, paint: Paint): string {
  const error = failed ? ` ${paint('red', String(attributes['error.type'] ?? 'error'))}` : ''
  return `${plainLine(name)} ${paint('dim', lengthText(to - from))}${error}`
}

/** Most spans are short. */
function lengthText(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : durationText(ms)
}
