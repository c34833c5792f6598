import { z } from 'zod'

const fact = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape })

const ms = z.number().nonnegative()

/** Facts of members' lives in the team's journal: the leader starts members, loses them and stops them. */
export const lifeFacts = [
  /** `depth`: how many starts away from the coordinator, when that is more than one. */
  fact('member.spawned', {
    member: z.string(),
    attempt: z.number().int().positive(),
    depth: z.number().int().nonnegative().optional(),
  }),
  /** Mail or a request would have started it, and a limit stood against that. */
  fact('member.refused', {
    member: z.string(),
    limit: z.enum(['agents', 'rate', 'depth', 'budget']),
    reason: z.string(),
  }),
  fact('member.crashed', { member: z.string(), error: z.string() }),
  fact('member.lost', { member: z.string(), reason: z.string() }),
  /** Busy, and nothing was heard of it for longer than the team allows; `last` is what it said last, `stirred_ms` how long ago text or output of it still came. */
  fact('member.hung', { member: z.string(), last: z.string(), silent_ms: ms, stirred_ms: ms.optional() }),
  /** A person, `by`, wants it to begin again with its conversation; its start follows. */
  fact('member.restarted', { member: z.string(), by: z.string() }),
  /** A worker is asked to stop; `by` is a member or `user`, and after `until` it is ended. */
  fact('stop.asked', { member: z.string(), by: z.string(), reason: z.string(), until: z.number() }),
  /** The worker goes on, and says why. */
  fact('stop.refused', { member: z.string(), reason: z.string() }),
  /** A stop is over: nothing of the member runs. `forced`: its process had to be killed. Its next life begins from nothing. */
  fact('member.stopped', {
    member: z.string(),
    by: z.string(),
    reason: z.string(),
    forced: z.literal(true).optional(),
  }),
] as const
