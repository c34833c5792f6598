import type { ModelRequest, OutputShape } from '../../../protocol/models/model.ts'
import type { ToolSpec } from '../../../protocol/tools/tool.ts'
import { flatSchema } from '../served/flat-schema.ts'
import { chatDialect, type ChatSpelling } from './rounds.ts'
import { toolsText } from './told-tools.ts'
import { wellFormed, writersBySpelling } from '../served/history.ts'
import { samplingOf } from '../served/sampling.ts'
import { effortName, effortNames, effortRefusals, type HighEffort } from '../served/effort.ts'
import { plainSchema } from '../served/plain-schema.ts'
import { imageNames, imageRefusals, type ImageFeature } from '../served/image-view.ts'
import { forcedTool, wireName } from '../served/tool-names.ts'

/** Features that servers which imitate this API may not know; named as `chatRefusals` knows them. */
export type ChatFeature =
  | 'tools'
  | 'count'
  | 'cache'
  | 'ids'
  | 'order'
  | 'nulls'
  | 'documents'
  | ImageFeature
  | 'thoughts'
  | 'reasons'
  | 'signatures'
  | 'extras'
  | 'schemas'
  | HighEffort
  | 'display'
  | 'sampling'
  | 'effort'
  | 'force'
  | 'format'
  | 'limit'

/** Patterns of a refusal of each feature. The limit's name changed: old servers know the one, new models the other. */
export const chatRefusals: Readonly<Record<ChatFeature, RegExp>> = {
  // Ollama, vLLM and llama.cpp, for a model or a start without calls.
  tools: /does not support tools|tool choice requires|--jinja|tool (use|calling) is not supported/i,
  count: /stream_options|include_usage/i,
  cache: /cache_control/i,
  // Mistral takes ids of nine letters and digits, OpenAI of forty: those of another model that answered before are not.
  ids: /tool call id|\bid'?: string too long/i,
  // Mistral hears nobody between results and what the model makes of them.
  order: /after role|roles must alternate/i,
  nulls: /\bcontent\b.*(nil|null|none\b|string)/i,
  documents: /file_data|\bpdf\b|\bfiles?\b.*(support|input|content)|(invalid|unsupported|support).*\bfiles?\b/i,
  ...imageRefusals,
  images: /image|multimodal|vision|content.*(must be|should be|valid).*string/i,
  // DeepSeek and Moonshot want to see what was thought before every call, whoever made it; others refuse to.
  thoughts: /reasoning_content.*(missing|must be passed)/i,
  reasons: /reasoning_(content|details|text)|messages.*reasoning/i,
  signatures: /thought_?signature/i,
  extras: /extra_content/i,
  // Gemini knows few words of JSON Schema.
  schemas: /unknown name|function_?declarations|invalid schema/i,
  display: /include_thoughts|thinking_config|extra_body|\bexclude\b/i,
  ...effortRefusals,
  sampling: /temperature|top_p/i,
  // A model that thinks cannot be made to call a tool (DeepSeek, Moonshot, Qwen).
  force: /tool_choice/i,
  format: /response_format|json_schema/i,
  limit:
    /(unsupported|unknown|unrecogni[sz]ed|unexpected).*max_(completion_)?tokens|max_(completion_)?tokens\W.*(not supported|not permitted|unsupported)/i,
}

/** Features by the names of those that people miss. */
export const chatNames: Readonly<Partial<Record<ChatFeature, string>>> = {
  tools: 'tool calls of its own',
  documents: 'documents',
  ...imageNames,
  ...effortNames,
  display: 'visible thinking',
  sampling: 'temperature and top_p',
  format: 'a strict shape of answers',
  cache: 'cache marks',
}

type Conceded = ReadonlySet<ChatFeature>

