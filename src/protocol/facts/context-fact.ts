import { z } from 'zod'

const fact = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape })

/**
 * Why a conversation is made shorter: its window is nearly full, full, was refused by the server, or a person asked for it.
 */
export const compactionTriggers = ['auto', 'emergency', 'reactive', 'manual'] as const
export type CompactionTrigger = (typeof compactionTriggers)[number]

/** The parts of a prompt, in order: the SHA-256 of every section, and one over all. */
export const promptPrintSchema = z.object({
  fingerprint: z.string(),
  sections: z.array(
    z.object({
      name: z.string(),
      zone: z.enum(['cached', 'volatile']),
      sha256: z.string(),
      chars: z.number().int().nonnegative(),
    }),
  ),
})

/** Facts of what an agent's model sees of its conversation. */
export const contextFacts = [
  /** Long results are shortened and old messages left out of what the model sees; the journal keeps them. */
  fact('context.compacted', {
    trigger: z.enum(compactionTriggers),
    trimmed: z.array(z.string()),
    dropped: z.array(z.string()),
    /** Entries whose texts are shortened to so many characters. */
    cut: z.record(z.string(), z.number().int().positive()).optional(),
    /** Calls whose results are out of date and left out, by the entry of the results. */
    stale: z.record(z.string(), z.array(z.string())).optional(),
    /** The text that stands in place of what was dropped; `by`: the model that wrote it, or `rules`. */
    summary: z.string().optional(),
    by: z.string().optional(),
    /** Why no model wrote it. */
    reason: z.string().optional(),
    /** Characters of the conversation. */
    before: z.number().int().positive(),
    after: z.number().int().nonnegative(),
  }),
  /**
   * A model looked for what is to be remembered, up to this entry, or the agent had done so itself. `written`: what came of
   * it, a line each.
   */
  fact('memory.extracted', {
    upto: z.string(),
    turns: z.number().int().nonnegative(),
    written: z.array(z.string()),
  }),
  /**
   * A new epoch of the prompt begins: these sections moved, and a vendor reads so many characters of it, and the
   * conversation behind them, anew.
   */
  fact('prompt.changed', {
    epoch: z.number().int().positive(),
    fingerprint: z.string(),
    moved: z.array(z.string()),
    chars: z.number().int().nonnegative(),
  }),
] as const
