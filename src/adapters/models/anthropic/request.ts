import type { CacheTtl, Effort, ModelRequest, ServerTool } from '../../../protocol/models/model.ts'
import type { ToolSpec } from '../../../protocol/tools/tool.ts'
import { usualAnswer } from '../../../rules/conversation/answer-length.ts'
import { anthropicDialect, mayThink, type AnthropicSpelling } from './rounds.ts'
import { flatSchema } from '../served/flat-schema.ts'
import { nearestEffort } from '../served/effort.ts'
import { wellFormed, writersBySpelling } from '../served/history.ts'
import { imageNames, imageRefusals, type ImageFeature } from '../served/image-view.ts'
import { forcedTool, serverToolRefusal, serverToolsName, wireKey, wireName } from '../served/tool-names.ts'

/** Features that servers of this API, and gateways to it, may refuse; named as `anthropicRefusals` knows them. */
export type AnthropicFeature =
  | 'cache'
  | ImageFeature
  | 'documents'
  | 'display'
  | 'budget'
  | 'adaptive'
  | 'unsigned'
  | 'thoughts'
  | 'format'
  | 'effort'
  | 'advisor'
  | 'server_tools'
  | 'sampling'

/** Patterns of a refusal of each feature; tried in this order. */
export const anthropicRefusals: Readonly<Record<AnthropicFeature, RegExp>> = {
  advisor: /advisor/i,
  server_tools: serverToolRefusal,
  cache: /cache_control/i,
  ...imageRefusals,
  images: /\bimage/i,
  documents: /\bdocument\b|\bpdf\b/i,
  display: /\bdisplay\b/i,
  budget: /budget_tokens|type\W*enabled\W*(is )?not supported/i,
  adaptive: /adaptive/i,
  // DeepSeek wants to see what was thought before every call, whoever made it.
  unsigned: /thinking.*must be passed/i,
  thoughts: /thinking|thought_?\s?signature/i,
  format: /output_config|output_format|json_schema/i,
  effort: /output_config|effort/i,
  sampling: /temperature|top_p/i,
}

/** Features by the names of those that people miss. */
export const anthropicNames: Readonly<Partial<Record<AnthropicFeature, string>>> = {
  ...imageNames,
  documents: 'documents',
  cache: 'cache marks',
  display: 'visible thinking',
  budget: 'a budget of thinking',
  adaptive: 'thinking',
  thoughts: 'thinking',
  format: 'a strict shape of answers',
  effort: 'an effort',
  sampling: 'temperature and top_p',
  server_tools: serverToolsName,
}

type Conceded = ReadonlySet<AnthropicFeature>

const leastThinking = 1_024
const leastAdvice = 1_024

/** Headers of a request that asks for what is not there for everybody yet. */
export function betaHeaders({ advisor, sampling }: ModelRequest): { readonly 'anthropic-beta': string } | undefined {
  const betas = [...(advisor ? ['advisor-tool-2026-03-01'] : []), ...(sampling?.betas ?? [])]
  return betas.length === 0 ? undefined : { 'anthropic-beta': betas.join(',') }
}

/**
 * Writes requests of the Messages API as text, valid by construction: roles alternate, every `tool_use` is
 * followed by its result, nothing is empty. Cache breakpoints sit on the tools, the system prompt, the end of the request
 * before and the end of this one: a server looks back from each over twenty blocks, and a turn may add more.
 *
 * @see https://docs.claude.com/en/api/messages
 */
export function anthropicRequests(model: string): (request: ModelRequest, conceded: Conceded) => string {
  const write = writersBySpelling(anthropicDialect)
  return (request, conceded) => {
    const { system } = request
    const { head: kept, talk } = conceded.has('cache') ? noMarks : marksOf(request)
    const head = wellFormed({
      model,
      stream: true,
      ...askedFor(request, conceded),
      ...(system.trim() === '' ? {} : { system: [{ type: 'text', text: system, ...kept }] }),
    }).slice(0, -1)
    const messages = write(request.messages, spellingOf(request, conceded), talk)
    return `${head}${toolsOf(request, conceded, kept)},"messages":[${messages}]}`
  }
}

/** Marks of what is to be kept: as a field for tools and the system prompt, as text for the conversation. */
interface Marks {
  readonly head: object
  readonly talk: string
}

const noMarks: Marks = { head: {}, talk: '' }

function marksOf({ cache }: ModelRequest): Marks {
  return { head: markFor(cache?.head), talk: `,${JSON.stringify(markFor(cache?.talk)).slice(1, -1)}` }
}

function markFor(ttl: CacheTtl = '5m'): object {
  return { cache_control: { type: 'ephemeral', ...(ttl === '5m' ? {} : { ttl }) } }
}

function spellingOf(request: ModelRequest, conceded: Conceded): AnthropicSpelling {
  return {
    unadvised: !isAdvised(request, conceded),
    unread: conceded.has('documents'),
    thoughtless: conceded.has('thoughts'),
    unsigned: conceded.has('unsigned'),
  }
}

/** The tools of a request, and the one that its answer is forced into where no other way is left. */
function toolsOf(request: ModelRequest, conceded: Conceded, mark: object): string {
  const { tools, output, advisor, sampling } = request
  const forced = output && conceded.has('format') ? [forcedTool(output)] : []
  const all = [...tools, ...forced].map(toolOf)
  if (isAdvised(request, conceded)) all.push(advisorTool(advisor))
  if (!conceded.has('server_tools')) all.push(...(sampling?.server_tools ?? []).map((tool) => serverToolTypes[tool]))
  const last = all.at(-1)
  if (last === undefined) return ''
  return `,"tools":${wellFormed([...all.slice(0, -1), { ...last, ...mark }])}`
}

