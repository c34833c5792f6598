/** The defaults of a form that a server asks a person to fill in: `withDefaults({ properties: { a: { default: 1 } } })` → `{ a: 1 }`. */
export function withDefaults(schema: unknown): Readonly<Record<string, unknown>> {
  const { properties = {} } = (schema ?? {}) as { readonly properties?: Readonly<Record<string, unknown>> }
  const given = Object.entries(properties).flatMap(([name, field]) => {
    const value = (field as { readonly default?: unknown } | null)?.default
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(given)
}
