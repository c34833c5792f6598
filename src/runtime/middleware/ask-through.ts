import { errorText } from '../../protocol/words/error-text.ts'
import type { AssistantMessage } from '../../protocol/conversation/message.ts'
import type { ModelRequest } from '../../protocol/models/model.ts'
import type { Recovered, Recovery } from '../recovery/recovery.ts'
import type { Onion } from './onion.ts'

/** The model gave up, and another one is to answer: layers see a call that failed. */
class GivenUp extends Error {}

/** Asks the models through the layers of the run. */
export async function askThrough(
  { recovery, onion, agent }: { readonly recovery: Recovery; readonly onion: Onion | null; readonly agent: string },
  request: ModelRequest,
  asking: Parameters<Recovery['ask']>[1],
): Promise<Recovered> {
  if (onion === null) return recovery.ask(request, asking)
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
      message: await onion.ask(request, model, { agent, turn: asking.turn, signal: asking.signal }),
    }
  } catch (error) {
    if (fallback !== null) return fallback
    throw new Error(`middleware broke off a model call: ${errorText(error)}`, { cause: error })
  }
}