/** Without it in the tools nothing of it may stand in the history. */
function isAdvised({ advisor }: ModelRequest, conceded: Conceded): boolean {
  return advisor !== undefined && !conceded.has('advisor')
}

/** @see https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool */
const serverToolTypes = {
  web_search: { type: 'web_search_20250305', name: 'web_search' },
  code_execution: { type: 'code_execution_20250825', name: 'code_execution' },
} satisfies Readonly<Record<ServerTool, object>>

/** @see https://platform.claude.com/docs/en/agents-and-tools/tool-use/advisor-tool */
function advisorTool(advisor: ModelRequest['advisor']): object {
  const { model = '', max_uses = 1, max_tokens = leastAdvice } = advisor ?? {}
  return { type: 'advisor_20260301', name: 'advisor', model, max_uses, max_tokens: Math.max(max_tokens, leastAdvice) }
}

function toolOf({ name, description, parameters }: ToolSpec): object {
  return { name: wireName(name), ...(description === '' ? {} : { description }), input_schema: spelled(parameters) }
}

/** This vendor looks at the names of the parameters, too. */
function spelled(parameters: ToolSpec['parameters']): unknown {
  const { properties = {}, required = [], ...schema } = flatSchema(parameters)
  const shapes = Object.entries(properties as object).map(
    ([key, shape]: [string, unknown]) => [wireKey(key), shape] as const,
  )
  const names = (required as readonly string[]).map(wireKey)
  return { ...schema, properties: Object.fromEntries(shapes), ...(names.length === 0 ? {} : { required: names }) }
}

/** Limits, thinking and form: what the vendor lets stand side by side. */
function askedFor(request: ModelRequest, conceded: Conceded): Readonly<Record<string, unknown>> {
  const { output } = request
  const effort = effortOf(request, conceded)
  const isNative = output !== undefined && !conceded.has('format')
  const isForced = output !== undefined && !isNative && !output.after_tools
  const thinking = isForced ? undefined : thinkingOf(request, conceded)
  const config = {
    ...(effort === undefined ? {} : { effort }),
    ...(!isNative ? {} : { format: { type: 'json_schema', schema: closed(output.schema) } }),
  }
  const max_tokens = request.max_tokens ?? usualAnswer + (thinking?.budget_tokens ?? 0)
  return {
    max_tokens,
    ...(thinking === undefined ? {} : { thinking }),
    ...samplingOf(request, conceded),
    ...(Object.keys(config).length === 0 ? {} : { output_config: config }),
    ...(isForced ? { tool_choice: { type: 'tool', name: output.name } } : {}),
  }
}

function samplingOf({ sampling = {} }: ModelRequest, conceded: Conceded): object {
  const { temperature, top_p, stop: stop_sequences, service_tier, metadata } = sampling
  return { ...(conceded.has('sampling') ? {} : { temperature, top_p }), stop_sequences, service_tier, metadata }
}

/** How hard to think; a budget that the server does not take becomes the nearest effort. */
function effortOf({ effort, thinking_budget: budget = 0 }: ModelRequest, conceded: Conceded): Effort | undefined {
  if (conceded.has('effort')) return undefined
  if (effort !== undefined || budget === 0 || !conceded.has('budget')) return effort
  return nearestEffort(budget)
}

interface Thinking {
  readonly type: 'enabled' | 'adaptive' | 'disabled'
  readonly budget_tokens?: number
  readonly display?: 'summarized' | 'omitted'
}

/** Thinking that shall be seen has to be asked for: some models think by themselves, others do not. */
function thinkingOf(request: ModelRequest, conceded: Conceded): Thinking | undefined {
  const { thinking_budget: budget, effort, max_tokens = Number.POSITIVE_INFINITY } = request
  const shown = displayOf(request, conceded)
  const isAsked = budget !== undefined || effort !== undefined || shown.display === 'summarized'
  if (conceded.has('thoughts') || !isAsked) return undefined
  if (budget === 0) return { type: 'disabled' }
  if (budget === undefined || conceded.has('budget'))
    return conceded.has('adaptive') ? undefined : { type: 'adaptive', ...shown }
  const room = Math.min(Math.max(budget, leastThinking), max_tokens - leastThinking)
  return room < leastThinking || !mayThink(request.messages)
    ? undefined
    : { type: 'enabled', budget_tokens: Math.floor(room), ...shown }
}

/** @see https://platform.claude.com/docs/en/build-with-claude/thinking#controlling-thinking-display */
function displayOf({ thinking_display: display }: ModelRequest, conceded: Conceded): Pick<Thinking, 'display'> {
  if (display === undefined || conceded.has('display')) return {}
  return { display: display === 'omitted' ? 'omitted' : 'summarized' }
}

/** Every object of the shape names all it may hold, as this vendor wants it. */
function closed(schema: Readonly<Record<string, unknown>>): unknown {
  return closeObjects(flatSchema(schema))
}

function closeObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeObjects)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closeObjects(value)]))
  const isObject = inner['type'] === 'object' && typeof inner['properties'] === 'object'
  return isObject ? { ...inner, additionalProperties: false } : inner
}
