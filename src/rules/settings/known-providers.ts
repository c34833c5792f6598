import type { ProviderSpec, ProviderSpecs } from '../../protocol/words/provider-spec.ts'

/** A provider that is known by its name. */
interface KnownProvider {
  readonly name: string
  /** The variable without which it cannot be reached: its key, or its address. */
  readonly variable: string | null
  /** How its server is reached; absent where answers come from a file. */
  readonly spec?: ProviderSpec
}

const remote = (name: string, base_url: string, more: ProviderSpec = {}): KnownProvider => {
  const variable = `${variableName(name)}_API_KEY`
  return { name, variable, spec: { base_url, key: `$${variable}`, ...more } }
}

const local = (name: string, port: number): KnownProvider => ({
  name,
  variable: null,
  spec: { base_url: `http://127.0.0.1:${port}/v1`, local: true },
})

/**
 * Providers by the name in `provider/…`. `catalog.ts` opens them: to know the names no code of a provider need be
 * loaded. A variable `<NAME>_BASE_URL` names another address.
 */
export const providers: readonly KnownProvider[] = [
  { name: 'scripted', variable: null },
  { name: 'recorded', variable: null },
  remote('anthropic', 'https://api.anthropic.com', { api: 'messages' }),
  remote('openai', 'https://api.openai.com/v1', { api: 'responses' }),
  { name: 'openai-compatible', variable: 'OPENAI_COMPATIBLE_BASE_URL', spec: { key: '$OPENAI_COMPATIBLE_API_KEY' } },
  remote('openrouter', 'https://openrouter.ai/api/v1'),
  remote('groq', 'https://api.groq.com/openai/v1'),
  remote('deepseek', 'https://api.deepseek.com/v1'),
  remote('mistral', 'https://api.mistral.ai/v1'),
  remote('xai', 'https://api.x.ai/v1'),
  remote('cerebras', 'https://api.cerebras.ai/v1'),
  remote('together', 'https://api.together.xyz/v1'),
  remote('gemini', 'https://generativelanguage.googleapis.com/v1beta/openai'),
  local('ollama', 11_434),
  local('lmstudio', 1_234),
  local('vllm', 8_000),
  local('llama-cpp', 8_080),
  { name: 'bedrock', variable: null, spec: { api: 'messages', cloud: 'bedrock' } },
  { name: 'vertex', variable: null, spec: { api: 'messages', cloud: 'vertex' } },
  {
    name: 'foundry',
    variable: 'FOUNDRY_API_KEY',
    spec: { api: 'messages', cloud: 'foundry', key: '$FOUNDRY_API_KEY' },
  },
  { name: 'azure', variable: 'AZURE_OPENAI_API_KEY', spec: { cloud: 'azure', key: '$AZURE_OPENAI_API_KEY' } },
]

/** Names of those whose answers come from a file. */
export const fileProviders: ReadonlySet<string> = new Set(
  providers.flatMap(({ name, spec }) => (spec === undefined ? [name] : [])),
)

/** `variableName('llama-cpp')` → `LLAMA_CPP`. */
export function variableName(provider: string): string {
  return provider.toUpperCase().replaceAll('-', '_')
}

/**
 * How a provider is reached: a person's own word for it over what is known of the name; null for an unknown name.
 *
 * @example specOf('openrouter', {})?.base_url // 'https://openrouter.ai/api/v1'
 */
export function specOf(name: string, own: ProviderSpecs): ProviderSpec | null {
  const known = providers.find((provider) => provider.name === name)
  const said = Object.hasOwn(own, name) ? own[name] : undefined
  if (fileProviders.has(name) || (said === undefined && known === undefined)) return null
  return { ...known?.spec, ...said }
}

/** The variable without which a provider cannot be reached; null where nothing is missing before it is asked. */
export function variableOf(name: string, own: ProviderSpecs): string | null {
  const said = Object.hasOwn(own, name) ? own[name] : undefined
  if (typeof said?.key === 'string') return said.key.slice(1)
  const known = providers.find((provider) => provider.name === name)?.variable ?? null
  return said?.key !== undefined || (said?.base_url !== undefined && known?.endsWith('_BASE_URL')) ? null : known
}
