import type { BlockList } from 'node:net'
import { z } from 'zod'
import { durationMs } from '../../../protocol/words/duration.ts'
import { errorText } from '../../../protocol/words/error-text.ts'
import type { HttpToolCard } from '../../../protocol/team/team-tools.ts'
import type { Tool, ToolContext, ToolOutput } from '../../../protocol/tools/tool.ts'
import { sentBy, sentVariables } from '../../../rules/settings/settings-trust.ts'
import { parseJson } from '../../fs/parse-json.ts'
import { answer, complaint } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { blockedAddresses } from '../web/blocked-addresses.ts'
import { BlockedAddress, openWeb, type GuardedWeb, type WebAnswer } from '../web/guarded-web.ts'

const maxBytes = 1 << 20
const maxResultChars = 30_000
/** Answers of a server that may do better in a moment. */
const busy: ReadonlySet<number> = new Set([429, 502, 503, 504])

const said = z.object({ text: z.string(), is_error: z.boolean().optional() })

/** The world of an HTTP tool. */
export interface HttpToolSources {
  /** Where `${NAME}` in headers is looked up. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** A person trusted that the variables in its headers are sent to its address. */
  readonly trusted: boolean
  /** Addresses that it may not reach; those that are closed to WebFetch by default. */
  readonly blocked?: BlockList
}

/**
 * Makes a tool out of a declaration in a team file: a call is a POST of `{tool, call_id, input}` to its address. The
 * answer is text, or JSON `{text, is_error}`. The call's id is sent as `idempotency-key` too, so that a call that is
 * repeated after a crash can be told from a new one.
 *
 * @throws When the input is no JSON Schema; `check` finds that first.
 * @example httpTool('Ticket', { description: 'Opens a ticket.', url: 'https://tickets.example.com/open' }, { env, trusted })
 */
export function httpTool(name: string, card: HttpToolCard, sources: HttpToolSources): Tool {
  const reads = card.read_only ?? false
  const timeout = durationMs(card.timeout ?? '30s')
  let opening: Promise<GuardedWeb> | undefined
  const web = (): Promise<GuardedWeb> =>
    (opening ??= openWeb({ blocked: sources.blocked ?? blockedAddresses(), patienceMs: timeout }))
  return defineTool({
    name,
    description: card.description,
    input: httpToolInput(card),
    effect: 'network',
    isReadOnly: () => reads,
    isConcurrencySafe: () => reads,
    interrupt: reads ? 'cancel' : 'block',
    maxResultChars,
    timeout,
    reaches: { url: card.url, variables: sentVariables(card) },
    ...(reads ? { retry: { times: 2, pauseMs: 500 } } : {}),
    run: (input, context) => post({ name, card, sources, web }, input, context),
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
  readonly sources: HttpToolSources
  web(): Promise<GuardedWeb>
}

async function post({ name, card, sources, web }: Target, input: unknown, context: ToolContext): Promise<ToolOutput> {
  const headers = headersOf(card, sources.env)
  const sent = sentBy(name, card)
  if (sent !== null && !sources.trusted)
    return complaint(`Not sent: ${sent}, and no person has trusted that yet (troupe trust, or --trust).`)
  if ('missing' in headers) return complaint(`${name} needs the variable ${headers.missing}, which is not set.`)
  const body = JSON.stringify({ tool: name, call_id: context.callId, input })
  const always = {
    'content-type': 'application/json',
    accept: 'application/json, text/plain',
    'idempotency-key': context.callId,
  }
  try {
    const sending = { headers: { ...headers.values, ...always }, body }
    const response = await (await web()).post(new URL(card.url), sending, context.signal)
    const text = await bounded(response)
    const { status } = response
    return status >= 200 && status < 300
      ? outputOf(text, response.header('content-type') ?? '')
      : { ...complaint(`${name} answered ${status}: ${text}`), transient: busy.has(status) }
  } catch (error) {
    if (context.signal.aborted) throw error
    if (error instanceof BlockedAddress)
      return complaint(`${name}: ${error.message}. Only the public web is open to it.`)
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return { ...complaint(`${name} could not be reached: ${errorText(cause)}`), transient: true }
  }
}

function headersOf({ headers = {} }: HttpToolCard, env: HttpToolSources['env']) {
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

async function bounded({ body }: WebAnswer): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
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
