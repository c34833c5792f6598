import type { z } from 'zod'
import type { Diagnostic } from '../../protocol/diagnostic.ts'
import { didYouMean } from '../../rules/did-you-mean.ts'
import { keysAt, type JsonSchema } from './json-schema.ts'
import { pathText, type KeyPath } from './places.ts'
import type { YamlSource } from './yaml-source.ts'

type Issue = z.core.$ZodIssue

/**
 * Turns what zod found into diagnostics with places and cures.
 *
 * @param issues of `schema.safeParse(source.value)`
 * @param json the same schema as JSON Schema: it knows which keys would have been right
 */
export function schemaDiagnostics(
  issues: readonly Issue[],
  source: YamlSource,
  json: JsonSchema,
): readonly Diagnostic[] {
  return issues.flatMap((issue) => explain(issue, source, json))
}

function explain(issue: Issue, source: YamlSource, json: JsonSchema): readonly Diagnostic[] {
  const path = issue.path as KeyPath
  const value = valueAt(source.value, path)
  const complain = (code: string, message: string, part: 'key' | 'value' = 'value', hint?: string): Diagnostic[] => [
    diagnostic({ code, message, ...(hint === undefined ? {} : { hint }) }, source, { path, part }),
  ]
  const label = pathText(path)
  if (value === undefined && issue.code !== 'unrecognized_keys') {
    return complain('missing_key', `${label} is required`, 'key')
  }
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey([...path, key], source, keysAt(json, path)))
    case 'invalid_type':
      return complain('wrong_type', `${label} must be ${noun(issue.expected)}, not ${nounOf(value)}`)
    case 'invalid_value':
      return complain('invalid_value', ...oneOf(label, value, issue.values.map(String)))
    case 'invalid_union':
      return explainUnion(issue, source, json)
    case 'invalid_key':
      return complain('invalid_name', `"${String(path.at(-1))}" ${issue.issues[0]?.message ?? 'is not a name'}`, 'key')
    case 'too_small':
    case 'too_big':
      return complain('invalid_value', `${label} ${bound(issue)}`)
    default:
      return complain('invalid_value', `${label} ${issue.message}`)
  }
}

function explainUnion(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  source: YamlSource,
  json: JsonSchema,
): readonly Diagnostic[] {
  const path = issue.path as KeyPath
  const value = valueAt(source.value, path)
  const near = issue.errors.find((option) => option.every((inner) => inner.path.length > 0 || 'keys' in inner))
  if (near) {
    return near.flatMap((inner) => explain({ ...inner, path: [...path, ...inner.path] }, source, json))
  }
  const words = issue.errors.flat().flatMap((inner) => (inner.code === 'invalid_value' ? inner.values.map(String) : []))
  const [message, part, hint] = oneOf(pathText(path), value, [
    ...words,
    ...keysAt(json, path).map((key) => `{${key}: …}`),
  ])
  return [
    diagnostic({ code: 'invalid_value', message, ...(hint === undefined ? {} : { hint }) }, source, { path, part }),
  ]
}

function unknownKey(path: KeyPath, source: YamlSource, allowed: readonly string[]): Diagnostic {
  const key = String(path.at(-1))
  const guess = didYouMean(key, allowed)
  const where = path.length === 1 ? '' : ` in ${pathText(path.slice(0, -1))}`
  const hint = guess ? `did you mean "${guess}"?` : `allowed here: ${allowed.join(', ')}`
  return diagnostic({ code: 'unknown_key', message: `unknown key "${key}"${where}`, hint }, source, {
    path,
    part: 'key',
  })
}

function oneOf(label: string, value: unknown, allowed: readonly string[]): [string, 'value', string | undefined] {
  const guess = typeof value === 'string' ? didYouMean(value, allowed) : undefined
  const given = typeof value === 'string' ? `"${value}"` : nounOf(value)
  const message = `${label} must be ${allowed.length > 1 ? 'one of ' : ''}${allowed.join(', ')}, not ${given}`
  return [message, 'value', guess && `did you mean "${guess}"?`]
}

function bound(issue: Extract<Issue, { code: 'too_small' | 'too_big' }>): string {
  if (!/^Too (small|big)/.test(issue.message)) return issue.message
  const limit = issue.code === 'too_small' ? issue.minimum : issue.maximum
  if (issue.code === 'too_small') return `must be ${issue.inclusive ? 'at least' : 'more than'} ${limit}`
  return `must be ${issue.inclusive ? 'at most' : 'less than'} ${limit}`
}

function diagnostic(
  what: Pick<Diagnostic, 'code' | 'message' | 'hint'>,
  source: YamlSource,
  where: { readonly path: KeyPath; readonly part: 'key' | 'value' },
): Diagnostic {
  return { severity: 'error', ...what, file: source.file, ...source.place(where.path, where.part) }
}

/** The value at a path, `undefined` where the path leads nowhere. */
export function valueAt(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  )
}

function isRecord(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null
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
