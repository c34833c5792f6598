import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** Names of the package's entries, as its manifest exports them: `index` is src/index.ts. */
export function entries(): readonly string[] {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: Record<string, unknown> }
  return Object.values(exports).flatMap((entry) => (isCode(entry) ? [basename(entry.default, '.js')] : []))
}

function isCode(entry: unknown): entry is { readonly default: string } {
  return typeof entry === 'object' && entry !== null && 'default' in entry && typeof entry.default === 'string'
}
