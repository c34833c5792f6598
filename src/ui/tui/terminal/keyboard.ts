import { emitKeypressEvents, type Interface, type Key } from 'node:readline'
import { PassThrough, type Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { partPointers, type Pointer } from './pointer.ts'
import { strokeOf, typedStroke, type Stroke } from '../state/keys.ts'

/** Callbacks for the keyboard. */
export interface Keyboard {
  pressed(stroke: Stroke): void
  pasted(text: string): void
  pointed?: ((pointer: Pointer) => void) | undefined
}

/** A terminal's input, from which the screen reads; what is no terminal has no raw mode. */
export type KeySource = Readable & { setRawMode?(raw: boolean): unknown }

/** Milliseconds after which an escape that stands alone is the Esc key and begins no sequence. */
const patience: Partial<Interface> & { readonly escapeCodeTimeout: number } = { escapeCodeTimeout: 25 }

const pasteBegins = '\u001b[200~'
const pasteEnds = '\u001b[201~'
/** So many characters in one read, and no key among them, were pasted at a terminal that does not say so. */
const mostTyped = 64
const holdsKey = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/**
 * Hears a terminal's keys. Characters that arrive together are one stroke, so that text from a terminal which does not
 * mark what is pasted presses no key of a list. What is pasted is never looked at key by key: it may be of any length.
 * @returns how to stop
 */
export function openKeyboard(stdin: KeySource, keyboard: Keyboard): () => void {
  const decoder = new StringDecoder('utf8')
  const strokes = openStrokes(keyboard)
  const read = (chunk: Buffer | string): void => strokes.read(typeof chunk === 'string' ? chunk : decoder.write(chunk))
  stdin.on('data', read)
  stdin.setRawMode?.(true)
  stdin.resume()
  return () => {
    stdin.off('data', read)
    stdin.setRawMode?.(false)
    stdin.pause()
  }
}

/** Esc, once or more, right before another one or a key with Ctrl: they came together, as on a slow line, and are no key with Alt. */
const escapes = /^(\u001b+)(?:\u001b|([\u0001-\u0007\u000b\u000c\u000e-\u001a]))$/

/** The keys that `node:readline` took for one, as an escape stood before it. */
function withoutEscapes(key: Key): readonly Key[] {
  const [, before, control] = escapes.exec(key.sequence ?? '') ?? []
  if (before === undefined) return [key]
  const last = control === undefined ? key : { name: String.fromCodePoint(0x60 + control.charCodeAt(0)), ctrl: true }
  return [...Array.from(before, () => ({ name: 'escape' })), last]
}

interface Pasting {
  /** The text pasted so far; null when nothing is being pasted. */
  parts: string[] | null
  /** The end of what was read: it may be the beginning of the closing mark. */
  held: string
}

/** Parts what is read into keys and pasted text, in their order. */
function openStrokes({ pressed, pasted, pointed }: Keyboard): { read(text: string): void } {
  const paste: Pasting = { parts: null, held: '' }
  const typing = typedTogether(pressed)
  const begin = (): void => {
    typing.flush()
    paste.parts = []
  }
  const keys = keySource((text, key) => {
    // The opening mark came in two reads: what follows it in the second one is pasted.
    if (paste.parts !== null) paste.held += key.sequence ?? ''
    else if (key.name === 'paste-start') begin()
    else for (const each of withoutEscapes(key)) typing.heard(strokeOf(text, each))
  })
  const readPaste = (parts: string[], text: string): void => {
    const all = paste.held + text
    const end = all.indexOf(pasteEnds)
    const last = end < 0 ? Math.max(0, all.length - pasteEnds.length) : end
    parts.push(all.slice(0, last))
    paste.held = end < 0 ? all.slice(last) : ''
    if (end >= 0) {
      paste.parts = null
      pasted(parts.join(''))
      read(all.slice(end + pasteEnds.length))
    }
  }
  const readTyped = pointersApart(keys, { flush: typing.flush, pointed })
  const readKeys = (text: string): void => {
    const start = text.indexOf(pasteBegins)
    const before = start < 0 ? text : text.slice(0, start)
    if (before.length >= mostTyped && !holdsKey.test(before)) {
      typing.flush()
      pasted(before)
    } else if (before !== '') readTyped(before)
    if (start >= 0) begin()
    if (paste.parts !== null) readPaste(paste.parts, text.slice(before.length + pasteBegins.length))
  }
  const read = (text: string): void => (paste.parts === null ? readKeys(text) : readPaste(paste.parts, text))
  return { read }
}

/** Hands on what was typed, and reports of the mouse that stand in it, in their order. */
function pointersApart(
  keys: PassThrough,
  { flush, pointed }: { readonly pointed: Keyboard['pointed']; flush(): void },
): (text: string) => void {
  let cut = ''
  return (text) => {
    const { parts, rest } = partPointers(cut + text)
    cut = rest
    for (const part of parts) {
      if (typeof part === 'string') keys.emit('data', part)
      else {
        flush()
        pointed?.(part)
      }
    }
  }
}

/** Makes keys of what is emitted as data. */
function keySource(heard: (text: string | undefined, key: Key) => void): PassThrough {
  const keys = new PassThrough()
  emitKeypressEvents(keys, patience as Interface)
  return keys.on('keypress', heard)
}

/** Characters that arrive together, as one stroke. */
function typedTogether(pressed: Keyboard['pressed']) {
  let typed = ''
  const flush = (): void => {
    const text = typed
    typed = ''
    if (text !== '') pressed(typedStroke(text))
  }
  return {
    flush,
    heard(stroke: Stroke): void {
      if (stroke.text === '') {
        flush()
        if (stroke.name !== '') pressed(stroke)
      } else {
        if (typed === '') queueMicrotask(flush)
        typed += stroke.text
      }
    },
  }
}
