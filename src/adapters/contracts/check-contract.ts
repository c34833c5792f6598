import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Contract } from '../../protocol/mail/envelope.ts'
import { errorText } from '../../protocol/words/error-text.ts'

/**
 * Owns the question whether a text keeps a contract, which is a JSON Schema that a model wrote.
 * 1. Nothing is fetched: a schema that refers to another document is refused.
 * 2. `$schema` is not looked at: schemas of the drafts in use read alike as far as models write them.
 * 3. A format is a hint to the model and is not checked.
 */

/** Schemas longer than this are no contract but a document. */
const longestSchema = 16 * 1024
const mostProblems = 8

/**
 * The mistake in a contract itself, or null.
 *
 * @example contractFlaw({ type: 'objekt' }) // 'schema is invalid: data/type must be equal to one of the allowed values'
 */
export function contractFlaw(contract: Contract): string | null {
  if (JSON.stringify(contract).length > longestSchema) return `it is longer than ${longestSchema} characters`
  const compiled = compile(contract)
  return typeof compiled === 'string' ? compiled : null
}

/** A text that keeps its contract, as the JSON in it, or what is wrong with it in words for whoever wrote it. */
export type Kept = { readonly json: string } | { readonly problems: readonly string[] }

/**
 * Reads the JSON value in a text, fenced or bare, and holds it against a contract.
 * @example checkContract({ type: 'object', required: ['n'] }, '{"n": 1}') // { json: '{"n":1}' }
 */
export function checkContract(contract: Contract, text: string): Kept {
  const value = jsonIn(text)
  if (value === undefined) return { problems: ['it is not one JSON value'] }
  const check = compile(contract)
  if (typeof check === 'string') return { problems: [`the contract cannot be checked: ${check}`] }
  if (check(value)) return { json: JSON.stringify(value) }
  return { problems: (check.errors ?? []).slice(0, mostProblems).map(problemText) }
}

function compile({ $schema: _, ...schema }: Contract): ValidateFunction | string {
  try {
    return new Ajv2020({ strict: false, allErrors: true, validateFormats: false, logger: false }).compile(schema)
  } catch (error) {
    return errorText(error)
  }
}

function jsonIn(text: string): unknown {
  const fenced = /^[^]*?```(?:json)?\s*\n([^]*?)\n\s*```\s*$/.exec(text)?.[1]
  for (const candidate of [text, fenced ?? '']) {
    try {
      return JSON.parse(candidate) as unknown
    } catch {
      // The next candidate, or none.
    }
  }
  return undefined
}

function problemText({ instancePath, message = 'is wrong', params }: ErrorObject): string {
  const place = instancePath === '' ? 'the value' : instancePath
  const extra: unknown = (params as Record<string, unknown>)['additionalProperty']
  return `${place} ${message}${typeof extra === 'string' ? `: ${extra}` : ''}`
}
