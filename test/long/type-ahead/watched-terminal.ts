import { setImmediate as turn } from 'node:timers/promises'
import type { onTerminal } from '../../ui/cli/process/on-terminal.ts'
import { signsIn, type Decided } from './asking-team.ts'

/** A terminal, the keys that were written to it, and how many of these before each question could be seen there. */
export interface WatchedTerminal {
  readonly face: 'run' | 'attach'
  type(keys: string): Promise<void>
  /** The screen, when all that the program wrote by now is read. */
  look(): Promise<string>
  /** Keys written after the question was seen; null when it never was. */
  keysSince(sign: string): string | null
}

export function watchedTerminal(
  face: WatchedTerminal['face'],
  session: Pick<ReturnType<typeof onTerminal>, 'press' | 'until' | 'written'>,
): WatchedTerminal {
  const seen = new Map<string, number>()
  let [keys, keysBefore, read] = ['', 0, 0]
  const look = async (): Promise<string> => {
    // The loop reads what the terminal holds once between two of these.
    for (let looks = 0; looks < 2; looks += 1) await turn()
    const written = session.written()
    // A sign may come in two reads. A question that is seen right behind keys may have stood there before them.
    for (const sign of signsIn(written.slice(Math.max(0, read - 40)))) if (!seen.has(sign)) seen.set(sign, keysBefore)
    read = written.length
    keysBefore = keys.length
    return session.until(() => true)
  }
  return {
    face,
    look,
    async type(text) {
      await look()
      keys += text
      session.press(text)
      await look()
    },
    keysSince(sign) {
      const from = seen.get(sign)
      return from === undefined ? null : keys.slice(from)
    },
  }
}

/** Whether keys that were written after its question was seen make up this decision. */
export function explains(terminal: WatchedTerminal, { sign, behavior, reason, option }: Decided): boolean {
  const keys = terminal.keysSince(sign)
  if (keys === null) return false
  const isCall = Number(/\d+/.exec(sign)?.[0]) % 3 === 2
  const needed = isCall ? callKeys(terminal.face, behavior, reason) : wordKeys(behavior, reason, option)
  const ends = terminal.face === 'run' || !(isCall ? behavior === 'allow' : option !== null)
  return holdsInOrder(keys, `${needed}${ends ? '\r' : ''}`)
}

function callKeys(face: WatchedTerminal['face'], behavior: string, reason: string): string {
  if (behavior === 'allow') return face === 'run' ? 'o' : 'a'
  return `d${reason === 'denied' ? '' : reason}`
}

function wordKeys(behavior: string, reason: string, option: string | null): string {
  // Enter opens the line and sends it empty.
  return behavior === 'deny' ? '\r' : (option ?? reason)
}

function holdsInOrder(keys: string, needed: string): boolean {
  let at = -1
  return Array.from(needed.replaceAll(' ', '')).every((key) => (at = keys.indexOf(key, at + 1)) >= 0)
}
