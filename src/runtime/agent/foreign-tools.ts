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
