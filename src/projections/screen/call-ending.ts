import type { CallEnding } from '../../protocol/conversation/message.ts'

/** How a call ended, for a reader: in a word, and whether it is a failure. `neutral`: neither done nor failed. */
export interface ReadEnding {
  readonly state: 'done' | 'failed' | 'neutral'
  /** `exit 1`, `skipped`; empty where the state says all. */
  readonly word: string
}

/** `readEnding({ is_error: false, exit: { code: 2, failed: true } })` → `{ state: 'failed', word: 'exit 2' }` */
export function readEnding({ is_error, exit, skipped }: CallEnding): ReadEnding {
  if (skipped) return { state: 'neutral', word: 'skipped' }
  const word = exit === undefined ? '' : `exit ${exit.code}`
  if (is_error || exit?.failed === true) return { state: 'failed', word }
  return { state: exit === undefined ? 'done' : 'neutral', word }
}
