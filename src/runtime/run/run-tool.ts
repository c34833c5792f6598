import { builtinTools } from '../../adapters/tools/registry.ts'
import type { PermissionMode, RuleLists } from '../../protocol/permissions/permission.ts'
import { noUsage, type AssistantMessage, type ToolResult } from '../../protocol/conversation/message.ts'
import type { Model } from '../../protocol/models/model.ts'
import type { Approver } from '../../protocol/port.ts'
import type { Tool } from '../../protocol/tools/tool.ts'
import { didYouMean } from '../../rules/tools/did-you-mean.ts'
import { createAgent } from '../agent/create-agent.ts'
import type { TeamToolSources } from '../team-files/team-tools.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'

/** One call of one tool, made as an agent makes it. */
export interface ToolRun {
  readonly tool: Tool
  readonly input: unknown
  readonly cwd: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly permissions: RuleLists & { readonly mode?: PermissionMode }
  /** The answerer of questions that rules leave open; none by default. */
  readonly approver?: Approver
  /** Hears live output. */
  readonly progress: (text: string) => void
  readonly signal?: AbortSignal
}

/** The built-in tools, with those that a team brings along. */
export async function toolsWithOwn(team: ResolvedTeam | null, sources: TeamToolSources): Promise<readonly Tool[]> {
  if (team === null) return builtinTools
  const { openTeamTools } = await import('../team-files/team-tools.ts')
  return [...builtinTools, ...(await openTeamTools(team, sources))]
}

/** A tool by its name or alias, or what was probably meant: `namedTool(tools, 'read_file')`. */
export function namedTool(tools: readonly Tool[], name: string): Tool | { readonly meant: string | undefined } {
  const found = tools.find((tool) => tool.name === name) ?? tools.find(({ aliases }) => aliases.includes(name))
  return (
    found ?? {
      meant: didYouMean(
        name,
        tools.map((tool) => tool.name),
      ),
    }
  )
}

/**
 * Calls one tool as an agent would: its arguments are checked, permission is asked for, its output is bounded.
 *
 * @returns The result a model would see; nothing is thrown for what the tool says.
 * @example await runTool({ tool, input: { path: '.' }, cwd, home, env, permissions: {}, approver, progress })
 */
export async function runTool(call: ToolRun): Promise<ToolResult> {
  const { tool, input, progress, signal, ...toolContext } = call
  const agent = createAgent({
    ...toolContext,
    model: callOnce(tool.name, input),
    tools: [tool],
    name: 'you',
    maxTurns: 2,
  })
  try {
    let result: ToolResult | null = null
    for await (const event of agent.run(`Call ${tool.name}.`, signal ? { signal } : {})) {
      if (event.type === 'tool.progress') progress(event.text)
      if (event.type === 'tool.result') result = event.result
    }
    if (result === null) throw new Error(`${tool.name} gave no result`)
    return result
  } finally {
    agent.close()
  }
}

/** Asks for the one call, then says nothing more. */
function callOnce(name: string, input: unknown): Model {
  const message: AssistantMessage = { role: 'assistant', model: 'none/none', content: [], stop: 'end', usage: noUsage }
  let asked = false
  return {
    name: message.model,
    deterministic: true,
    async *stream() {
      const content = asked ? [] : [{ type: 'tool_use' as const, id: 'call', name, input }]
      yield { type: 'settled', message: { ...message, content, stop: asked ? 'end' : 'tools' } }
      asked = true
    },
  }
}
