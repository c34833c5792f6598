import type { GuardedWeb, WebAnswer } from './guarded-web.ts'

/** Where a fetch ended: at a page, or at a redirect to a host that has not been permitted. */
export type Fetched =
  | {
      readonly kind: 'page'
      readonly url: string
      readonly status: number
      readonly mediaType: string
      readonly charset: string
      readonly bytes: Uint8Array
      /** True when the page was longer than the taken part. */
      readonly cut: boolean
    }
  | { readonly kind: 'elsewhere'; readonly url: string }
  | { readonly kind: 'trouble'; readonly trouble: string }

const maxHops = 10
const maxBytes = 5 << 20

/**
 * Fetches a page, following redirects as long as they stay with the host that was permitted.
 *
 * @throws BlockedAddress, or what the network says.
 * @example await fetchPage(web, new URL('https://example.com/'), signal)
 */
export async function fetchPage(web: GuardedWeb, from: URL, signal: AbortSignal): Promise<Fetched> {
  let url: URL = from
  for (let hop = 0; hop <= maxHops; hop += 1) {
    const answer = await web.get(url, signal)
    const location = answer.status >= 300 && answer.status < 400 ? answer.header('location') : null
    if (location === null) return page(url, answer)
    await dismiss(answer)
    const next = URL.parse(location, url.href)
    if (next === null || !/^https?:$/.test(next.protocol)) {
      return {
        kind: 'trouble',
        trouble: `${url.href} redirects to something that is no web page: ${location.slice(0, 200)}`,
      }
    }
    if (next.hostname !== from.hostname) return { kind: 'elsewhere', url: next.href }
    url = next
  }
  return { kind: 'trouble', trouble: `${from.href} redirects more than ${maxHops} times.` }
}

async function page(url: URL, answer: WebAnswer): Promise<Fetched> {
  const [mediaType = '', ...parameters] = (answer.header('content-type') ?? 'text/plain').toLowerCase().split(';')
  const charset =
    parameters.map((each) => /^\s*charset="?([^"\s]+)"?\s*$/.exec(each)?.[1]).find((each) => each) ?? 'utf-8'
  const { bytes, cut } = await taken(answer)
  return { kind: 'page', url: url.href, status: answer.status, mediaType: mediaType.trim(), charset, bytes, cut }
}

/** Counts what was unpacked, so that a small compressed answer cannot become a huge one. */
async function taken({ body }: WebAnswer): Promise<{ readonly bytes: Uint8Array; readonly cut: boolean }> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), cut: true }
  }
  return { bytes: Buffer.concat(chunks), cut: false }
}

/** Leaving the loop closes the body. */
async function dismiss({ body }: WebAnswer): Promise<void> {
  for await (const _chunk of body) return
}
