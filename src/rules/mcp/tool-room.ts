import type { McpTool } from '../../protocol/mcp/listing.ts'

/** Tools, and tokens of their schemas, that a member sees at once; with more it sees names, and looks the rest up. */
const mostTools = 20
const mostTokens = 10_000
/** Characters of a token, roughly. */
const tokenLength = 4

/** Whether the tools of a member's servers are too many to be shown whole. */
export function isTooMuch(tools: readonly McpTool[]): boolean {
  if (tools.length > mostTools) return true
  const length = tools.reduce((sum, tool) => sum + tool.description.length + JSON.stringify(tool.inputSchema).length, 0)
  return length > mostTokens * tokenLength
}
