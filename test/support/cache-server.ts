import { createHash } from 'node:crypto'

/** How far a server looks back from a mark, in blocks, and the fewest tokens that it keeps. */
const lookBack = 20
const leastTokens = 1_024

interface Block {
  readonly text: string
  readonly marked: boolean
}

/** What a server's cache did with one request, in tokens. */
export interface CacheLook {
  readonly marks: number
  readonly read: number
  readonly all: number
}

const withoutMark = (key: string, value: unknown): unknown => (key === 'cache_control' ? undefined : value)

/** The blocks of a request in the order in which a server reads them. */
function blocksOf(body: string): readonly Block[] {
  const { tools = [], system = [], messages } = JSON.parse(body) as Record<string, readonly Record<string, unknown>[]>
  const said = (messages ?? []).flatMap(({ role, content }) =>
    Array.isArray(content) ? (content as object[]).map((block) => ({ role, ...block })) : [{ role, content }],
  )
  return [...tools, ...system, ...said].map((block) => ({
    text: JSON.stringify(block, withoutMark),
    marked: 'cache_control' in block,
  }))
}

/** The beginning of a request up to each of its blocks: a name for all of it, and its tokens. */
function startsOf(blocks: readonly Block[]) {
  let name = ''
  let characters = 0
  return blocks.map(({ text }) => {
    name = createHash('sha1').update(`${name}\n${text}`).digest('base64')
    characters += text.length
    return { name, tokens: Math.floor(characters / 4) }
  })
}

/**
 * The prompt cache of the Messages API: beginnings of requests up to each mark are kept, and found up to twenty blocks
 * before a mark. What falls short of 1,024 tokens is not kept.
 *
 * @see https://docs.claude.com/en/docs/build-with-claude/prompt-caching
 */
export function cacheServer(): (body: string) => CacheLook {
  const kept = new Set<string>()
  return (body) => {
    const blocks = blocksOf(body)
    const starts = startsOf(blocks)
    const marks = blocks.flatMap(({ marked }, index) => (marked ? [index] : []))
    const isKept = (at: number): boolean => at >= 0 && kept.has(starts[at]?.name ?? '')
    const hits = marks.flatMap((mark) => Array.from({ length: lookBack }, (_, back) => mark - back).filter(isKept))
    for (const mark of marks) {
      const { name = '', tokens = 0 } = starts[mark] ?? {}
      if (tokens >= leastTokens) kept.add(name)
    }
    const tokensTo = (at: number): number => starts[at]?.tokens ?? 0
    return {
      marks: marks.length,
      read: hits.length === 0 ? 0 : tokensTo(Math.max(...hits)),
      all: starts.at(-1)?.tokens ?? 0,
    }
  }
}
