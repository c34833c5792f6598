import type { Answer } from '../scenes/scene.ts'
import type { MessagesRequest } from './messages-server.ts'

/** Usage as the Messages API says it. */
export interface Counts {
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cache_read_input_tokens: number
  readonly cache_creation_input_tokens: number
}

const charactersPerToken = 4
/** A prefix that is shorter than this is not cached. */
const leastCached = 1_024

/**
 * Estimates what a server would bill: four characters are a token; what an agent's last request also began with is
 * read from the cache, the rest is written to it. The same run always gives the same numbers: times that tests took
 * and the place of the working directory are not counted.
 */
export function meter(place: string): (agent: string, request: MessagesRequest, answer: Answer) => Counts {
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
    const output_tokens = tokens([say, ...calls.map((call) => JSON.stringify(call))])
    if (all < leastCached) {
      return { input_tokens: all, output_tokens, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
    }
    return { input_tokens: 0, output_tokens, cache_read_input_tokens: read, cache_creation_input_tokens: all - read }
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
