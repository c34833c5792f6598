import { z } from 'zod'
import type { Tool, ToolOutput } from '../../../protocol/tools/tool.ts'
import { answer, complaint } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { fileKind, tellingBytes } from '../files/file-kind.ts'
import { promptText } from '../prompts/prompt-text.ts'
import { blockedAddresses } from './blocked-addresses.ts'
import { fetchPage, type Fetched } from './fetch-page.ts'
import { BlockedAddress, openWeb, type GuardedWeb, type WebOptions } from './guarded-web.ts'
import { pageText } from './page-text.ts'

const pageChars = 60_000
const timeout = 45_000
const imageBytes = 3_700_000

const input = z.strictObject({
  url: z.string().min(1).max(4_000).describe('The address of the page, with https:// or http://.'),
  offset: z.number().int().min(0).optional().describe('Characters of the text to skip, for the next page (default 0).'),
})

/** Makes the tool that fetches pages; the options say which addresses are closed to it. */
export function webFetchWith(options: WebOptions): Tool<z.infer<typeof input>> {
  let opening: Promise<GuardedWeb> | undefined
  return defineTool({
    name: 'WebFetch',
    aliases: ['web_fetch'],
    description: promptText('web-fetch', { pageChars }),
    input,
    effect: 'network',
    isConcurrencySafe: () => true,
    isReadOnly: () => true,
    interrupt: 'cancel',
    maxResultChars: pageChars + 1_000,
    timeout,
    retry: { times: 2, pauseMs: 500 },
    check: async ({ url }) => addressComplaint(url),
    async run({ url, offset = 0 }, { signal }) {
      try {
        opening ??= openWeb(options)
        const fetched = await fetchPage(await opening, new URL(url), signal)
        return await shown(fetched, offset)
      } catch (error) {
        if (signal.aborted) throw error
        if (error instanceof BlockedAddress) return complaint(`${error.message}. Only the public web can be fetched.`)
        return { ...complaint(`${url} could not be fetched: ${reasonOf(error)}`), transient: passes(error) }
      }
    },
  })
}

/** Fetches a page of the public web. */
export const webFetch = webFetchWith({ blocked: blockedAddresses() })

function addressComplaint(address: string): string | null {
  const url = URL.parse(address)
  if (url === null)
    return `"${address.slice(0, 200)}" is no address: give it in full, such as https://example.com/page.`
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'Only https and http addresses can be fetched.'
  return url.username === '' && url.password === '' ? null : 'An address with a user name or a password is not fetched.'
}

async function shown(fetched: Fetched, offset: number): Promise<ToolOutput> {
  if (fetched.kind === 'trouble') return complaint(fetched.trouble)
  if (fetched.kind === 'elsewhere') {
    return answer(`The page redirects to another host: ${fetched.url}\nTo follow it call WebFetch with this address.`)
  }
  const { url, status, mediaType, charset, bytes, cut } = fetched
  const say = status >= 400 ? complaint : answer
  const head = `[${status} ${mediaType} ${url}${cut ? '; only the first 5 MiB were taken' : ''}]`
  const kind = fileKind(url, bytes.subarray(0, tellingBytes))
  if (kind.kind === 'image' && bytes.length <= imageBytes) {
    const data = Buffer.from(bytes).toString('base64')
    return { content: [...say(head).content, { type: 'image', media_type: kind.mediaType, data }] }
  }
  if (!isText(mediaType, bytes)) return say(`${head}\n[not text, ${bytes.length.toLocaleString('en-US')} bytes]`)
  return say(`${head}\n${pageOf(await pageText(decoded(bytes, charset), mediaType), offset)}`)
}

function pageOf(text: string, offset: number): string {
  if (text.trim() === '') return '[no text]'
  const part = text
    .slice(offset, offset + pageChars)
    .replace(/[\uD800-\uDBFF]$/, '')
    .replace(/^[\uDC00-\uDFFF]/, '')
  const next = offset + part.length
  if (part === '') return `[offset ${offset} is past the end: there are ${text.length} characters]`
  return next < text.length
    ? `${part}\n[characters ${offset}-${next} of ${text.length}; more with offset=${next}]`
    : part
}

function isText(mediaType: string, bytes: Uint8Array): boolean {
  if (/^text\/|[/+](json|xml|javascript|yaml|ecmascript)$|x-www-form-urlencoded/.test(mediaType)) return true
  return mediaType === '' && !bytes.subarray(0, 8_192).includes(0)
}

function decoded(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    // A charset nobody knows.
    return new TextDecoder().decode(bytes)
  }
}

/** The connection was lost or never came about; whether the name exists or the certificate holds does not pass. */
function passes(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : ''
  return /^(ECONNRESET|EPIPE|ETIMEDOUT|EAI_AGAIN|UND_ERR_SOCKET|UND_ERR_CONNECT_TIMEOUT)$/.test(code)
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message || cause.name : String(cause)
}
