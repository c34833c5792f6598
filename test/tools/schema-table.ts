import type { JsonSchema } from '../../src/adapters/teams/json-schema.ts'

/** A part of a reference page: one object of a schema. */
export interface Section {
  readonly title: string
  readonly schema: JsonSchema
}

/** The schema behind a key; a page never speaks of a key that is gone. */
export function child(schema: JsonSchema, key: string): JsonSchema {
  const found = schema.properties?.[key]
  if (!found) throw new Error(`the schema has no key ${key}`)
  return found
}

/** One object of a schema as a Markdown table; every key must say what it means. */
export function table({ title, schema }: Section): string {
  const rows = Object.entries(schema.properties ?? {}).map(([key, value]) => {
    const required = schema.required?.includes(key) ? ' (required)' : ''
    if (!value.description) throw new Error(`${title}: the key ${key} has no description`)
    return `| \`${key}\`${required} | ${cell(kind(value))} | ${cell(value.description)} |`
  })
  return [`## ${title}`, '', '| key | value | meaning |', '| --- | --- | --- |', ...rows, ''].join('\n')
}

function kind(schema: JsonSchema): string {
  if (schema.anyOf) return schema.anyOf.map((option) => kind(option)).join(', ')
  if (schema.const !== undefined) return `\`${schema.const}\``
  if (schema.enum) return schema.enum.map((word) => `\`${word}\``).join(', ')
  if (schema.type === 'array') return `list of ${kind(schema.items ?? {})}`
  if (schema.type === 'integer') return 'whole number'
  if (schema.type === 'string') return schema.pattern?.includes('ms|s|m|h') ? 'duration: `30s`, `10m`, `2h`' : 'text'
  if (schema.type !== 'object') return schema.type ?? 'anything'
  const keys = Object.keys(schema.properties ?? {})
  return keys.length === 1 ? `\`{${keys[0]}: n}\`` : 'map'
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
