import { resultBlocks } from '../../adapters/tools/mcp/result-blocks.ts'
import type { McpAsk, McpListing, McpResult } from '../../protocol/mcp/listing.ts'
import { bridgedNames, toolPrefix } from '../../rules/mcp/tool-names.ts'

/** A tool, prompt or reader of resources of a server, as people see it. */
export interface ShownTool {
  readonly kind: McpAsk['kind']
  /** As members and rules know it. */
  readonly name: string
  /** As the server knows it. */
  readonly own: string
  readonly description: string
  /** The server's own word of what the tool does. */
  readonly hint: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** The tools of a server, then its prompts, and what reads its resources. */
export function toolRows(server: string, listing: Omit<McpListing, 'instructions' | 'warnings'>): readonly ShownTool[] {
  const { tools, prompts, resources } = listing
  const named = (all: readonly { readonly name: string }[]): readonly string[] =>
    bridgedNames(
      server,
      all.map(({ name }) => name),
    )
  const [names, promptNames] = [named(tools), named(prompts)]
  return [
    ...tools.map(({ name: own, description, readOnly, destructive, inputSchema: parameters }, i): ShownTool => {
      const changes = destructive === true ? 'destructive' : 'changes'
      return { kind: 'tool', name: names[i] ?? own, own, description, hint: readOnly ? 'reads' : changes, parameters }
    }),
    ...prompts.map(({ name: own, description, arguments: asked }, i): ShownTool => {
      const properties = Object.fromEntries(asked.map(({ name }) => [name, { type: 'string' }]))
      const required = asked.filter((each) => each.required).map(({ name }) => name)
      const parameters = { type: 'object', properties, required }
      return { kind: 'prompt', name: promptNames[i] ?? own, own, description, hint: 'prompt', parameters }
    }),
    ...(resources ? resourceRows(server) : []),
  ]
}

function resourceRows(server: string): readonly ShownTool[] {
  const row = (kind: 'resources' | 'resource', own: string, properties: object): ShownTool => ({
    kind,
    name: toolPrefix(server) + own,
    own,
    description: kind === 'resource' ? 'Reads a resource by its address.' : 'Lists the resources.',
    hint: 'resource',
    parameters: { type: 'object', properties, required: Object.keys(properties) },
  })
  return [row('resources', 'list_resources', {}), row('resource', 'read_resource', { uri: { type: 'string' } })]
}

/** The question to the server that a call of a row is. */
export function askOf({ kind, own }: ShownTool, input: unknown): McpAsk {
  if (kind === 'tool') return { kind, tool: own, input }
  const texts = (input ?? {}) as Readonly<Record<string, string>>
  if (kind === 'prompt') return { kind, prompt: own, input: texts }
  return kind === 'resource' ? { kind, uri: String(texts['uri']) } : { kind }
}

/** A result in words for people. */
export function serverResultText(server: string, result: McpResult): string {
  return resultBlocks(server, result)
    .map((block) => (block.type === 'text' ? block.text : `[${block.media_type}]`))
    .join('\n')
}
