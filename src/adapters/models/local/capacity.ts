import type { Model, ModelCapacity } from '../../../protocol/models/model.ts'
import { parseJson } from '../../fs/parse-json.ts'
import { textIn } from '../http/wire.ts'
import { bodyOf } from '../served/send-request.ts'
import type { Client } from '../served/served-model.ts'
import { waitsOf, type ServerOptions } from '../served/server-options.ts'
import { llamaCpp, lmStudio, ollama, vllm, type Asking, type Json } from './local-servers.ts'

/**
 * The model with a way to ask its server how it runs there: where the server is of this machine, or a person said how many
 * slots it has. A server of this machine is asked in the way of its own kind.
 *
 * 1. A server of an unknown kind is asked in each way until one tells a window.
 * 2. A server that does not know, or does not answer, is no failure: the request itself shows what is wrong.
 * 3. A known answer is kept as long as the model is open; an unknown one is asked for again, a few times.
 */
export function withCapacity(model: Model, options: ServerOptions, connect: () => Promise<Client>): Model {
  const { local = false, slots } = options.spec
  if (!local) return slots === undefined ? model : { ...model, capacity: async () => ({ slots }) }
  let known: Promise<ModelCapacity | null> | undefined
  let left = mostAsks
  const ask = async (): Promise<ModelCapacity | null> => {
    const told = await capacityOf(options, connect).catch(() => null)
    left -= 1
    if (told?.window === undefined && left > 0) known = undefined
    return slots === undefined ? told : { ...told, slots }
  }
  return { ...model, capacity: (signal) => unlessAborted((known ??= ask()), signal) }
}

/** Null as soon as nobody waits; others may wait on. */
async function unlessAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value | null> {
  if (signal.aborted) return null
  const { promise, resolve } = Promise.withResolvers<null>()
  const stop = (): void => resolve(null)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([value, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** A server that loads a model for its first request knows more after that. */
const mostAsks = 3
/** Milliseconds within which a server tells of itself; a model is loaded as long as a request may take. */
const tellMs = 5_000

const byProvider: Readonly<Record<string, readonly ((asking: Asking) => Promise<ModelCapacity | null>)[]>> = {
  'llama-cpp': [llamaCpp],
  ollama: [ollama],
  lmstudio: [lmStudio],
  vllm: [vllm],
}
const everyKind = [llamaCpp, ollama, lmStudio, vllm]

async function capacityOf(options: ServerOptions, connect: () => Promise<Client>): Promise<ModelCapacity | null> {
  const { provider, model, baseURL = '' } = options
  const client = await connect()
  const root = baseURL.replace(/\/(v1\/?)?$/, '')
  const send = async (path: string, ms: number, body?: object): Promise<Json> => {
    const headers = { 'content-type': 'application/json' }
    const asked =
      body === undefined ? { method: 'get' as const } : { method: 'post' as const, headers, body: bytes(body) }
    try {
      const { body: answer } = await bodyOf(client, { path: root + path, ...asked }, ms)
      return jsonIn(await textIn(answer))
    } catch {
      return {}
    }
  }
  const asking: Asking = {
    model,
    get: (path) => send(path, tellMs),
    post: (path, body) => send(path, tellMs, body),
    load: (path, body) => send(path, waitsOf(options).firstByteMs, body),
  }
  let told: ModelCapacity | null = null
  for (const ask of byProvider[provider] ?? everyKind) {
    told = await ask(asking)
    if (told?.window !== undefined) break
  }
  return told
}

function bytes(body: object): Uint8Array {
  return Buffer.from(JSON.stringify(body))
}

function jsonIn(text: string): Json {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}
