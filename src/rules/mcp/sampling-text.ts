interface Turn {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** The most tokens that a server may have of a member's model at once. */
const mostTokens = 4_096

/** The question of a server to a model, as far as it is text; the rest is said to be left out. */
export function samplingText(params: Readonly<Record<string, unknown>>): {
  readonly system: string
  readonly turns: readonly Turn[]
  readonly max_tokens: number
} {
  const { messages, systemPrompt, maxTokens } = params
  const turns = (Array.isArray(messages) ? messages : []).map((message: unknown): Turn => {
    const { role, content } = (message ?? {}) as { readonly role?: unknown; readonly content?: unknown }
    const parts = [content].flat() as readonly ({ readonly type?: unknown; readonly text?: unknown } | null)[]
    const texts = parts.map((part) => (typeof part?.text === 'string' ? part.text : '[a part that is no text]'))
    return { role: role === 'assistant' ? 'assistant' : 'user', text: texts.join('\n') }
  })
  const wished = typeof maxTokens === 'number' && maxTokens > 0 ? Math.floor(maxTokens) : mostTokens
  return {
    system: typeof systemPrompt === 'string' ? systemPrompt : '',
    turns,
    max_tokens: Math.min(wished, mostTokens),
  }
}
