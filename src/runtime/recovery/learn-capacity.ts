import type { Fact } from '../../protocol/facts/fact.ts'
import type { Model } from '../../protocol/models/model.ts'
import type { AskInput } from '../../protocol/port.ts'
import type { Conversation } from '../../rules/conversation/context-window.ts'
import { smallWindowText } from '../../rules/conversation/fullness.ts'

interface Learning {
  modelOf(name: string): Model | undefined
  readonly conversation: Pick<Conversation, 'gauge'>
  note(fact: Fact): void
}

/**
 * Learns from the server of a model how large a window it has there, before a request is measured against that. The
 * window is journaled; of one that is small for an agent a warning tells.
 */
export async function learnCapacity(
  { modelOf, conversation, note }: Learning,
  { turn, model: name }: Pick<AskInput, 'turn' | 'model'>,
  signal: AbortSignal,
): Promise<void> {
  const model = modelOf(name)
  if (model?.capacity === undefined) return
  const told = await model.capacity(signal)
  signal.throwIfAborted()
  if (told?.window === undefined || conversation.gauge.described[name] === told.window) return
  const { widen, ...sizes } = { ...told, window: told.window }
  note({ type: 'model.described', turn, model: name, ...sizes })
  const warning = smallWindowText(name, { ...sizes, widen })
  if (warning !== null) note({ type: 'warning.raised', code: 'small_window', message: warning })
}
