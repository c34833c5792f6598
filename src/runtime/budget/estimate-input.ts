import type { AssistantMessage, Message } from '../../protocol/conversation/message.ts'
import type { ModelRequest } from '../../protocol/models/model.ts'
import type { ToolSpec } from '../../protocol/tools/tool.ts'

/** How many tokens the requests of one member hold. */
export interface InputEstimate {
  of(model: string, request: ModelRequest): number
  /** Learns from what a request really held. */
  learn(model: string, request: ModelRequest, usage: AssistantMessage['usage']): void
}

/** Of text that no model has counted yet: rather too many. */
const tokensPerByte = 0.5
/** Of text that a model has counted: a count that was lower once is not relied upon. */
const leastTokensPerByte = 0.3
/** As many bytes as a picture is worth. */
const pictureBytes = 6_400

/**
 * Estimates from what the model counted last: only what came since is guessed at, at two bytes a token. Each message
 * is measured once.
 */
export function inputEstimate(): InputEstimate {
  const sizes = new WeakMap<Message | readonly ToolSpec[], number>()
  const counted = new Map<string, { readonly bytes: number; readonly tokens: number }>()
  const sizeOf = (part: Message | readonly ToolSpec[]): number => {
    const known = sizes.get(part) ?? bytesOf(part)
    sizes.set(part, known)
    return known
  }
  const bytes = ({ system, tools, messages }: ModelRequest): number =>
    messages.reduce((sum, message) => sum + sizeOf(message), Buffer.byteLength(system) + sizeOf(tools))
  return {
    of(model, request) {
      const all = bytes(request)
      const last = counted.get(model)
      if (!last) return Math.ceil(all * tokensPerByte)
      const known = Math.min(1, all / last.bytes) * last.tokens
      const fresh = Math.max(0, all - last.bytes) * tokensPerByte
      return Math.ceil(Math.max(known + fresh, all * leastTokensPerByte))
    },
    learn(model, request, { input, cache_read, cache_write }) {
      const tokens = input + cache_read + cache_write
      const [all, last] = [bytes(request), counted.get(model)]
      const most = last && all >= last.bytes ? Math.max(tokens, last.tokens) : tokens
      if (tokens > 0) counted.set(model, { bytes: all, tokens: most })
    },
  }
}

function bytesOf(part: Message | readonly ToolSpec[]): number {
  let pictures = 0
  const text = JSON.stringify(part, (key, value: unknown) => {
    if (key !== 'data' || typeof value !== 'string' || value.length <= pictureBytes) return value
    pictures += 1
    return ''
  })
  return Buffer.byteLength(text) + pictures * pictureBytes
}