/**
 * Writes requests of the chat completions API as text, for OpenAI and everyone who imitates it.
 *
 * @param provider the known name of the server: some take files, or have words of their own for thinking that is shown
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
export function chatRequests(model: string, provider = ''): (request: ModelRequest, conceded: Conceded) => string {
  const write = writersBySpelling(chatDialect)
  const isMarked = /claude/i.test(model)
  return (request, conceded) => {
    const { system, messages, tools, output } = request
    const forced = output && isTool(output, conceded) ? [forcedTool(output)] : []
    const all = [...tools, ...forced].map((tool) => toolOf(tool, conceded))
    const inWords = conceded.has('tools') && all.length > 0
    const offered = inWords || all.length === 0 ? {} : { tools: all }
    const shown = conceded.has('display') ? {} : displayOf(request, provider)
    const unread = conceded.has('documents') || !takesFiles(provider)
    const reading = unread ? {} : readingOf(request, provider)
    const asked = { model, stream: true, ...askedFor(request, conceded), ...shown, ...reading, ...offered }
    const parted = isMarked && !conceded.has('cache')
    const prompt = inWords ? `${system}\n\n${toolsText(all)}`.trimStart() : system
    const marked = parted ? [{ type: 'text', text: prompt, ...mark }] : prompt
    const told = prompt.trim() === '' ? '' : wellFormed({ role: 'system', content: marked })
    const said = write(
      messages,
      { ...spellingOf(conceded), parted, unread },
      parted ? `,${JSON.stringify(mark).slice(1, -1)}` : '',
    )
    const items = [told, said].filter((text) => text !== '').join(',')
    return `${wellFormed(asked).slice(0, -1)},"messages":[${items}]}`
  }
}

/** Gateways to Claude take the marks of its own API; models of others keep what they like. */
const mark = { cache_control: { type: 'ephemeral' } }

function spellingOf(conceded: Conceded): Omit<ChatSpelling, 'parted' | 'unread'> {
  return {
    told: conceded.has('tools'),
    brief: conceded.has('ids'),
    bridged: conceded.has('order'),
    filled: conceded.has('nulls'),
    thoughtful: conceded.has('thoughts'),
    thoughtless: conceded.has('reasons'),
    signed: conceded.has('signatures'),
    unsealed: conceded.has('extras'),
  }
}

function askedFor(request: ModelRequest, conceded: Conceded): object {
  const { max_tokens, output } = request
  const effort = effortName(request, conceded)
  return {
    ...(conceded.has('count') ? {} : { stream_options: { include_usage: true } }),
    ...(max_tokens === undefined
      ? {}
      : { [conceded.has('limit') ? 'max_completion_tokens' : 'max_tokens']: max_tokens }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...samplingOf(request, conceded),
    stop: request.sampling?.stop,
    ...(output === undefined ? {} : formOf(output, conceded)),
  }
}

/**
 * Whether a server is known to read a PDF that goes as a file. Others may pass over what they do not know.
 *
 * @see https://platform.openai.com/docs/guides/pdf-files
 * @see https://openrouter.ai/docs/features/multimodal/pdfs
 */
export function takesFiles(provider: string): boolean {
  return provider === 'openai' || provider === 'openrouter'
}

/** Whether a document stands in the conversation. */
export function hasDocument({ messages }: ModelRequest): boolean {
  return messages.some((each) => each.role === 'user' && each.content.some(({ type }) => type === 'document'))
}

/** Without these words OpenRouter has a paid reader read the file again for each request to a model that cannot. */
function readingOf(request: ModelRequest, provider: string): object {
  if (provider !== 'openrouter' || !hasDocument(request)) return {}
  return { plugins: [{ id: 'file-parser', pdf: { engine: 'native' } }] }
}

/**
 * @see https://ai.google.dev/gemini-api/docs/openai#thinking
 * @see https://openrouter.ai/docs/use-cases/reasoning-tokens
 */
function displayOf({ thinking_display: display, thinking_budget }: ModelRequest, provider: string): object {
  if (display === undefined || thinking_budget === 0) return {}
  if (provider === 'openrouter') return display === 'omitted' ? { reasoning: { exclude: true } } : {}
  if (provider !== 'gemini') return {}
  return { extra_body: { google: { thinking_config: { include_thoughts: display !== 'omitted' } } } }
}

/** Imitators of this API hold a model to a form at once, before it has used a tool. */
function isTool({ after_tools }: OutputShape, conceded: Conceded): boolean {
  return conceded.has('format') || after_tools === true
}

function formOf(output: OutputShape, conceded: Conceded): object {
  const { name, schema, after_tools } = output
  if (isTool(output, conceded))
    return conceded.has('force') || conceded.has('tools') || after_tools
      ? {}
      : { tool_choice: { type: 'function', function: { name } } }
  return { response_format: { type: 'json_schema', json_schema: { name, schema: flatSchema(schema), strict: false } } }
}

function toolOf({ name, description, parameters }: ToolSpec, conceded: Conceded): object {
  const flat = flatSchema(parameters)
  const schema = conceded.has('schemas') ? plainSchema(flat) : flat
  return { type: 'function', function: { name: wireName(name), description, parameters: schema } }
}
