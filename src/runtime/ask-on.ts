import type { CallOutcome, CallDescription } from '../protocol/tool.ts'
import type { ToolResult } from '../protocol/message.ts'
import { placeOfCall } from '../rules/context-window.ts'
import type { Clock } from './clock.ts'
import type { Desk } from './desk.ts'
import type { Inquiry } from './inquiry.ts'
import { bindAgent, providedToolCall } from './ports.ts'
import { spawnRoot, tell } from './spawn.ts'
import type { Surroundings } from './surroundings.ts'

/** What a returning member needs to ask a question of its earlier life again. */
export interface AskingOn {
  readonly desk: Pick<Desk, 'conversation' | 'ledger'>
  readonly around: Surroundings
  readonly inquiry: Inquiry
  readonly clock: Clock
  /** Aborted when the member is to leave: what still waits is given up then. */
  readonly leaving: AbortSignal
}

/**
 * Goes on with a call that waited for approval when the earlier life ended: it never began, so it is made from its
 * beginning, asks under its old id, and finds an answer that came meanwhile.
 * @returns null for a call that nobody was asked about
 */
export function askOn(
  { desk, around, inquiry, clock, leaving }: AskingOn,
  call: CallDescription,
): Promise<ToolResult> | null {
  const { conversation, ledger } = desk
  const place = placeOfCall(conversation, call.id)
  if (place === null || inquiry.requests.files.read(place) === null) return null
  const done = Promise.withResolvers<ToolResult>()
  const actor = spawnRoot<typeof providedToolCall>(
    providedToolCall,
    { call, hooked: false },
    {
      id: `${around.member}#${call.id}`,
      clock,
      record: ledger.record,
      bind: (root) => bindAgent(root, around),
      crashed: done.reject,
    },
  )
  const giveUp = (): void => tell(actor, { type: 'abort', reason: 'Stopped: this member was told to leave.' })
  actor.subscribe({ complete: () => done.resolve((actor.getSnapshot().output as CallOutcome).result) })
  if (leaving.aborted) giveUp()
  else leaving.addEventListener('abort', giveUp, { once: true })
  return done.promise
}
