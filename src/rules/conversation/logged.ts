import type { Message } from '../../protocol/conversation/message.ts'

/** One message of a conversation, under the id of its journal entry. */
export interface Logged {
  readonly id: string
  readonly message: Message
}
