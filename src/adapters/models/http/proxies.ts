export type WireEnvironment = Readonly<Record<string, string | undefined>>

/** The proxies that an environment names. */
interface Proxies {
  /** The variables as Node honours them. */
  readonly env: WireEnvironment
  /** The complaint about a way that cannot be gone: no request may go past a proxy that somebody set. */
  complaint(url: URL): Error | undefined
  /** The error of a proxy names it and its variable: another error stays as it is. */
  named(error: unknown): unknown
}

/** No proxy leads to the machine that asks. */
const thisMachine = 'localhost,127.0.0.1-127.255.255.255,[::1],::1'

const names = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'] as const

/** `ALL_PROXY` stands for the two that are not set. Small letters go before capitals, as everywhere. */
export function proxiesOf(env: WireEnvironment): Proxies {
  const read = (name: string): string | undefined => env[name.toLowerCase()] ?? env[name]
  const all = read('ALL_PROXY')
  const of = (url: URL): readonly [string, string | undefined] => {
    const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
    return read(name) ? [name, read(name)] : ['ALL_PROXY', all]
  }
  const NO_PROXY = [read('NO_PROXY'), thisMachine].filter(Boolean).join(',')
  const isDirect = ({ hostname }: URL): boolean => isLocal(hostname) || isExcluded(hostname, read('NO_PROXY'))
  return {
    env: {
      ...(all && !isSocks(all) ? { HTTP_PROXY: all, HTTPS_PROXY: all } : {}),
      ...env,
      NO_PROXY,
      no_proxy: NO_PROXY,
    },
    complaint(url) {
      const [name, proxy = ''] = of(url)
      if (!isSocks(proxy) || isDirect(url)) return undefined
      const why = `${name} names a SOCKS proxy, and only http:// and https:// proxies are known`
      return Object.assign(new Error(why), { code: 'ERR_PROXY_UNKNOWN' })
    },
    named(error) {
      if (!(error instanceof Error) || !('port' in error)) return error
      const name = names.find((each) => URL.parse(read(each) ?? '')?.port === String(error.port))
      if (name === undefined) return error
      return Object.assign(new Error(`the proxy of ${name} cannot be reached: ${error.message}`), {
        code: error['code' as never],
      })
    },
  }
}

function isSocks(proxy: string): boolean {
  return /^socks/i.test(proxy)
}

function isLocal(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

function isExcluded(hostname: string, excluded = ''): boolean {
  const suffixes = excluded.split(/[\s,]+/).filter((each) => each !== '')
  return suffixes.some(
    (each) => each === '*' || hostname === each || hostname.endsWith(`.${each.replace(/^\*?\./, '')}`),
  )
}
