import { ulidDigits } from '../../../protocol/words/ids.ts'

/** When a ULID was minted, in milliseconds since the epoch: its first ten characters. */
export function decodeTime(ulid: string): number {
  let time = 0
  for (const digit of ulid.slice(0, 10)) time = time * 32 + ulidDigits.indexOf(digit)
  return time
}
