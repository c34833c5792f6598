import type { Usage } from '../../../src/protocol/conversation/message.ts'
import type { Answer } from '../scenes/scene.ts'

/** A request of the Messages API, as far as it is counted. */
export interface MessagesRequest {
  readonly system?: readonly { readonly text: string }[]
  readonly tools?: readonly object[]
  readonly messages: readonly { readonly role: string; readonly content: string | readonly object[] }[]
}

const charactersPerToken = 4
/** A prefix that is shorter than this is not cached. */
const leastCached = 1_024

/**
 * Estimates what a server would bill: four characters are a token; what an agent's last request also began with is
 * read from the cache, the rest is written to it. The same run always gives the same numbers: times that tests took
 * and the place of the working directory are not counted.
 */
export function meter(place: string): (agent: string, request: MessagesRequest, answer: Answer) => Usage {
  const earlier = new Map<string, readonly string[]>()
  const steady = (part: string): string => {
    const moved = place === '' ? part : part.replaceAll(place, '/repository')
    return moved.replaceAll(/\d+\.\d+/g, '1.0').replaceAll(/port \d+/g, 'port 0')
  }
  return (agent, request, { say = '', calls = [] }) => {
    const parts = partsOf(request).map(steady)
    const before = earlier.get(agent) ?? []
    const known = before.every((part, index) => part === parts[index]) ? tokens(before) : 0
    const all = tokens(parts)
    const read = known >= leastCached ? known : 0
    earlier.set(agent, parts)
    const output = tokens([say, ...calls.map((call) => JSON.stringify(call))])
    if (all < leastCached) {
      return { input: all, output, cache_read: 0, cache_write: 0 }
    }
    return { input: 0, output, cache_read: read, cache_write: all - read }
  }
}

/** Everything a request carries in the order in which a cache sees it; breakpoints are no content. */
function partsOf({ tools = [], system = [], messages }: MessagesRequest): readonly string[] {
  const bare = (value: unknown): string =>
    JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner))
  return [
    ...tools.map(bare),
    ...system.map(bare),
    ...messages.flatMap(({ role, content }) => [content].flat().map((block) => role + bare(block))),
  ]
}

function tokens(parts: readonly string[]): number {
  return Math.ceil(parts.join('').length / charactersPerToken)
}
