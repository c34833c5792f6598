import { callsOf, textOf, type Message, type ToolResult } from '../../../protocol/conversation/message.ts'
import { unframedBody } from '../../../rules/conversation/mail-frame.ts'
import type { ScriptStep } from './script.ts'
import { textPath } from './text-path.ts'

/** Fills `{{…}}` in; a name that stands for nothing is a fault of the script. */
export type Fill = (text: string) => string

/** A lookup that names nothing the request carries. */
export class UnknownLookup extends Error {}

interface Found {
  readonly text: string
  readonly isError: boolean
}

const lookup = /\{\{\s*([a-z][\w.-]*)\s*(?:\|([^}]*))?\}\}/gi

/**
 * Lookups over one request: `{{files.number}}` reads the result that a call named with `as: files`,
 * `{{mail.historian}}` the latest result mail from that member, `{{task}}` the first thing the agent was told.
 * `{{files.line.1|none}}` says `none` when the call failed or has no such part. What is filled in is not searched again.
 *
 * @param steps of this agent, as far as it has come: they say which call had which name
 */
export function lookupsIn(messages: readonly Message[], steps: readonly ScriptStep[]): Fill {
  let sources: ReadonlyMap<string, Found> | undefined
  return (text) =>
    text.replaceAll(lookup, (whole, path: string, otherwise: string | undefined) => {
      sources ??= sourcesOf(messages, steps)
      const parts = path.split('.')
      const named = parts.splice(0, parts[0] === 'mail' ? 2 : 1).join('.')
      const found = sources.get(named)
      if (!found && otherwise === undefined) throw new UnknownLookup(`${whole} names nothing in the request`)
      if (!found || (found.isError && otherwise !== undefined)) return otherwise?.trim() ?? ''
      return textPath(found.text, parts) || (otherwise?.trim() ?? '')
    })
}

/** The same through every text of a value: arguments of a call. */
export function fillDeep(value: unknown, fill: Fill): unknown {
  if (typeof value === 'string') return fill(value)
  if (Array.isArray(value)) return value.map((item) => fillDeep(item, fill))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillDeep(item, fill)]))
}

function sourcesOf(messages: readonly Message[], steps: readonly ScriptStep[]): ReadonlyMap<string, Found> {
  const found = new Map<string, Found>()
  const names = new Map<string, string>()
  let step = 0
  for (const message of messages) {
    if (message.role === 'assistant') {
      for (const [index, call] of callsOf(message).entries()) {
        const name = steps[step]?.calls?.[index]?.as
        if (name !== undefined) names.set(call.id, name)
      }
      step += 1
    } else if (message.role === 'tool') {
      for (const result of message.results) note(found, names.get(result.call_id), result)
    } else {
      const mail = mailIn(message)
      if (mail?.kind === 'result') found.set(`mail.${mail.from}`, { text: mail.body, isError: false })
      if (!found.has('task')) found.set('task', { text: mail?.body ?? textOf(message), isError: false })
    }
  }
  return found
}

function note(found: Map<string, Found>, name: string | undefined, result: ToolResult): void {
  if (name !== undefined) found.set(name, { text: textOf(result), isError: result.is_error })
}

/** A piece of mail as the conversation shows it, without its frame. */
interface FramedMail {
  /** The sender's name inside the team. */
  readonly from: string
  readonly kind: string
  readonly body: string
}

/** The mail that a message is, or undefined. A body cannot forge a frame: it is escaped. */
function mailIn(message: Message): FramedMail | undefined {
  if (message.role !== 'user' || message.origin !== 'runtime') return undefined
  const text = textOf(message)
  const body = unframedBody(text)
  const [, from, kind] = /^<message from="([^"@]+)[^"]*" kind="([a-z]+)"/.exec(text) ?? []
  return body === undefined || from === undefined || kind === undefined ? undefined : { from, kind, body }
}
