/** Whether a value is a table of fields: `isRecord({ a: 1 })` → true, `isRecord([1])` → false. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
