import { textOf, type Message } from '../../../protocol/conversation/message.ts'
import { unframedBody } from '../../../rules/conversation/mail-frame.ts'

/** A piece of mail as the conversation shows it, without its frame. */
export interface FramedMail {
  /** The sender's name inside the team. */
  readonly from: string
  readonly kind: string
  readonly body: string
}

/** The mail that a message is, or undefined. A body cannot forge a frame: it is escaped. */
export function mailIn(message: Message): FramedMail | undefined {
  if (message.role !== 'user' || message.origin !== 'runtime') return undefined
  const text = textOf(message)
  const body = unframedBody(text)
  const [, from, kind] = /^<message from="([^"@]+)[^"]*" kind="([a-z]+)"/.exec(text) ?? []
  return body === undefined || from === undefined || kind === undefined ? undefined : { from, kind, body }
}
