type Schema = Readonly<Record<string, unknown>>

/**
 * The characters of a schema once every reference in it is written out, as vendors of models want it. A few lines can
 * mean millions: each of 30 definitions that names the next one twice.
 *
 * @example writtenLength({ type: 'object', properties: { a: { $ref: '#/$defs/x' } }, $defs: { x: { type: 'string' } } })
 */
export function writtenLength(root: Schema): number {
  const lengths = new Map<string, number>()
  const lengthOf = (value: unknown): number => {
    if (typeof value === 'string') return value.length + 2
    if (typeof value !== 'object' || value === null) return 5
    return Object.entries(value).reduce((sum, [key, inner]) => {
      const isReference = key === '$ref' && typeof inner === 'string'
      return sum + key.length + (isReference ? referred(inner) : lengthOf(inner))
    }, 2)
  }
  const referred = (ref: string): number => {
    const known = lengths.get(ref)
    if (known !== undefined) return known
    // A reference that comes round to itself ends there.
    lengths.set(ref, 0)
    const length = lengthOf(targetOf(root, ref))
    lengths.set(ref, length)
    return length
  }
  return lengthOf(root)
}

function targetOf(root: Schema, ref: string): unknown {
  return ref
    .split('/')
    .slice(1)
    .reduce<unknown>((place, step) => {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
      return typeof place === 'object' && place !== null ? (place as Schema)[key] : undefined
    }, root)
}
