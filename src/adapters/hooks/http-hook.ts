import { errorText } from '../../protocol/words/error-text.ts'
import type { HttpHook } from '../../protocol/hooks/hook.ts'
import type { HookRan, HookRun } from './command-hook.ts'

/** The way to a server, guarded by whoever hands it in. */
export type PostHook = (
  url: URL,
  sent: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  signal: AbortSignal,
) => Promise<{ readonly status: number; readonly body: AsyncIterable<Uint8Array> }>

const maxBody = 1_000_000

/**
 * Asks a server: the event's JSON is posted, a 2xx answer with JSON is its answer. Anything else is a failure. Variables
 * stand in headers only where the hook names them.
 *
 * @param variables the environment that headers may take the named variables from
 */
export async function runHttpHook(
  hook: HttpHook,
  run: HookRun,
  { post, variables }: { readonly post: PostHook; readonly variables: Readonly<Record<string, string | undefined>> },
): Promise<HookRan> {
  const late = AbortSignal.timeout(run.timeoutMs)
  try {
    const url = new URL(hook.url)
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error(`${url.protocol} is no web address`)
    const headers = { 'content-type': 'application/json', ...headersOf(hook, variables) }
    const answer = await post(url, { headers, body: run.input }, AbortSignal.any([run.signal, late]))
    const body = await textOf(answer.body)
    if (answer.status < 200 || answer.status > 299) throw new Error(`the server answered with ${answer.status}`)
    return { ending: { code: null, stdout: body, stderr: '' } }
  } catch (error) {
    if (late.aborted) return { failed: `it took longer than ${run.timeoutMs / 1_000} s`, cancelled: true }
    if (run.signal.aborted) return { failed: 'nobody waits for it any more', cancelled: true }
    return { failed: errorText(error), cancelled: false }
  }
}

function headersOf(
  { headers = {}, allowedEnvVars = [] }: HttpHook,
  variables: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const named = new Set(allowedEnvVars)
  const valueOf = (name: string): string => (named.has(name) ? (variables[name] ?? '') : '')
  const filled = Object.entries(headers).map(([name, template]) => {
    const value = template.replaceAll(/\$\{(\w+)\}|\$(\w+)/g, (_, braced: string | undefined, bare: string) =>
      valueOf(braced ?? bare),
    )
    // A line break would begin another header.
    return [name, value.replaceAll(/[\r\n\0]/g, '')] as const
  })
  return Object.fromEntries(filled)
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body) {
    length += piece.length
    if (length > maxBody) throw new Error(`the server sent more than ${maxBody} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
