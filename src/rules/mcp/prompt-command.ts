import type { McpPrompt } from '../../protocol/mcp/listing.ts'

/** The name by which a person calls a prompt of a server: `promptName('github', 'pr review')` → `mcp__github__pr_review`. */
export function promptName(server: string, prompt: string): string {
  return `mcp__${server}__${prompt.replaceAll(/[^\p{L}\p{N}_.:-]/gu, '_')}`
}

/** The words that may stand behind it: `<required> [optional]`; undefined where it takes none. */
export function promptHint({ arguments: all }: Pick<McpPrompt, 'arguments'>): string | undefined {
  return all.length === 0
    ? undefined
    : all.map(({ name, required }) => (required ? `<${name}>` : `[${name}]`)).join(' ')
}

const word = /"([^"]*)"|'([^']*)'|(\S+)/g

/**
 * The words behind a prompt's name as its arguments, in order; quotes hold words together, and the last argument takes the rest.
 *
 * @returns `trouble` names what is missing
 * @example promptInput({ arguments: [{ name: 'n', required: true }] }, 'a b') // { input: { n: 'a b' } }
 */
export function promptInput(
  { arguments: all }: Pick<McpPrompt, 'arguments'>,
  args: string,
): { readonly input: Readonly<Record<string, string>> } | { readonly trouble: string } {
  const words = [...args.matchAll(word)]
  const input: Record<string, string> = {}
  for (const [at, { name }] of all.entries()) {
    const [found] = words.slice(at, at + 1)
    if (found === undefined) break
    const isLast = at === all.length - 1 && words.length > all.length
    input[name] = isLast ? args.slice(found.index).trim() : (found[1] ?? found[2] ?? found[3] ?? '')
  }
  const missing = all.filter(({ name, required }) => required && input[name] === undefined).map(({ name }) => name)
  return missing.length === 0
    ? { input }
    : { trouble: `it wants ${missing.join(', ')}: ${promptHint({ arguments: all })}` }
}
