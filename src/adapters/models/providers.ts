/**
 * Who answers under `provider/…`, and the environment variable without which it cannot be reached: its credential, or
 * where it is. How each is opened stands in `catalog.ts`: to know the names nothing of that need be loaded.
 */
export const providers = [
  { name: 'scripted', variable: null },
  { name: 'recorded', variable: null },
  { name: 'anthropic', variable: 'ANTHROPIC_API_KEY' },
  { name: 'openai', variable: 'OPENAI_API_KEY' },
  { name: 'openai-compatible', variable: 'OPENAI_COMPATIBLE_BASE_URL' },
] as const satisfies readonly { readonly name: string; readonly variable: string | null }[]

export type ProviderName = (typeof providers)[number]['name']
