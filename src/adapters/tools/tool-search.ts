import { z } from 'zod'
import type { Tool, ToolOutput } from '../../protocol/tools/tool.ts'
import { didYouMean } from '../../rules/tools/did-you-mean.ts'
import { answer, complaint } from './define/answer.ts'
import { defineTool, toolSpec } from './define/define-tool.ts'
import { promptText } from './prompts/prompt-text.ts'

const defaultLimit = 5

const input = z.strictObject({
  names: z.array(z.string().min(1)).max(50).optional().describe('Names from the list, to load exactly these.'),
  query: z.string().min(1).max(400).optional().describe('Words that say what the tool should do.'),
  limit: z.number().int().min(1).max(50).optional().describe(`How many to load for a query (default ${defaultLimit}).`),
})

/**
 * Makes the tool that shows a member its deferred tools. Its description lists their names and never changes while the
 * same tools are deferred, so that a cached prompt stays good. Its results say which tools were looked up: whoever folds
 * them makes these tools like the others from the next turn on.
 *
 * @param coming places whose tools nobody knows yet: a search that finds nothing waits for them
 * @example toolSearchOver([deploy])
 */
export function toolSearchOver(deferred: readonly Tool[], coming: ComingTools = nothingComing): Tool {
  const sorted = deferred.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return defineTool<z.infer<typeof input>>({
    name: 'ToolSearch',
    aliases: ['tool_search'],
    description: [promptText('tool-search'), ...listOf(sorted), ...comingText(coming)].join('\n'),
    input,
    effect: 'none',
    isDestructive: () => false,
    maxResultChars: 100_000,
    check: async ({ names, query }) => (names || query ? null : 'give names or query.'),
    async run(wanted, { signal }) {
      const first = search(sorted, wanted)
      if (!('none' in first) || coming.pending.length === 0) return outputOf(first)
      const arrived = await coming.settled(signal)
      return outputOf(search([...new Map([...sorted, ...arrived].map((tool) => [tool.name, tool])).values()], wanted))
    },
  })
}

/** The longest list of tools, in characters: a model reads all of it at each turn. */
const longestList = 40_000

/** Names with what each tool does; of too many tools the names alone, and at last the first of them. */
function listOf(tools: readonly Tool[]): readonly string[] {
  const whole = tools.map(({ name, description }) => `- ${name}: ${firstLine(description)}`)
  if (lengthOf(whole) <= longestList) return whole
  const names = tools.map(({ name }) => `- ${name}`)
  if (lengthOf(names) <= longestList) return names
  let room = longestList
  const shown = names.filter((name) => (room -= name.length + 1) >= 0)
  return [...shown, `- … and ${names.length - shown.length} more, which a query finds`]
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0)
}

/** Tools that will be known soon. */
interface ComingTools {
  readonly pending: readonly string[]
  settled(signal: AbortSignal): Promise<readonly Tool[]>
}

const nothingComing: ComingTools = { pending: [], settled: () => Promise.resolve([]) }

function comingText({ pending }: ComingTools): readonly string[] {
  return pending.map((name) => `- mcp__${name}__…: the server ${name} is still starting; a search waits for it`)
}

type Search = { readonly found: readonly Tool[] } | { readonly none: string; readonly wrong: boolean }

function search(tools: readonly Tool[], { names = [], query, limit = defaultLimit }: z.infer<typeof input>): Search {
  const known = tools.map(({ name }) => name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) return { none: unknown.map((name) => unknownName(name, known)).join('\n'), wrong: true }
  const found = [...new Set([...tools.filter(({ name }) => names.includes(name)), ...matching(tools, query, limit)])]
  return found.length > 0
    ? { found }
    : { none: `No tool fits "${query}". There are: ${known.join(', ')}`, wrong: false }
}

function outputOf(searched: Search): ToolOutput {
  if ('found' in searched) return answer(searched.found.map(shown).join('\n'))
  return searched.wrong ? complaint(searched.none) : answer(searched.none)
}

function unknownName(name: string, known: readonly string[]): string {
  const near = didYouMean(name, known)
  return `There is no deferred tool ${name}.${near === undefined ? ` There are: ${known.join(', ')}` : ` Did you mean ${near}?`}`
}

/** Best first: a word of the query counts most in the name, less in the description. */
function matching(tools: readonly Tool[], query: string | undefined, limit: number): readonly Tool[] {
  const words = (query ?? '').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const weight = ({ name, description }: Tool): number =>
    words.reduce((sum, word) => {
      const inName = name.toLowerCase().includes(word) ? 3 : 0
      return sum + inName + (description.toLowerCase().includes(word) ? 1 : 0)
    }, 0)
  return tools
    .map((tool) => ({ tool, weight: weight(tool) }))
    .filter((each) => each.weight > 0)
    .toSorted((a, b) => b.weight - a.weight || (a.tool.name < b.tool.name ? -1 : 1))
    .slice(0, limit)
    .map(({ tool }) => tool)
}

/** Angle brackets of a schema are written as escapes: what a tool's author wrote cannot end the frame. */
function shown(tool: Tool): string {
  const { name, description, parameters } = toolSpec(tool)
  const safe = (value: unknown): string =>
    JSON.stringify(value).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`)
  return `<tool name="${name}">\n${safe({ description, parameters })}\n</tool>`
}

function firstLine(description: string): string {
  const line = description.trim().split('\n', 1)[0] ?? ''
  return line.length > 160 ? `${line.slice(0, 160).replace(/[\uD800-\uDBFF]$/, '')}…` : line
}
