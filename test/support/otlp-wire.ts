/*
 * Reads OTLP in protobuf, for tests: by the numbers of opentelemetry-proto 1, into the JSON that OTLP/JSON has for it.
 * A field that is not named here fails the test.
 */

type Kind = 'text' | 'hex' | 'number' | 'nanos' | 'double' | 'counts' | 'bounds' | 'signed' | Message
interface Message {
  readonly [field: number]: readonly [name: string, kind: Kind, many?: 'many']
}

const value: Message = {}
Object.assign(value, {
  1: ['stringValue', 'text'],
  2: ['boolValue', 'number'],
  3: ['intValue', 'signed'],
  4: ['doubleValue', 'double'],
  5: ['arrayValue', { 1: ['values', value, 'many'] }],
})
const keyValue: Message = { 1: ['key', 'text'], 2: ['value', value] }
const resource: Message = { 1: ['attributes', keyValue, 'many'], 2: ['droppedAttributesCount', 'number'] }
const scope: Message = { 1: ['name', 'text'], 2: ['version', 'text'] }
const event: Message = {
  1: ['timeUnixNano', 'nanos'],
  2: ['name', 'text'],
  3: ['attributes', keyValue, 'many'],
  4: ['droppedAttributesCount', 'number'],
}
const link: Message = {
  1: ['traceId', 'hex'],
  2: ['spanId', 'hex'],
  5: ['droppedAttributesCount', 'number'],
  6: ['flags', 'number'],
}
const span: Message = {
  1: ['traceId', 'hex'],
  2: ['spanId', 'hex'],
  4: ['parentSpanId', 'hex'],
  5: ['name', 'text'],
  6: ['kind', 'number'],
  7: ['startTimeUnixNano', 'nanos'],
  8: ['endTimeUnixNano', 'nanos'],
  9: ['attributes', keyValue, 'many'],
  10: ['droppedAttributesCount', 'number'],
  11: ['events', event, 'many'],
  12: ['droppedEventsCount', 'number'],
  13: ['links', link, 'many'],
  14: ['droppedLinksCount', 'number'],
  15: ['status', { 2: ['message', 'text'], 3: ['code', 'number'] }],
  16: ['flags', 'number'],
}
const times: Message = { 2: ['startTimeUnixNano', 'nanos'], 3: ['timeUnixNano', 'nanos'] }
const numberPoint: Message = { ...times, 4: ['asDouble', 'double'], 7: ['attributes', keyValue, 'many'] }
const histogramPoint: Message = {
  ...times,
  4: ['count', 'nanos'],
  5: ['sum', 'double'],
  6: ['bucketCounts', 'counts'],
  7: ['explicitBounds', 'bounds'],
  9: ['attributes', keyValue, 'many'],
}
const points = (point: Message): Message => ({
  1: ['dataPoints', point, 'many'],
  2: ['aggregationTemporality', 'number'],
  3: ['isMonotonic', 'number'],
})
const metric: Message = {
  1: ['name', 'text'],
  2: ['description', 'text'],
  3: ['unit', 'text'],
  5: ['gauge', points(numberPoint)],
  7: ['sum', points(numberPoint)],
  9: ['histogram', points(histogramPoint)],
}

export const traceRequestMessage: Message = {
  1: [
    'resourceSpans',
    { 1: ['resource', resource], 2: ['scopeSpans', { 1: ['scope', scope], 2: ['spans', span, 'many'] }, 'many'] },
    'many',
  ],
}
export const metricsRequestMessage: Message = {
  1: [
    'resourceMetrics',
    { 1: ['resource', resource], 2: ['scopeMetrics', { 1: ['scope', scope], 2: ['metrics', metric, 'many'] }, 'many'] },
    'many',
  ],
}

/** Decodes one message of the protobuf wire format. */
export function decoded(bytes: Buffer, message: Message): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  let at = 0
  const varint = (): bigint => {
    let [read, shift] = [0n, 0n]
    for (;;) {
      const byte = bytes.readUInt8(at++)
      read |= BigInt(byte & 127) << shift
      if (byte < 128) return read
      shift += 7n
    }
  }
  const raw = (wire: number): bigint | Buffer => {
    if (wire === 0) return varint()
    const length = { 1: 8, 5: 4 }[wire] ?? Number(varint())
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const field = message[tag >> 3]
    if (field === undefined)
      throw new Error(`field ${tag >> 3} is not known among ${JSON.stringify(Object.values(message))}`)
    const [name, kind, many] = field
    const read = valueOf(raw(tag & 7), kind)
    if (many) found[name] = [...((found[name] as unknown[] | undefined) ?? []), read]
    else found[name] = read
  }
  return found
}

function valueOf(raw: bigint | Buffer, kind: Kind): unknown {
  if (typeof raw === 'bigint') return kind === 'signed' ? String(BigInt.asIntN(64, raw)) : Number(raw)
  if (typeof kind === 'object') return decoded(raw, kind)
  if (kind === 'text') return raw.toString('utf8')
  if (kind === 'hex') return raw.toString('hex')
  if (kind === 'nanos') return String(raw.readBigUInt64LE())
  if (kind === 'double') return raw.readDoubleLE()
  const each = Array.from({ length: raw.length / 8 }, (_, n) => n * 8)
  if (kind === 'counts') return each.map((at) => String(raw.readBigUInt64LE(at)))
  if (kind === 'bounds') return each.map((at) => raw.readDoubleLE(at))
  return raw.readUInt32LE()
}
