import { z } from 'zod'
import { durationMs } from '../../../protocol/words/duration.ts'
import { errorText } from '../../../protocol/words/error-text.ts'
import type { HttpToolCard } from '../../../protocol/team/team-tools.ts'
import type { Tool, ToolContext, ToolOutput } from '../../../protocol/tools/tool.ts'
import { parseJson } from '../../fs/parse-json.ts'
import { answer, complaint } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'

const maxBytes = 1 << 20
const maxResultChars = 30_000
/** Answers of a server that may do better in a moment. */
const busy: ReadonlySet<number> = new Set([429, 502, 503, 504])

const said = z.object({ text: z.string(), is_error: z.boolean().optional() })

type Env = Readonly<Record<string, string | undefined>>

/**
 * Makes a tool out of a declaration in a team file: a call is a POST of `{tool, call_id, input}` to its address. The
 * answer is text, or JSON `{text, is_error}`. The call's id is sent as `idempotency-key` too, so that a call that is
 * repeated after a crash can be told from a new one.
 *
 * @param env Where `${NAME}` in headers is looked up.
 * @throws When the input is no JSON Schema; `check` finds that first.
 * @example httpTool('Ticket', { description: 'Opens a ticket.', url: 'https://tickets.example.com/open' }, env)
 */
export function httpTool(name: string, card: HttpToolCard, env: Env): Tool {
  const reads = card.read_only ?? false
  return defineTool({
    name,
    description: card.description,
    input: httpToolInput(card),
    effect: 'network',
    isReadOnly: () => reads,
    isConcurrencySafe: () => reads,
    interrupt: reads ? 'cancel' : 'block',
    maxResultChars,
    timeout: durationMs(card.timeout ?? '30s'),
    ...(reads ? { retry: { times: 2, pauseMs: 500 } } : {}),
    run: (input, context) => post({ name, card, env }, input, context),
  })
}

/** The arguments of an HTTP tool as a schema: closed, whatever the declaration leaves open. */
export function httpToolInput({ input }: Pick<HttpToolCard, 'input'>): z.ZodType {
  const schema = { additionalProperties: false, ...(input ?? { type: 'object', properties: {} }) }
  return z.fromJSONSchema(schema)
}

interface Target {
  readonly name: string
  readonly card: HttpToolCard
  readonly env: Env
}

async function post({ name, card, env }: Target, input: unknown, context: ToolContext): Promise<ToolOutput> {
  const headers = headersOf(card, env)
  if ('missing' in headers) return complaint(`${name} needs the variable ${headers.missing}, which is not set.`)
  const body = JSON.stringify({ tool: name, call_id: context.callId, input })
  const always = {
    'content-type': 'application/json',
    accept: 'application/json, text/plain',
    'idempotency-key': context.callId,
  }
  try {
    const response = await fetch(card.url, {
      method: 'POST',
      headers: { ...headers.values, ...always },
      body,
      signal: context.signal,
      redirect: 'error',
    })
    const text = await bounded(response)
    return response.ok
      ? outputOf(text, response.headers.get('content-type') ?? '')
      : { ...complaint(`${name} answered ${response.status}: ${text}`), transient: busy.has(response.status) }
  } catch (error) {
    if (context.signal.aborted) throw error
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return { ...complaint(`${name} could not be reached: ${errorText(cause)}`), transient: true }
  }
}

function headersOf({ headers = {} }: HttpToolCard, env: Env) {
  const values: Record<string, string> = {}
  for (const [header, template] of Object.entries(headers)) {
    const missing = [...template.matchAll(/\$\{(\w+)\}/g)]
      .map(([, variable = '']) => variable)
      .find((each) => !env[each])
    if (missing !== undefined) return { missing }
    values[header] = template.replace(/\$\{(\w+)\}/g, (_, variable: string) => env[variable] ?? '')
  }
  return { values }
}

async function bounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  const body: AsyncIterable<Uint8Array> | null = response.body
  let size = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) break
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxBytes))
}

function outputOf(text: string, type: string): ToolOutput {
  if (/[/+]json\b/.test(type)) {
    const { success, data } = said.safeParse(parseJson(text))
    if (success) return data.is_error ? complaint(data.text) : answer(data.text || '[no text]')
  }
  return answer(text === '' ? '[no text]' : text)
}
