import { resultBlocks } from '../../adapters/tools/mcp/result-blocks.ts'
import type { McpListing, McpResult } from '../../protocol/mcp/listing.ts'
import { bridgedNames } from '../../rules/mcp/tool-names.ts'

/** A tool of a server as people see it. */
export interface ShownTool {
  /** As members and rules know it. */
  readonly name: string
  /** As the server knows it. */
  readonly own: string
  readonly description: string
  /** The server's own word of what the tool does. */
  readonly hint: string
  readonly parameters: Readonly<Record<string, unknown>>
}

export function toolRows(server: string, { tools }: Pick<McpListing, 'tools'>): readonly ShownTool[] {
  const names = bridgedNames(
    server,
    tools.map(({ name }) => name),
  )
  return tools.map(({ name: own, description, readOnly, destructive, inputSchema: parameters }, i) => {
    const changes = destructive === true ? 'destructive' : 'changes'
    return { name: names[i] ?? own, own, description, hint: readOnly ? 'reads' : changes, parameters }
  })
}

/** A result in words for people. */
export function serverResultText(server: string, result: McpResult): string {
  return resultBlocks(server, result)
    .map((block) => (block.type === 'text' ? block.text : `[${block.media_type}]`))
    .join('\n')
}
