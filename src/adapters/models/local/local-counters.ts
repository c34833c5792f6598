import type { TokenCounter } from '../served/count-tokens.ts'
import type { Json } from './local-servers.ts'
import { isNear, type ServerOptions } from '../served/server-options.ts'

/**
 * llama.cpp writes the prompt of a request, and counts the tokens of a text.
 * @see https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md
 */
const llamaCpp =
  (root: string): TokenCounter =>
  async ({ model, messages, tools }, post) => {
    // The tokens of an image are not in the text.
    if (JSON.stringify(messages).includes('"image_url"')) return null
    const { prompt } = await post(`${root}/apply-template`, { model, messages, ...given({ tools }) })
    if (typeof prompt !== 'string') return null
    const { tokens } = await post(`${root}/tokenize`, {
      model,
      content: prompt,
      add_special: true,
      parse_special: true,
    })
    return Array.isArray(tokens) ? tokens.length : null
  }

/** vLLM. @see https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html#tokenizer-api */
const vllm =
  (root: string): TokenCounter =>
  async ({ model, messages, tools }, post) =>
    (await post(`${root}/tokenize`, { model, messages, ...given({ tools }) }))['count']

function given(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** Servers of this machine that count, by provider; those of unknown kinds are asked in both ways. */
export function localCounter(options: ServerOptions): TokenCounter | undefined {
  const { provider, baseURL = '' } = options
  const root = baseURL.replace(/\/(v1\/?)?$/, '')
  if (provider === 'llama-cpp') return llamaCpp(root)
  if (provider === 'vllm') return vllm(root)
  if (!isNear(options) || provider === 'ollama' || provider === 'lmstudio') return undefined
  return async (body, post) => (await llamaCpp(root)(body, post).catch(() => null)) ?? vllm(root)(body, post)
}
