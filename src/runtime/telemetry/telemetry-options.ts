import type { OtlpEndpoint } from '../../adapters/telemetry/post-otlp.ts'
import type { Attributes } from '../../protocol/telemetry/trace-span.ts'
import { UsageError } from '../../protocol/words/usage-error.ts'

/** Where the spans and metrics of runs go, and how much they say. */
export interface TelemetryOptions {
  /** Null: not sent. */
  readonly traces: OtlpEndpoint | null
  readonly metrics: OtlpEndpoint | null
  readonly resource: Attributes
  /** Words of models and tools go along. */
  readonly content: boolean
  /** The share of runs whose spans are sent, 0 to 1. */
  readonly ratio: number
  /** The trace that a run was started in decides whether the run is recorded, too. */
  readonly followsParent: boolean
}

export interface TelemetryRequest {
  /** `OTEL_…` variables, as OpenTelemetry's specification names them. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** A collector's address, in place of those that the variables give. */
  readonly otlp?: string | undefined
}

/** A variable or an address that cannot be used, and why. */
export class NoTelemetry extends UsageError {
  override readonly name = 'NoTelemetry'
}

/**
 * The options that a command line and the environment give together.
 *
 * @returns null where nobody wants telemetry
 * @throws NoTelemetry where an address, a protocol or a number cannot be used
 * @example telemetryOptions({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' } })
 * Source: OpenTelemetry specification, "Environment Variable Specification" and "OTLP Exporter Configuration"
 */
export function telemetryOptions({ env, otlp }: TelemetryRequest): TelemetryOptions | null {
  if (otlp === undefined && env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return null
  const traces = endpointOf('TRACES', { env, otlp })
  const metrics = endpointOf('METRICS', { env, otlp })
  if (traces === null && metrics === null) return null
  return {
    traces,
    metrics,
    resource: resourceOf(env),
    content: env['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT']?.toLowerCase() === 'true',
    ...samplerOf(env),
  }
}

type Signal = 'TRACES' | 'METRICS'

function endpointOf(signal: Signal, { env, otlp }: TelemetryRequest): OtlpEndpoint | null {
  const own = (name: string): string | undefined =>
    env[`OTEL_EXPORTER_OTLP_${signal}_${name}`] || env[`OTEL_EXPORTER_OTLP_${name}`] || undefined
  const address = otlp ?? (env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] || undefined)
  const base = env['OTEL_EXPORTER_OTLP_ENDPOINT'] || undefined
  const isOff = otlp === undefined && !(env[`OTEL_${signal}_EXPORTER`] ?? 'otlp').split(',').includes('otlp')
  if (isOff || (address ?? base) === undefined) return null
  const path = `v1/${signal.toLowerCase()}`
  // An address for one signal is used as it is; one for all is the place below which the signals have theirs.
  const url = otlp === undefined && address !== undefined ? address : below(otlp ?? base ?? '', path)
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new NoTelemetry(`${otlp ?? address ?? base} is no http address of a collector, like http://localhost:4318`)
  return {
    url,
    headers: pairsOf(own('HEADERS'), `the headers for ${signal.toLowerCase()}`),
    timeoutMs: numberOf(own('TIMEOUT') ?? '10000', 'OTEL_EXPORTER_OTLP_TIMEOUT'),
    gzip: own('COMPRESSION') === 'gzip',
    protobuf: isProtobuf(own('PROTOCOL') ?? 'http/json'),
  }
}

function below(base: string, path: string): string {
  return base.endsWith(path) ? base : `${base.replace(/\/+$/, '')}/${path}`
}

function isProtobuf(protocol: string): boolean {
  if (protocol === 'http/json') return false
  if (protocol === 'http/protobuf') return true
  throw new NoTelemetry(
    `OTLP is sent as http/json or http/protobuf, not as ${protocol}: set OTEL_EXPORTER_OTLP_PROTOCOL`,
  )
}

/** The attributes of whoever tells. @throws NoTelemetry where they are not written as pairs */
export function resourceOf(env: TelemetryRequest['env']): Attributes {
  const given = pairsOf(env['OTEL_RESOURCE_ATTRIBUTES'], 'OTEL_RESOURCE_ATTRIBUTES')
  return {
    'service.name': 'troupe',
    ...given,
    ...(env['OTEL_SERVICE_NAME'] ? { 'service.name': env['OTEL_SERVICE_NAME'] } : {}),
  }
}

/** `a=b,c=d`, with percent signs where a value has commas. */
function pairsOf(text: string | undefined, what: string): Readonly<Record<string, string>> {
  const pairs = (text ?? '').split(',').filter((pair) => pair.trim() !== '')
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      // A value may be a key: it is not repeated.
      if (at < 1) throw new NoTelemetry(`${what} are written as name=value,name=value`)
      return [pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]
    }),
  )
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

function numberOf(text: string, name: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new NoTelemetry(`${name}=${text} is no number from 0 up`)
  return value
}

function samplerOf(env: TelemetryRequest['env']): Pick<TelemetryOptions, 'ratio' | 'followsParent'> {
  const sampler = env['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on'
  const followsParent = sampler.startsWith('parentbased_')
  const kind = sampler.replace('parentbased_', '')
  if (kind === 'always_on') return { ratio: 1, followsParent }
  if (kind === 'always_off') return { ratio: 0, followsParent }
  if (kind !== 'traceidratio')
    throw new NoTelemetry(
      `OTEL_TRACES_SAMPLER=${sampler} is none of always_on, always_off, traceidratio, each also with parentbased_ before it`,
    )
  const ratio = numberOf(env['OTEL_TRACES_SAMPLER_ARG'] || '1', 'OTEL_TRACES_SAMPLER_ARG')
  if (ratio > 1) throw new NoTelemetry(`OTEL_TRACES_SAMPLER_ARG=${ratio} is more than 1`)
  return { ratio, followsParent }
}
