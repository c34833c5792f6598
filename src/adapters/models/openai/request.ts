import type { ModelRequest, ServerTool } from '../../../protocol/models/model.ts'
import type { ToolSpec } from '../../../protocol/tools/tool.ts'
import { flatSchema } from '../served/flat-schema.ts'
import { wellFormed, writersBySpelling } from '../served/history.ts'
import { samplingOf } from '../served/sampling.ts'
import { effortName, effortNames, effortRefusals, type HighEffort } from '../served/effort.ts'
import { cacheKey } from '../served/openai-client.ts'
import { responsesDialect } from './rounds.ts'
import { imageNames, imageRefusals, type ImageFeature } from '../served/image-view.ts'
import { forcedTool, serverToolRefusal, serverToolsName, wireName } from '../served/tool-names.ts'

/** Features that servers of this API may refuse; named as `responsesRefusals` knows them. */
export type ResponsesFeature =
  | 'key'
  | 'seal'
  | ImageFeature
  | 'documents'
  | 'summary'
  | HighEffort
  | 'server_tools'
  | 'sampling'
  | 'effort'
  | 'format'

/**
 * Patterns of a refusal of each feature. Models that do not reason refuse to be asked for sealed reasoning, and a seal
 * of another organisation's model cannot be opened.
 */
export const responsesRefusals: Readonly<Record<ResponsesFeature, RegExp>> = {
  key: /prompt_cache_key/i,
  seal: /encrypted[ _]content|'?include'?/i,
  ...imageRefusals,
  images: /image/i,
  documents: /input_file|file_data|\bpdf\b/i,
  // OpenAI shows its reasoning to verified organisations alone.
  summary: /reasoning\W*summar(y|ies)/i,
  server_tools: serverToolRefusal,
  ...effortRefusals,
  sampling: /temperature|top_p/i,
  format: /text\.format|json_schema/i,
}

/** Features by the names of those that people miss. */
export const responsesNames: Readonly<Partial<Record<ResponsesFeature, string>>> = {
  ...imageNames,
  ...effortNames,
  summary: 'visible thinking',
  documents: 'documents',
  sampling: 'temperature and top_p',
  server_tools: serverToolsName,
  format: 'a strict shape of answers',
}

type Conceded = ReadonlySet<ResponsesFeature>

/**
 * Writes requests of the Responses API as text. Nothing is stored at the vendor's: reasoning travels back and
 * forth encrypted.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/create
 */
export function responsesRequests(model: string): (request: ModelRequest, conceded: Conceded) => string {
  const write = writersBySpelling(responsesDialect)
  return (request, conceded) => {
    const { system, messages, tools, output, max_tokens, sampling } = request
    const forced = output && conceded.has('format') ? [forcedTool(output)] : []
    const served = conceded.has('server_tools') ? [] : (sampling?.server_tools ?? [])
    const all = [...[...tools, ...forced].map(toolOf), ...served.map((tool) => serverToolTypes[tool])]
    const head = wellFormed({
      model,
      stream: true,
      store: false,
      ...(conceded.has('key') ? {} : { prompt_cache_key: cacheKey(request) }),
      ...(conceded.has('seal') ? {} : { include: ['reasoning.encrypted_content'] }),
      ...(system.trim() === '' ? {} : { instructions: system }),
      ...(max_tokens === undefined ? {} : { max_output_tokens: max_tokens }),
      ...reasoningOf(request, conceded),
      ...samplingOf(request, conceded),
      ...formOf(request, conceded),
      ...(all.length === 0 ? {} : { tools: all }),
    }).slice(0, -1)
    const spelling = { unread: conceded.has('documents'), unsealed: conceded.has('seal') }
    return `${head},"input":[${write(messages, spelling)}]}`
  }
}

/** @see https://platform.openai.com/docs/guides/tools */
const serverToolTypes = {
  web_search: { type: 'web_search' },
  code_execution: { type: 'code_interpreter', container: { type: 'auto' } },
} satisfies Readonly<Record<ServerTool, object>>

function toolOf({ name, description, parameters }: ToolSpec): unknown {
  return { type: 'function', name: wireName(name), description, parameters: flatSchema(parameters), strict: false }
}

function reasoningOf(request: ModelRequest, conceded: Conceded): object {
  const effort = effortName(request, conceded)
  const summary = conceded.has('summary') ? undefined : summaryOf(request)
  return effort === undefined && summary === undefined ? {} : { reasoning: { effort, summary } }
}

/** The length of the summary of reasoning; without one the vendor shows no reasoning. */
function summaryOf({ thinking_display: display, thinking_budget }: ModelRequest): string | undefined {
  if (display === undefined || display === 'omitted' || thinking_budget === 0) return undefined
  return display === 'summarized' ? 'auto' : display
}

function formOf({ output }: ModelRequest, conceded: Conceded): object {
  if (output === undefined) return {}
  const { name } = output
  if (conceded.has('format')) return output.after_tools ? {} : { tool_choice: { type: 'function', name } }
  return { text: { format: { type: 'json_schema', name, schema: flatSchema(output.schema), strict: false } } }
}
