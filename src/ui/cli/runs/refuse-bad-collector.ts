import { telemetryOptions } from '../../../runtime/telemetry/telemetry-options.ts'
import type { Host, Values } from '../host/host.ts'

/** @throws NoTelemetry for `--otlp` with what is no address, before the run begins */
export function refuseBadCollector({ otlp }: Values<'otlp'>, { env }: Pick<Host, 'env'>): void {
  if (otlp !== undefined) telemetryOptions({ env, otlp })
}

/** The variables that hand `--otlp` to the process of a detached leader. */
export function collectorVariables({ otlp }: Values<'otlp'>): Readonly<Record<string, string>> {
  if (otlp === undefined) return {}
  const names = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', 'OTEL_SDK_DISABLED']
  return { OTEL_EXPORTER_OTLP_ENDPOINT: otlp, ...Object.fromEntries(names.map((name) => [name, ''])) }
}
