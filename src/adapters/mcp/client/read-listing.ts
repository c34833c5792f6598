import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import { hash } from 'node:crypto'
import { z } from 'zod'
import type { McpListing, McpPrompt, McpTool } from '../../../protocol/mcp/listing.ts'
import { errorText } from '../../../protocol/words/error-text.ts'
import { cutWords } from '../../../rules/mcp/cut-words.ts'
import { schemaFault } from './check-schema.ts'
import { writtenLength } from './schema-length.ts'

/** Pages of one list, and things in it, after which a server is not asked for more. */
const mostPages = 100
const mostItems = 5_000
/** The longest schema of one tool, in characters of JSON: as the server sent it, and with its references written out. */
const longestSchema = 100_000
const longestWritten = 200_000

const toolShape = z.looseObject({
  name: z.string().min(1),
  description: z.string().optional(),
  inputSchema: z.record(z.string(), z.unknown()),
  outputSchema: z.record(z.string(), z.unknown()).optional(),
  annotations: z
    .looseObject({ readOnlyHint: z.boolean().optional(), destructiveHint: z.boolean().optional() })
    .optional(),
  execution: z.looseObject({ taskSupport: z.string().optional() }).optional(),
})

const promptShape = z.looseObject({
  name: z.string().min(1),
  description: z.string().optional(),
  arguments: z.array(z.looseObject({ name: z.string(), required: z.boolean().optional() })).optional(),
})

/**
 * Asks a server what it offers. One thing that cannot be used takes nothing from the rest: it is left out, and the
 * listing says so.
 *
 * @throws when the server does not answer, or answers something that is no list
 */
export async function readListing(client: Client, options: RequestOptions): Promise<McpListing> {
  const { tools: hasTools, prompts: hasPrompts, resources } = client.getServerCapabilities() ?? {}
  const warnings: string[] = []
  const tools = hasTools ? await pages(client, { method: 'tools/list', key: 'tools' }, { options, warnings }) : []
  const prompts = hasPrompts ? await promptsOf(client, { options, warnings }) : []
  return {
    instructions: cutWords(client.getInstructions() ?? ''),
    tools: usableTools(tools, warnings),
    prompts,
    resources: resources !== undefined,
    warnings: shortened(warnings),
  }
}

/** Each of them becomes a fact: a server may have thousands. */
const mostWarnings = 20

function shortened(warnings: readonly string[]): readonly string[] {
  if (warnings.length <= mostWarnings) return warnings
  return [...warnings.slice(0, mostWarnings), `and ${warnings.length - mostWarnings} more of this kind`]
}

interface Reading {
  readonly options: RequestOptions
  readonly warnings: string[]
}

interface List {
  readonly method: 'tools/list' | 'prompts/list' | 'resources/list'
  readonly key: string
  readonly _meta?: { readonly traceparent: string }
}

/** All pages of a list, until the server says that there are no more, or says the same again. */
export async function pages(
  client: Client,
  { method, key, ...meta }: List,
  { options, warnings }: Reading,
): Promise<unknown[]> {
  const page = z.looseObject({ [key]: z.array(z.unknown()), nextCursor: z.string().optional() })
  const items: unknown[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let n = 0; n < mostPages; n += 1) {
    const params = { ...meta, ...(cursor === undefined ? {} : { cursor }) }
    const answer = await client.request({ method, params }, page, options)
    items.push(...(answer[key] as unknown[]))
    const next = answer['nextCursor'] as string | undefined
    if (next === undefined || next === '') return items
    if (seen.has(next)) {
      warnings.push(`${method}: it gave the same cursor twice; what it listed until then counts`)
      return items
    }
    if (items.length >= mostItems) {
      warnings.push(`${method}: only the first ${mostItems} of its ${key} count`)
      return items.slice(0, mostItems)
    }
    seen.add(next)
    cursor = next
  }
  warnings.push(`${method}: it has more than ${mostPages} pages; what it listed until then counts`)
  return items
}

function usableTools(given: readonly unknown[], warnings: string[]): readonly McpTool[] {
  const names = new Set<string>()
  return given.slice(0, mostItems).flatMap((each): McpTool[] => {
    const { success, data, error } = toolShape.safeParse(each)
    if (!success) {
      const name = (each as { readonly name?: unknown } | null)?.name
      warnings.push(`tool ${JSON.stringify(name)?.slice(0, 80)} is left out: ${error.issues[0]?.message ?? ''}`)
      return []
    }
    const { name, description = '', inputSchema, outputSchema, annotations, execution } = data
    const wrong = names.has(name) ? 'another tool has its name' : wrongSchema(inputSchema)
    if (wrong !== null) {
      warnings.push(`tool "${name.slice(0, 80)}" is left out: ${wrong}`)
      return []
    }
    names.add(name)
    const checked = outputSchema !== undefined && wrongSchema(outputSchema) === null
    const words = cutWords(description)
    const said = [words, inputSchema, checked ? outputSchema : null]
    return [
      {
        name,
        description: words,
        inputSchema,
        ...(checked ? { outputSchema } : {}),
        mark: hash('sha256', JSON.stringify(said)).slice(0, 32),
        readOnly: annotations?.readOnlyHint === true,
        ...(annotations?.destructiveHint === true ? { destructive: true } : {}),
        ...(execution?.taskSupport === 'required' ? { task: true } : {}),
      },
    ]
  })
}

function wrongSchema(schema: Readonly<Record<string, unknown>>): string | null {
  if (schema['type'] !== 'object') return 'its schema is not of type object'
  try {
    const { length } = JSON.stringify(schema)
    if (length > longestSchema) return `its schema has ${length} characters, more than ${longestSchema}`
    const written = writtenLength(schema)
    if (written > longestWritten) return `its references written out have more than ${longestWritten} characters`
    return schemaFault(schema)
  } catch {
    return 'its schema is too deep'
  }
}

/** Prompts are no tools: a server that fails to list them keeps its tools. */
async function promptsOf(client: Client, reading: Reading): Promise<readonly McpPrompt[]> {
  try {
    const given = await pages(client, { method: 'prompts/list', key: 'prompts' }, reading)
    return given.flatMap((each): McpPrompt[] => {
      const { success, data } = promptShape.safeParse(each)
      if (!success) return []
      const { name, description = '', arguments: asked = [] } = data
      const needs = asked.map((one) => ({ name: one.name, required: one.required === true }))
      return [{ name, description: cutWords(description), arguments: needs }]
    })
  } catch (error) {
    reading.warnings.push(`its prompts cannot be listed: ${errorText(error)}`)
    return []
  }
}
