import type { ModelCapacity } from '../../../protocol/models/model.ts'

export type Json = Readonly<Record<string, unknown>>

/** Questions to one server about one model; a server that does not answer gives an empty object. */
export interface Asking {
  /** The server's own name of the model. */
  readonly model: string
  get(path: string): Promise<Json>
  post(path: string, body: object): Promise<Json>
  /** The same for a question behind which a model is loaded. */
  load(path: string, body: object): Promise<Json>
}

/**
 * llama.cpp: the window of one slot, and the number of slots.
 * @see https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md
 */
export async function llamaCpp({ get, model }: Asking): Promise<ModelCapacity | null> {
  const props = await get(`/props?model=${encodeURIComponent(model)}`)
  const window = sizeIn(objectIn(props['default_generation_settings'])['n_ctx'])
  const slots = sizeIn(props['total_slots'])
  if (window === undefined && slots === undefined) return null
  const { data } = await get('/v1/models')
  const [only, ...others] = listIn(data)
  const entry = listIn(data).find(({ id }) => id === model) ?? (others.length === 0 ? only : undefined)
  const trained = sizeIn(objectIn(entry?.['meta'])['n_ctx_train'])
  return { ...said({ window, slots, trained }), widen: 'start llama-server with a larger -c' }
}

/**
 * Ollama: the window with which the model is loaded; a model that is not loaded yet is loaded for that. Requests are
 * answered one by one, as Ollama does unless its OLLAMA_NUM_PARALLEL says more.
 * @see https://docs.ollama.com/api/ps
 * @see https://docs.ollama.com/context-length
 */
export async function ollama({ get, post, load, model }: Asking): Promise<ModelCapacity | null> {
  const shown = await post('/api/show', { model })
  const info = objectIn(shown['model_info'])
  if (Object.keys(info).length === 0) return null
  const arch = info['general.architecture']
  const trained = typeof arch === 'string' ? sizeIn(info[`${arch}.context_length`]) : undefined
  let window = loadedWindow(await get('/api/ps'), model)
  if (window === undefined) {
    await load('/api/generate', { model, stream: false })
    window = loadedWindow(await get('/api/ps'), model) ?? parameterIn(shown['parameters'])
  }
  const widen = 'set OLLAMA_CONTEXT_LENGTH for ollama serve, or num_ctx in a Modelfile'
  return { ...said({ window, slots: 1, trained }), widen }
}

function loadedWindow({ models }: Json, model: string): number | undefined {
  const names = new Set([model, `${model}:latest`])
  const loaded = listIn(models).find(({ name, model: other }) => names.has(String(name)) || names.has(String(other)))
  return sizeIn(loaded?.['context_length'])
}

/** `num_ctx` among the parameters of a Modelfile, one a line. */
function parameterIn(parameters: unknown): number | undefined {
  const [, digits] = /^\s*num_ctx\s+(\d+)/m.exec(typeof parameters === 'string' ? parameters : '') ?? []
  return digits === undefined ? undefined : sizeIn(Number(digits))
}

/**
 * LM Studio: the window with which the model is loaded; one that is not loaded has none yet.
 * @see https://lmstudio.ai/docs/developer/rest/endpoints
 */
export async function lmStudio({ get, model }: Asking): Promise<ModelCapacity | null> {
  const told = await get(`/api/v0/models/${encodeURIComponent(model)}`)
  const trained = sizeIn(told['max_context_length'])
  if (trained === undefined) return null
  const window = sizeIn(told['loaded_context_length'])
  return { ...said({ window, trained }), widen: 'load the model with a longer context in LM Studio' }
}

/**
 * vLLM, and others that list a model's window under the same name: SGLang, for one.
 * @see https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
 */
export async function vllm({ get, model }: Asking): Promise<ModelCapacity | null> {
  const { data } = await get('/v1/models')
  const window = sizeIn(listIn(data).find(({ id }) => id === model)?.['max_model_len'])
  return window === undefined ? null : { window, widen: 'start the server with a larger --max-model-len' }
}

function said(sizes: Readonly<Record<'window', number | undefined>> & Partial<Record<keyof ModelCapacity, unknown>>) {
  return Object.fromEntries(Object.entries(sizes).filter(([, size]) => size !== undefined)) as ModelCapacity
}

/** A number of tokens or slots, whatever a server wrote. */
function sizeIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}

function objectIn(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

function listIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(objectIn) : []
}
