import type { Tool } from '../../protocol/tools/tool.ts'

/** Tools that an agent has from elsewhere; the same set is always the very same object. */
export interface ForeignTools {
  readonly tools: readonly Tool[]
  /** Places whose tools nobody knows yet. */
  readonly pending: readonly string[]
  /** The tools once every place has answered, or the signal was aborted. */
  settled(signal: AbortSignal): Promise<readonly Tool[]>
  /** Words of these places about how their tools are to be used. */
  readonly instructions: string
}

/** The tools of an agent that has none from elsewhere. */
export const noForeignTools: ForeignTools = {
  tools: [],
  pending: [],
  settled: () => Promise.resolve([]),
  instructions: '',
}

/**
 * Tools that come and go between turns; the same ones are the very same set.
 *
 * @param names of the tools that are always there
 * @throws when two tools have one name: a model could not tell them apart
 */
export function furtherTools(names: readonly string[], more: () => readonly Tool[]): () => ForeignTools {
  let last = noForeignTools
  return () => {
    const tools = more()
    const isSame = tools.length === last.tools.length && tools.every((tool, at) => tool === last.tools[at])
    if (isSame) return last
    const twice = tools.find(
      ({ name }, at) => names.includes(name) || tools.findIndex((other) => other.name === name) < at,
    )
    if (twice !== undefined)
      throw new Error(`two tools of the agent are called ${twice.name}: give one of them another name`)
    return (last = { ...noForeignTools, tools, settled: () => Promise.resolve(tools) })
  }
}
