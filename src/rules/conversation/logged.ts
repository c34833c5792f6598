import type { Message } from '../../protocol/conversation/message.ts'

/** One message of a conversation, under the id of its journal entry. */
export interface Logged {
  readonly id: string
  /** When it was appended, in milliseconds since 1970; the runtime's own notes have none. */
  readonly at?: number | undefined
  readonly message: Message
}
