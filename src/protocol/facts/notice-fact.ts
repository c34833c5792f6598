import { z } from 'zod'
import { hookEvents, hookOutcomes } from '../hooks/hook.ts'
import { mcpStates } from '../mcp/listing.ts'

const fact = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape })

/** Facts that any part may state. */
export const commonFacts = [
  /** A provider failed so often in a row that nobody asks it before `until`. */
  fact('breaker.opened', { provider: z.string(), failures: z.number().int().positive(), until: z.number() }),
  fact('breaker.closed', { provider: z.string() }),
  /** A hook ran; `message` says why it blocked, or failed. */
  fact('hook.ran', {
    event: z.enum(hookEvents),
    hook: z.string(),
    source: z.string(),
    outcome: z.enum(hookOutcomes),
    duration_ms: z.number().nonnegative(),
    call_id: z.string().optional(),
    message: z.string().optional(),
  }),
  /** No state wanted this event: XState would drop it in silence. */
  fact('event.dropped', { actor: z.string(), event: z.string(), state: z.string() }),
  /** An MCP server is in another state now, or offers other tools; `reason` says why, where something went wrong. */
  fact('mcp.changed', {
    server: z.string(),
    state: z.enum(mcpStates),
    tools: z.number().int().nonnegative(),
    reason: z.string().optional(),
  }),
  /** Settings files that say something else than before; they hold from the next call on. */
  fact('settings.changed', { files: z.array(z.string()) }),
  fact('warning.raised', { code: z.string(), message: z.string() }),
] as const
