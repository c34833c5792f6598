/** Names under which people keep secrets. */
const secretName = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL/i
const proxies = /^(https?|all|no|ftp)_proxy$/i

/**
 * The environment of a hook that is a program: the run's own, without the credentials of models, the variables of Troupe
 * itself, and names that look like secrets. A person adds such names with `TROUPE_TOOL_ENV`.
 *
 * @param credentials variables that hold keys of models
 * @example hookEnv({ PATH: '/bin', CHANNEL: 'ops', MY_TOKEN: 's3cret' }, new Set()) // { PATH: '/bin', CHANNEL: 'ops' }
 */
export function hookEnv(
  env: Readonly<Record<string, string | undefined>>,
  credentials: ReadonlySet<string>,
): Readonly<Record<string, string>> {
  const declared = new Set((env['TROUPE_TOOL_ENV'] ?? '').split(',').map((name) => name.trim()))
  const kept = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && mayPass(name, value, { declared, credentials }) ? [[name, value] as const] : [],
  )
  return Object.fromEntries(kept)
}

interface Known {
  readonly declared: ReadonlySet<string>
  readonly credentials: ReadonlySet<string>
}

function mayPass(name: string, value: string, { declared, credentials }: Known): boolean {
  // Exporters of a program that embeds Troupe are not a hook's: their headers hold keys.
  if (name.startsWith('TROUPE_') || name.startsWith('OTEL_') || credentials.has(name)) return false
  if (declared.has(name)) return true
  if (proxies.test(name)) return !value.includes('@')
  return !secretName.test(name)
}
