import type { Fact } from '../../protocol/facts/fact.ts'
import { textOf, type AssistantMessage } from '../../protocol/conversation/message.ts'
import type { Consulted } from '../../protocol/models/model-fact.ts'
import type { Model, ModelRequest } from '../../protocol/models/model.ts'
import { elapsed, type Clock } from '../actors/clock.ts'
import type { Meter } from '../budget/meter.ts'
import type { Pricing } from '../models/pricing.ts'
import { askModel } from './ask-model.ts'

/** A question beside the work: about a call of the agent, by one, or for a summary. */
export interface Consultation {
  readonly model: Model
  readonly request: ModelRequest
  readonly callId?: string
  readonly purpose: Consulted
  readonly signal: AbortSignal
}

/** Asks another model once, on the agent's budget; what it costs is stated. */
export type Consult = (consultation: Consultation) => Promise<AssistantMessage>

interface Parts {
  readonly clock: Pick<Clock, 'now'>
  readonly meter: Meter | null
  readonly price: Pricing['price']
  readonly note: (fact: Fact) => void
}

/**
 * Consults another model for an agent: one attempt, no recovery, nothing of it in the conversation. Where the budget has
 * no room for it the answer is a failure that says so, and nobody is asked. A server that says nothing is not waited for, but
 * for advice and for what a tool or a hook wants to know.
 */
export async function consultModel(
  { clock, meter, price, note }: Parts,
  { model, request, callId, purpose, signal }: Consultation,
): Promise<AssistantMessage> {
  const asked = clock.now()
  const ask = async (bounded: ModelRequest): Promise<AssistantMessage> => {
    const message = await askModel(model, isWaitedFor(purpose) ? bounded : { ...bounded, hurried: true }, {
      signal,
      began: ignored,
      hear: ignored,
    })
    const { usage, stop } = message
    const said = purpose === 'advice' && message.failure === undefined ? textOf(message) : ''
    note({
      type: 'model.consulted',
      purpose,
      ...(callId === undefined ? {} : { call_id: callId }),
      model: model.name,
      stop,
      usage,
      cost_usd: await price(model.name, usage, message.cost_usd),
      duration_ms: elapsed(asked, clock.now()),
      ...(said === '' ? {} : { advice: said }),
    })
    return message
  }
  if (meter === null) return ask(request)
  return meter.spend({ model: model.name, request, signal, note, aside: purpose }, ask)
}

/** Without the others the work goes on: a summary is made in another way, a call is put to a person. */
function isWaitedFor(purpose: Consulted): boolean {
  return purpose === 'advice' || purpose === 'sampling' || purpose === 'hook'
}

function ignored(): void {}
