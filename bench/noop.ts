/* The one tool of all benches, and the work that is done with it. */

export const noopInput = {
  type: 'object' as const,
  properties: { i: { type: 'number' }, note: { type: 'string' } },
  required: ['i', 'note'],
}

/** One piece of work for an agent: it ends with an answer without calls, or is aborted. */
export interface Work {
  readonly system: string
  readonly prompt: string
  readonly onText?: (text: string) => void
  readonly signal?: AbortSignal
}

/** Something that works: resolves with the last text, rejects when it was aborted. */
export type Worker = (work: Work) => Promise<string>

export const wires = ['anthropic', 'chat'] as const
export type Wire = (typeof wires)[number]
