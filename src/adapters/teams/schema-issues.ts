import type { z } from 'zod'
import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import { didYouMean } from '../../rules/tools/did-you-mean.ts'
import { jsonSchemaOf, schemaKeysAt, type JsonSchema } from './json-schema.ts'
import { pathText, valueAt, type KeyPath, type PlacedValue } from './places.ts'

type Issue = z.core.$ZodIssue

/**
 * Turns what zod found into diagnostics with places and cures.
 *
 * @param issues of `schema.safeParse(source.value)`
 * @param schema names the keys that would have been right
 */
export function schemaDiagnostics(
  issues: readonly Issue[],
  source: PlacedValue,
  schema: z.ZodType,
): readonly Diagnostic[] {
  if (issues.length === 0) return []
  const json = jsonSchemaOf(schema)
  return issues.flatMap((issue) => explain(issue, source, json))
}

function explain(issue: Issue, source: PlacedValue, json: JsonSchema): readonly Diagnostic[] {
  const path = issue.path as KeyPath
  const value = valueAt(source.value, path)
  const label = pathText(path)
  const say = (code: string, message: string, hint?: string): readonly Diagnostic[] => [
    diagnostic({ code, message, ...(hint === undefined ? {} : { hint }) }, source, { path, part: 'value' }),
  ]
  if (value === undefined && issue.code !== 'unrecognized_keys') return say('missing_key', `${label} is required`)
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey([...path, key], source, json))
    case 'invalid_type':
      return say('wrong_type', `${label} must be ${noun(issue.expected)}, not ${nounOf(value)}`)
    case 'invalid_value':
      return say('invalid_value', ...oneOf(label, value, issue.values.map(String)))
    case 'invalid_union':
      return explainUnion(issue, source, json)
    case 'invalid_key':
      return [badName(path, issue.issues[0]?.message ?? 'is not a name', source)]
    case 'too_small':
    case 'too_big':
      return say('invalid_value', `${label} ${bound(issue)}`)
    default:
      return say('invalid_value', `${label} ${issue.message}`)
  }
}

function explainUnion(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  source: PlacedValue,
  json: JsonSchema,
): readonly Diagnostic[] {
  const path = issue.path as KeyPath
  const value = valueAt(source.value, path)
  const near = issue.errors.find((option) => option.every((inner) => inner.path.length > 0 || 'keys' in inner))
  if (near) return near.flatMap((inner) => explain({ ...inner, path: [...path, ...inner.path] }, source, json))
  const inner = issue.errors.flat()
  const types = inner.flatMap((option) => (option.code === 'invalid_type' ? [noun(option.expected)] : []))
  if (types.length === inner.length) {
    const message = `${pathText(path)} must be ${types.join(' or ')}, not ${nounOf(value)}`
    return [diagnostic({ code: 'wrong_type', message }, source, { path, part: 'value' })]
  }
  const words = inner.flatMap((option) => (option.code === 'invalid_value' ? option.values.map(String) : []))
  const maps = schemaKeysAt(json, path).map((key) => `{${key}: …}`)
  const [message, hint] = oneOf(pathText(path), value, [...words, ...maps])
  const what = { code: 'invalid_value', message, ...(hint === undefined ? {} : { hint }) }
  return [diagnostic(what, source, { path, part: 'value' })]
}

function badName(path: KeyPath, why: string, source: PlacedValue): Diagnostic {
  return diagnostic({ code: 'invalid_name', message: `"${String(path.at(-1))}" ${why}` }, source, { path, part: 'key' })
}

function unknownKey(path: KeyPath, source: PlacedValue, json: JsonSchema): Diagnostic {
  const key = String(path.at(-1))
  const above = path.slice(0, -1)
  const allowed = schemaKeysAt(json, above)
  // A key that is right one level below is nearer than one that is only spelled alike.
  const holder = allowed.find((each) => schemaKeysAt(json, [...above, each]).includes(key))
  const guess = holder === undefined ? didYouMean(key, allowed) : `${holder}: { ${key}: … }`
  const where = above.length === 0 ? '' : ` in ${pathText(above)}`
  const hint = guess ? `did you mean "${guess}"?` : `allowed here: ${allowed.join(', ')}`
  return diagnostic({ code: 'unknown_key', message: `unknown key "${key}"${where}`, hint }, source, {
    path,
    part: 'key',
  })
}

function oneOf(label: string, value: unknown, allowed: readonly string[]): [message: string, hint: string | undefined] {
  const guess = typeof value === 'string' ? didYouMean(value, allowed) : undefined
  const given = typeof value === 'string' ? `"${value}"` : nounOf(value)
  const message = `${label} must be ${allowed.length > 1 ? 'one of ' : ''}${allowed.join(', ')}, not ${given}`
  return [message, guess && `did you mean "${guess}"?`]
}

function bound(issue: Extract<Issue, { code: 'too_small' | 'too_big' }>): string {
  if (!/^Too (small|big)/.test(issue.message)) return issue.message
  const limit = issue.code === 'too_small' ? issue.minimum : issue.maximum
  if (issue.code === 'too_small') return `must be ${issue.inclusive ? 'at least' : 'more than'} ${limit}`
  return `must be ${issue.inclusive ? 'at most' : 'less than'} ${limit}`
}

function diagnostic(
  what: Pick<Diagnostic, 'code' | 'message' | 'hint'>,
  source: PlacedValue,
  where: { readonly path: KeyPath; readonly part: 'key' | 'value' },
): Diagnostic {
  return { severity: 'error', ...what, file: source.file, ...source.place(where.path, where.part) }
}

const nouns: Readonly<Record<string, string>> = {
  object: 'a map',
  record: 'a map',
  array: 'a list',
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
}

function noun(expected: string): string {
  return nouns[expected] ?? expected
}

function nounOf(value: unknown): string {
  if (value === null) return 'empty'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'boolean') return String(value)
  return noun(typeof value)
}
