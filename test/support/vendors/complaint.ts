/** What a vendor would say against a request, in its own kind of words; an empty list when it takes it. */
export type Complaints = string[]

export type Fields = Readonly<Record<string, unknown>>

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

export function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === ''
}

const topLevel = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', '$ref']
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** What all vendors ask of a tool's name and parameters. */
export function toolComplaints(at: string, name: unknown, schema: unknown): Complaints {
  const { type, properties, ...rest } = fieldsOf(schema)
  return [
    ...(/^[a-zA-Z0-9_-]{1,64}$/.test(String(name)) ? [] : [`${at}.name: '${String(name)}' does not match pattern`]),
    ...(type === 'object' ? [] : [`${at}: schema must have type 'object'`]),
    ...(typeof properties === 'object' ? [] : [`${at}: object schema missing properties`]),
    ...topLevel.filter((key) => key in rest).map((key) => `${at}: schema does not support '${key}' at the top level`),
    ...schemaComplaints(schema, at),
    ...(JSON.stringify(schema).includes('"$ref":"') ? [`${at}: $ref is not supported`] : []),
  ]
}

const types: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])
const inners = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames']

/** What is no schema of draft 2020-12, and what OpenAI asks of one beyond that. */
function schemaComplaints(schema: unknown, at: string): Complaints {
  if (typeof schema !== 'object' || schema === null) return []
  const { type, properties, required, items, ...rest } = fieldsOf(schema)
  const kinds = type === undefined ? [] : [type].flat()
  const within = [...Object.values(fieldsOf(properties)), ...listOf(rest['anyOf']), ...listOf(rest['oneOf'])]
  return [
    ...kinds.filter((kind) => !types.has(kind)).map((kind) => `${at}: ${JSON.stringify(kind)} is no type`),
    ...(kinds.includes('array') && items === undefined ? [`${at}: array schema missing items`] : []),
    ...(Array.isArray(items) ? [`${at}: items is not of type 'object', 'boolean'`] : []),
    ...(Array.isArray(properties) ? [`${at}: [] is not of type 'object'`] : []),
    ...(required === undefined || Array.isArray(required) ? [] : [`${at}: required is not of type 'array'`]),
    ...['exclusiveMinimum', 'exclusiveMaximum']
      .filter((key) => typeof rest[key] === 'boolean')
      .map((key) => `${at}: ${key} is not of type 'number'`),
    ...[...within, ...inners.map((key) => fieldsOf(schema)[key])].flatMap((inner) => schemaComplaints(inner, at)),
  ]
}

/** Each name once. */
export function doubled(at: string, names: readonly unknown[]): Complaints {
  return new Set(names).size === names.length ? [] : [`${at}: names must be unique`]
}

export function imageComplaint(at: string, mediaType: unknown, data: unknown): Complaints {
  if (!imageTypes.has(String(mediaType))) return [`${at}: media_type ${String(mediaType)} is not supported`]
  return isBlank(data) ? [`${at}: image data is empty`] : []
}

/** Half a surrogate pair is no text: parsers of servers refuse the whole request. */
export function brokenText(text: string): Complaints {
  return /\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}/i.test(text)
    ? ['The request body is not valid JSON: no low surrogate in string']
    : []
}
