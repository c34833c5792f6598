import { withoutUnseen } from '../../unseen-signs.ts'

/** An answer of the server that is none: its status, and its words. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Asks the server this page came from. @throws Refused with the words of the server */
export async function getJson<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  return answerOf<Answer>(await fetch(path, signal === undefined ? {} : { signal }))
}

/** Sends something to the server. @throws Refused with the words of the server */
export async function postJson<Answer>(path: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  return answerOf<Answer>(await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) }))
}

async function answerOf<Answer>(response: Response): Promise<Answer> {
  if (response.ok) return parsed(await response.text()) as Answer
  const { error } = (await response.json().catch(() => ({}))) as { readonly error?: { readonly message: string } }
  throw new Refused(response.status, error?.message ?? `the server answers ${response.status}`)
}

/** JSON of the server, in whose texts nothing is hidden. */
export function parsed(json: string): unknown {
  return JSON.parse(withoutUnseen(json))
}

/**
 * Opens a session with the code of the address, which counts once; the code leaves the address at once.
 * @returns false when there is no session
 */
export async function openSession(): Promise<boolean> {
  const [, code, run = ''] = /^#([\w-]{16,})(?:\/(.*))?$/.exec(location.hash) ?? []
  if (code !== undefined) {
    history.replaceState(null, '', `${location.pathname}#/${run}`)
    await postJson('/api/session', { code }).catch(() => undefined)
  }
  return getJson('/api/runs').then(
    () => true,
    () => false,
  )
}

/** The path of a part of a run at the server. */
export function runPath(run: string, part = ''): string {
  return `/api/runs/${encodeURIComponent(run)}${part}`
}
