import type { z } from 'zod'
import type { Coercion, RefusalKind } from '../../protocol/tools/call-fact.ts'
import { coerceInput } from '../../rules/tools/coerce-input.ts'
import { didYouMean } from '../../rules/tools/did-you-mean.ts'
import type { CallDescription, DescribeCall, Tool, ToolEffect } from '../../protocol/tools/tool.ts'
import type { ToolUseBlock } from '../../protocol/conversation/message.ts'
import { noCheck, toolSpec } from './define/define-tool.ts'
import { builtinTools } from './registry.ts'

/**
 * Makes the pure judge of a turn's calls: which tool is meant, whether the arguments have its shape, and what the
 * dispatcher must know before running it. What cannot run is described with a refusal in words for the model.
 *
 * @param tools The tools granted for this turn, by canonical name.
 * @param absence Says why a tool that exists elsewhere is not there now, or null.
 * @param deferral Says why a tool that was not looked up yet cannot be called, or null.
 * @example
 * const describe = describeCall(new Map([['Read', read]]))
 * describe({ type: 'tool_use', id: 'c1', name: 'Raed', input: {} }).refusal // 'No such tool: Raed. Did you mean Read? …'
 */
export function describeCall(
  tools: ReadonlyMap<string, Tool>,
  absence: (name: string) => string | null = () => null,
  deferral: (name: string) => string | null = () => null,
): DescribeCall {
  return (call) => {
    const tool = toolByName(call.name, tools)
    if (!tool) {
      const later = deferral(call.name)
      if (later !== null) return deferred(call, later)
      const why = absence(call.name) ?? unknownTool(call.name, [...tools.keys()])
      return refused(call, call.name, { for: 'unknown', why })
    }
    if (call.malformed !== undefined) {
      const why = `InputValidationError: the arguments of ${tool.name} are not valid JSON: ${call.malformed}`
      return refused(call, tool.name, { for: 'malformed', why })
    }
    const read = readInput(tool, call.input)
    if ('error' in read)
      return refused(call, tool.name, { for: 'shape', why: wrongShape(tool, call.input, read.error) })
    const { data, coerced } = read
    const readOnly = holds(() => tool.isReadOnly(data))
    return {
      id: call.id,
      tool: tool.name,
      input: data,
      refusal: null,
      safe: holds(() => tool.isConcurrencySafe(data)),
      readOnly,
      ...(readOnly || !changing.has(tool.effect) ? {} : { changes: true }),
      interrupt: tool.interrupt,
      ...(tool.retry === null ? {} : { repeats: true }),
      checked: tool.check !== noCheck,
      ...(coerced === undefined ? {} : { coerced }),
    }
  }
}

const changing: ReadonlySet<ToolEffect> = new Set(['edit', 'execute'])

/** The input as the tool will get it. What has a wrong type is read again as the declared one before it is refused. */
function readInput(
  tool: Tool,
  input: unknown,
): { readonly data: unknown; readonly coerced?: readonly Coercion[] } | { readonly error: z.ZodError } {
  const parsed = tool.input.safeParse(input)
  if (parsed.success) return { data: parsed.data }
  const coerced = coerceInput(input, toolSpec(tool).parameters)
  if (coerced === null) return parsed
  const again = tool.input.safeParse(coerced.input)
  return again.success ? { data: again.data, coerced: coerced.changes } : again
}

function refused(
  call: ToolUseBlock,
  tool: string,
  { for: refusedFor, why: refusal }: { readonly for: RefusalKind; readonly why: string },
): CallDescription {
  const { id, input } = call
  return { id, tool, input, refusal, refusedFor, safe: false, readOnly: false, interrupt: 'block', checked: false }
}

/** The model has not seen the schema, so the input is not held against it. */
function deferred({ id, name: tool, input }: ToolUseBlock, why: string): CallDescription {
  const careful = { safe: false, readOnly: false, interrupt: 'block', checked: false } as const
  return { id, tool, input, refusal: null, ...careful, gated: true, deferred: { why, denied: false } }
}

/** A judgement that throws is no permission: the restrictive answer stands. */
function holds(judge: () => boolean): boolean {
  try {
    return judge()
  } catch {
    return false
  }
}

function unknownTool(name: string, available: readonly string[]): string {
  const near = didYouMean(name, available)
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  const list = available.length === 0 ? 'none' : available.join(', ')
  return `No such tool: ${name}.${hint} Available: ${list}`
}

function wrongShape(tool: Tool, input: unknown, error: z.ZodError): string {
  const lines = error.issues.map((issue) => `- ${place(issue.path)}${wrongPart(issue, input)}`)
  return [`InputValidationError: the arguments of ${tool.name} are wrong:`, ...lines].join('\n')
}

/** Most often something was left out, and what came instead is no news. */
function wrongPart(issue: z.core.$ZodIssue, input: unknown): string {
  if (issue.code === 'invalid_union' && issue.errors.length > 0) return noneFits(issue, input)
  const missing = issue.code === 'invalid_type' && partAt(input, issue.path) === undefined
  return missing ? `missing, expected ${issue.expected}` : issue.message
}

/** The complaint of each shape that the input may have. */
function noneFits({ errors, path }: z.core.$ZodIssueInvalidUnion, input: unknown): string {
  const wanted = errors.map((issues) =>
    issues
      .map((issue) => `${place(issue.path)}${wrongPart({ ...issue, path: [...path, ...issue.path] }, input)}`)
      .join(', '),
  )
  return [...new Set(wanted)].join('; or ')
}

function partAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown> | null)?.[key], input)
}

/** `['subtasks', 0, 'worker']` → `subtasks[0].worker: `. */
function place(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  return text === '' ? '' : `${text.replace(/^\./, '')}: `
}

const canonicalByAlias = new Map(
  builtinTools.flatMap((tool) => tool.aliases.map((alias) => [alias, tool.name] as const)),
)

/**
 * Finds the tool a model means among those granted to it. An alias counts only when a built-in declares it: a tool
 * from elsewhere cannot make itself the answer to another tool's name.
 *
 * @example toolByName('read_file', granted) === granted.get('Read')
 */
export function toolByName(name: string, granted: ReadonlyMap<string, Tool>): Tool | undefined {
  const exact = granted.get(name)
  if (exact) return exact
  const canonical = canonicalByAlias.get(name)
  return canonical === undefined ? undefined : granted.get(canonical)
}
