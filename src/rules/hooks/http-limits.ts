import { ofProject, type Hook, type HookLimits, type HttpLimit } from '../../protocol/hooks/hook.ts'
import type { SettingsLayer } from '../../protocol/permissions/settings.ts'

type Part = Pick<SettingsLayer, 'hookSwitches'> & { readonly place: Pick<SettingsLayer['place'], 'source'> }

/**
 * The bounds of hooks that are servers: of the lists of the policy and of the person the strongest counts, for every hook;
 * lists in the files of a project bind only what the project brings, and widen nothing.
 */
export function hookLimits(layers: readonly Part[]): HookLimits {
  const isOfProject = ({ place }: Part): boolean => ofProject.has(place.source)
  const person = layers.filter((layer) => !isOfProject(layer)).map(({ hookSwitches }) => hookSwitches.http)
  const project = layers.filter(isOfProject).map(({ hookSwitches }) => hookSwitches.http)
  const strongest = (of: keyof HttpLimit) => person.find((limit) => limit[of] !== null)?.[of] ?? null
  const all = (of: keyof HttpLimit) => {
    const lists = project.flatMap((limit) => (limit[of] === null ? [] : [limit[of]]))
    return lists.length === 0 ? null : lists.flat()
  }
  return {
    everybody: { urls: strongest('urls'), variables: strongest('variables') },
    project: { urls: all('urls'), variables: all('variables') },
  }
}

/** The hooks within their bounds: one that may not reach its server fails with the reason, before anything is sent. */
export function withinLimits(hooks: readonly Hook[], limits: HookLimits): readonly Hook[] {
  return hooks.map((hook) => {
    const { everybody, project } = limits
    const own = ofProject.has(hook.source) ? [everybody, project] : [everybody]
    return own.reduce(within, hook)
  })
}

function within(hook: Hook, { urls, variables }: HttpLimit): Hook {
  const { spec } = hook
  if (spec.type !== 'http') return hook
  const allowedEnvVars = (spec.allowedEnvVars ?? []).filter((name) => variables?.includes(name) ?? true)
  const kept = variables === null ? hook : { ...hook, spec: { ...spec, allowedEnvVars } }
  if (urls === null || urls.some((pattern) => matchesUrl(pattern, spec.url))) return kept
  return { ...kept, refused: `${spec.url} is none of allowedHttpHookUrls` }
}

/**
 * Whether an address is one of a pattern's: `*` stands for any text, hosts are compared as DNS compares them.
 *
 * @example matchesUrl('https://hooks.example.com/*', 'https://Hooks.example.com./a') // true
 */
export function matchesUrl(pattern: string, url: string): boolean {
  if (!URL.canParse(url)) return false
  const { href, username, password } = new URL(url)
  // A name before the @ is no host.
  if (username !== '' || password !== '') return false
  const parts = withoutFinalDot(pattern).split('*').map(escaped)
  const [, scheme = ''] = /^([a-z]+:\/\/[^/]*)/i.exec(pattern) ?? []
  const whole = new RegExp(`^${parts.join('.*')}/?$`, scheme.includes('*') ? 'is' : 's')
  const plain = withoutFinalDot(href)
  return [plain, withUsualPort(plain)].some((address) => whole.test(address))
}

/** `http://localhost/a` is `http://localhost:80/a`, too. */
function withUsualPort(href: string): string {
  return href.replace(/^(http|https):\/\/([^/:]+|\[[^\]]+\])(?=\/)/, (_, scheme: string, host: string) => {
    return `${scheme}://${host}:${scheme === 'http' ? 80 : 443}`
  })
}

function withoutFinalDot(url: string): string {
  return url.replace(
    /^([a-z]+:\/\/)([^/:*]+)/i,
    (_, scheme: string, host: string) => scheme.toLowerCase() + host.toLowerCase().replace(/\.$/, ''),
  )
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
