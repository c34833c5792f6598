/**
 * Providers by the name in `provider/…`, and the environment variable without which each cannot be reached: its
 * credential, or its address. `catalog.ts` opens them: to know the names no code of a provider need be loaded.
 */
export const providers = [
  { name: 'scripted', variable: null },
  { name: 'recorded', variable: null },
  { name: 'anthropic', variable: 'ANTHROPIC_API_KEY' },
  { name: 'openai', variable: 'OPENAI_API_KEY' },
  { name: 'openai-compatible', variable: 'OPENAI_COMPATIBLE_BASE_URL' },
] as const satisfies readonly { readonly name: string; readonly variable: string | null }[]

export type ProviderName = (typeof providers)[number]['name']
