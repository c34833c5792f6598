import { z } from 'zod'
import type { McpAnswer, McpAsk } from '../../../protocol/mcp/listing.ts'
import type { Tool, ToolContext, ToolOutput } from '../../../protocol/tools/tool.ts'
import { pathsIn } from '../../../rules/mcp/path-arguments.ts'
import { toolPrefix } from '../../../rules/mcp/tool-names.ts'
import { complaint } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { resultBlocks } from './result-blocks.ts'

type Ask = (asked: McpAsk, context: ToolContext) => Promise<McpAnswer>

/**
 * The tools by which a server's resources are listed and read. They have names of the server's own kind, so that rules
 * about the server hold for them as well.
 */
export function resourceTools(server: string, defer: boolean, ask: Ask): readonly Tool[] {
  const output = async (asked: McpAsk, context: ToolContext): Promise<ToolOutput> => {
    const answer = await ask(asked, context)
    if ('trouble' in answer) return complaint(`MCP server ${server}: ${answer.trouble}`)
    return { content: resultBlocks(server, answer) }
  }
  const shared = {
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    isDestructive: () => false,
    interrupt: 'cancel',
    maxResultChars: 100_000,
    timeout: null,
    defer,
  } as const
  const list = defineTool({
    ...shared,
    name: `${toolPrefix(server)}list_resources`,
    description: `Lists the resources of the MCP server ${server}: texts and files that it offers to be read.`,
    input: z.strictObject({}),
    run: (_, context) => output({ kind: 'resources' }, context),
  })
  const read = defineTool({
    ...shared,
    name: `${toolPrefix(server)}read_resource`,
    description: `Reads a resource of the MCP server ${server} by its address, as a list of resources or a result names it.`,
    input: z.strictObject({
      uri: z.string().min(1).describe(`The address; the form @${server}:address is understood.`),
    }),
    run: ({ uri }, context) => output({ kind: 'resource', uri: addressIn(server, uri) }, context),
  })
  // An address may name a file: the scope of the team holds for it, too.
  return [
    list,
    { ...read, paths: (given) => pathsIn({ uri: addressIn(server, String((given as { uri?: unknown }).uri)) }) },
  ]
}

/** The address of a resource: `addressIn('fs', '@fs:file:///a')` → `file:///a`. */
function addressIn(server: string, written: string): string {
  const mark = `@${server}:`
  return written.startsWith(mark) ? written.slice(mark.length) : written
}
