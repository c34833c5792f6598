import { z } from 'zod'

/** Facts of a member's answers, in its own journal. */
export const replyFacts = [
  /** The last output of a finished piece of work was sent to whoever was owed it. */
  z.object({ type: z.literal('member.replied'), request: z.string(), mail_id: z.string() }),
  /** The member's work stays open until `for` writes to it, or a control mail that replies to `wait` ends that. */
  z.object({ type: z.literal('member.waits'), wait: z.string(), for: z.string(), reason: z.string() }),
  /** The member has finished explicitly; without a request it is the lead that answers the task of the run. */
  z.object({ type: z.literal('member.reported'), request: z.string().optional(), text: z.string() }),
] as const
