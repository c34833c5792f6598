import type { McpServerSpec } from '../../protocol/mcp/server-spec.ts'

type Env = Readonly<Record<string, string | undefined>>

const variable = /\$\{(\w+)(?::-((?:[^}\\]|\\.)*))?\}/g

/**
 * Puts the values of variables in the place of `${NAME}` and `${NAME:-default}`, wherever an entry may name them:
 * command, arguments, env, address, headers, the secret of a registration.
 *
 * @returns the entry, or the names of variables that are not set and have no default
 * @example expandServer({ command: '${HOME}/bin/serve' }, { HOME: '/home/ann' })
 */
export function expandServer(
  spec: McpServerSpec,
  env: Env,
): { readonly spec: McpServerSpec } | { readonly missing: readonly string[] } {
  const missing = new Set<string>()
  const filled = (text: string): string =>
    text.replace(variable, (_, name: string, otherwise: string | undefined) => {
      const value = Object.hasOwn(env, name) ? env[name] : undefined
      if (value !== undefined && (value !== '' || otherwise === undefined)) return value
      if (otherwise === undefined) missing.add(name)
      return otherwise ?? ''
    })
  const expanded = eachText(spec, filled)
  return missing.size > 0 ? { missing: [...missing] } : { spec: expanded }
}

/** The names of the variables that an entry reads, each once, in the order of the entry. */
export function variablesOf(spec: McpServerSpec): readonly string[] {
  const names = new Set<string>()
  eachText(spec, (text) => {
    for (const [, name = ''] of text.matchAll(variable)) names.add(name)
    return text
  })
  return [...names]
}

function eachText(spec: McpServerSpec, change: (text: string) => string): McpServerSpec {
  const { command, args, env, url, headers, oauth } = spec
  const record = (texts: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, change(value)]))
  return {
    ...spec,
    ...(command === undefined ? {} : { command: change(command) }),
    ...(args === undefined ? {} : { args: args.map(change) }),
    ...(env === undefined ? {} : { env: record(env) }),
    ...(url === undefined ? {} : { url: change(url) }),
    ...(headers === undefined ? {} : { headers: record(headers) }),
    ...(oauth === undefined ? {} : { oauth: changedTexts(oauth, change) }),
  }
}

function changedTexts(
  oauth: NonNullable<McpServerSpec['oauth']>,
  change: (text: string) => string,
): NonNullable<McpServerSpec['oauth']> {
  const entries = Object.entries(oauth).map(([key, value]) => [key, typeof value === 'string' ? change(value) : value])
  return Object.fromEntries(entries) as NonNullable<McpServerSpec['oauth']>
}
