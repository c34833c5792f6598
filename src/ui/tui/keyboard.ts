import { emitKeypressEvents, type Interface, type Key } from 'node:readline'
import type { Readable } from 'node:stream'
import { strokeOf, type Stroke } from './keys.ts'

/** Callbacks for the keyboard. */
export interface Keyboard {
  pressed(stroke: Stroke): void
  pasted(text: string): void
}

/** A terminal's input; what is no terminal has no raw mode. */
export type KeySource = Readable & { setRawMode?(raw: boolean): unknown }

/** Milliseconds after which an escape that stands alone is the Esc key and begins no sequence. */
const patience: Partial<Interface> & { readonly escapeCodeTimeout: number } = { escapeCodeTimeout: 25 }

/**
 * Hears a terminal's keys. Characters that arrive together are one stroke, so that text from a terminal which does not
 * mark what is pasted presses no key of a list.
 * @returns how to stop
 */
export function openKeyboard(stdin: KeySource, { pressed, pasted }: Keyboard): () => void {
  let paste: string | null = null
  let typed = ''
  const flush = (): void => {
    if (typed !== '') pressed({ name: typed, text: typed })
    typed = ''
  }
  const heard = (text: string | undefined, key: Key): void => {
    const stroke = strokeOf(text, key)
    if (key.name === 'paste-end' && paste !== null) {
      pasted(paste)
      paste = null
    } else if (paste !== null) {
      paste += key.sequence ?? ''
    } else if (stroke.text !== '') {
      if (typed === '') queueMicrotask(flush)
      typed += stroke.text
    } else {
      flush()
      if (key.name === 'paste-start') paste = ''
      else if (stroke.name !== '') pressed(stroke)
    }
  }
  emitKeypressEvents(stdin, patience as Interface)
  stdin.on('keypress', heard)
  stdin.setRawMode?.(true)
  stdin.resume()
  return () => {
    stdin.off('keypress', heard)
    stdin.setRawMode?.(false)
    stdin.pause()
  }
}
