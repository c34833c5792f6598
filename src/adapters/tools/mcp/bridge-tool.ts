import { z } from 'zod'
import type { McpAnswer, McpAsk, McpTool } from '../../../protocol/mcp/listing.ts'
import type { Tool, ToolContext, ToolOutput } from '../../../protocol/tools/tool.ts'
import { pathsIn } from '../../../rules/mcp/path-arguments.ts'
import { complaint } from '../define/answer.ts'
import { noCheck } from '../define/define-tool.ts'
import { schemaCheck } from './check-input.ts'
import { resultBlocks } from './result-blocks.ts'

/** A server's tool, and how it becomes one of a member's. */
export interface BridgedTool {
  /** As models know it. */
  readonly name: string
  readonly server: string
  readonly tool: McpTool
  /** Shown only after a look-up. */
  readonly defer: boolean
  /** A person believes what the server says of its tools. */
  readonly believed: boolean
  /** The tool says something else of itself than when it was last agreed to: a person has to be there. */
  readonly changed: boolean
  /** Whether members see more of the text than this is up to the store. */
  ask(asked: McpAsk, context: ToolContext): Promise<McpAnswer>
  /** A person permitted a call of it as it is now. */
  agreed(): void
}

/** Longest result before it is put aside, in characters. */
const maxResultChars = 100_000

/**
 * Makes a tool of a server's. Whatever the server says of it, it counts as one that executes: what it says may make calls
 * run side by side, where a person believes it, and never makes a question needless.
 */
export function bridgeTool(bridged: BridgedTool): Tool {
  const { name, server, tool, defer, believed, changed } = bridged
  const reads = believed && tool.readOnly
  let input: Tool['input'] | null = null
  return {
    name,
    aliases: [],
    description: tool.description.trim() === '' ? `${tool.name} of the MCP server ${server}.` : tool.description,
    // Made for the few of a thousand that are called.
    get input() {
      return (input ??= inputOf(tool))
    },
    parameters: tool.inputSchema,
    paths: pathsIn,
    effect: 'execute',
    isConcurrencySafe: reads ? yes : no,
    isReadOnly: reads ? yes : no,
    isDestructive: tool.destructive === true && !reads ? yes : no,
    interrupt: reads ? 'cancel' : 'block',
    requiresInteraction: changed,
    defer,
    maxResultChars,
    // The server's own limit holds, which waits as long as it tells of progress.
    timeout: null,
    retry: reads ? retry : null,
    reuse: 'never',
    stamp: noStamp,
    check: noCheck,
    async run(given, context) {
      if (changed) bridged.agreed()
      return outputOf(
        bridged,
        await bridged.ask({ kind: 'tool', tool: tool.name, input: given, mark: tool.mark }, context),
      )
    },
  }
}

const yes = (): boolean => true
const no = (): boolean => false
const noStamp = (): Promise<null> => Promise.resolve(null)
const retry = { times: 2, pauseMs: 500 }

const record = z.record(z.string(), z.unknown())

function inputOf({ inputSchema }: McpTool): Tool['input'] {
  const check = schemaCheck(inputSchema)
  return record.superRefine((value, issues) => {
    for (const message of check(value) ?? []) issues.addIssue({ code: 'custom', message })
  })
}

function outputOf({ server, tool }: BridgedTool, answer: McpAnswer): ToolOutput {
  if ('trouble' in answer) {
    const said = complaint(`MCP server ${server}: ${answer.trouble}`)
    return answer.transient ? { ...said, transient: true } : said
  }
  const content = resultBlocks(server, answer)
  if (answer.isError)
    return { content: [{ type: 'text', text: `MCP server ${server} says:` }, ...content], isError: true }
  if (tool.outputSchema === undefined) return { content }
  if (answer.structured === undefined)
    return complaint(`MCP server ${server}: ${tool.name} gave no structured result, which its schema promises.`)
  const wrong = schemaCheck(tool.outputSchema)(answer.structured)
  if (wrong === null) return { content }
  return complaint(
    `MCP server ${server}: the result of ${tool.name} is not what its schema promises: ${wrong.join('; ')}`,
  )
}
