import type { AssistantMessage } from '../../protocol/conversation/message.ts'
import type { ModelRequest } from '../../protocol/models/model.ts'
import type { Recovered, Recovery } from '../recovery/recovery.ts'
import type { ComposedMiddleware } from './compose-middleware.ts'

/** The model gave up, and another one is to answer: middleware sees a call that failed. */
class GivenUp extends Error {}

interface Through {
  readonly recovery: Recovery
  readonly middleware: ComposedMiddleware | null
  readonly agent: string
}

/** Asks the models through the middleware of the run; one that breaks ends the work, and is named. */
export async function askThrough(
  { recovery, middleware, agent }: Through,
  request: ModelRequest,
  asking: Parameters<Recovery['ask']>[1],
): Promise<Recovered> {
  if (middleware === null) return recovery.ask(request, asking)
  let fallback: Recovered | null = null
  const model = async (asked: ModelRequest): Promise<AssistantMessage> => {
    const answered = await recovery.ask(asked, asking)
    if (answered.kind === 'settled') return answered.message
    fallback = answered
    throw new GivenUp(`${asking.model} was given up for ${answered.model}`)
  }
  try {
    return {
      kind: 'settled',
      message: await middleware.ask(request, model, { agent, turn: asking.turn, signal: asking.signal }),
    }
  } catch (error) {
    if (fallback !== null) return fallback
    throw error
  }
}
