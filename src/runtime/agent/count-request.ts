import type { ModelRequest } from '../../protocol/models/model.ts'
import type { AskInput } from '../../protocol/port.ts'
import { isInDoubt } from '../../rules/conversation/fullness.ts'
import { loadOf, type RoomDeps } from './make-room.ts'

/**
 * Has the server of a model count the next request, where the guess at it is close to a bound of the window. The count is
 * journaled: it holds from then on. A server that does not count leaves it at the guess.
 */
export async function countWhereClose(
  deps: RoomDeps,
  { turn, model: name }: Pick<AskInput, 'turn' | 'model'>,
  asked: { readonly request: () => ModelRequest; readonly signal: AbortSignal },
): Promise<void> {
  const model = deps.modelOf(name)
  if (model?.count === undefined) return
  if (!isInDoubt(loadOf(deps, name), deps.sizes(name), deps.wishes(turn).max_tokens)) return
  const tokens = await model.count(asked.request(), asked.signal)
  asked.signal.throwIfAborted()
  if (tokens !== null) deps.note({ type: 'model.counted', turn, model: name, tokens })
}
