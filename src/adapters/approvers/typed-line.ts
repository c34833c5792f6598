import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** A terminal's input; what is no terminal has no raw mode. */
export type RawInput = Readable & { setRawMode?(raw: boolean): unknown }

/** Hears what becomes of a line that is being typed. */
export interface LineListener {
  /** From now on keys count: whatever was typed earlier is gone. */
  ready(): void
  /** The line as it stands. */
  changed(line: string): void
  entered(line: string): void
  /** No further key can come. */
  ended(): void
}

/** Keys that a terminal in raw mode hands on instead of acting on them. */
export interface TerminalSignals {
  /** Ctrl+C. */
  interrupt(): void
  /** Ctrl+Z; returns when the process goes on. */
  suspend(): void
}

export interface TypedLines {
  /**
   * Hears lines until told to stop. Nothing that was typed before `ready` is ever heard.
   * @returns how to stop; what is typed on an unfinished line is dropped with that
   */
  hear(listener: LineListener): () => void
  /** Takes what was typed and nobody heard off the terminal, so that no shell reads it. */
  close(): Promise<void>
}

interface TypedLinesOptions extends TerminalSignals {
  readonly input: RawInput
  /** Milliseconds for which keys are dropped after somebody began to listen. */
  readonly graceMs: number
}

/**
 * Owns a terminal's keys while somebody listens, in raw mode: the line that is typed is ours, never the terminal's own.
 * 1. The terminal is raw only while somebody listens; it is opened by the first who does.
 * 2. Turning a terminal raw hands over what was typed on its unfinished line, and it is dropped: the loop has looked for
 *    input once more, after the grace, before a key counts.
 * 3. After `close` nothing of what was typed is left in the terminal.
 */
export function typedLines(options: TypedLinesOptions): TypedLines {
  const keys: Keys = { ...options, listener: null, counts: false, line: '', opened: false, ended: false }
  return {
    hear(next) {
      if (keys.ended || keys.input.destroyed || keys.input.readableEnded) {
        next.ended()
        return () => undefined
      }
      return hear(keys, next)
    },
    async close() {
      const { input, opened, ended } = keys
      if (!opened || ended) return
      raw(input, true)
      // The loop looks for input once between two of these.
      for (let looks = 0; looks < 2; looks += 1) await new Promise((resolve) => setImmediate(resolve))
      raw(input, false)
    },
  }
}

interface Keys extends TypedLinesOptions {
  listener: LineListener | null
  /** Keys are an answer, not what was typed for something else. */
  counts: boolean
  line: string
  opened: boolean
  /** No further key can come. */
  ended: boolean
}

function hear(keys: Keys, listener: LineListener): () => void {
  const { input, graceMs } = keys
  Object.assign(keys, { listener, line: '', counts: false })
  if (!keys.opened) open(keys)
  const count = (): void => {
    if (keys.listener !== listener || keys.ended) return
    keys.counts = true
    listener.ready()
  }
  const grace = setTimeout(() => setImmediate(count), graceMs)
  raw(input, true)
  return () => {
    clearTimeout(grace)
    if (keys.listener !== listener) return
    keys.listener = null
    if (!keys.ended) raw(input, false)
  }
}

function open(keys: Keys): void {
  const { input } = keys
  const decoder = new StringDecoder('utf8')
  keys.opened = true
  input.on('data', (chunk: Buffer | string) => read(keys, typeof chunk === 'string' ? chunk : decoder.write(chunk)))
  for (const event of ['end', 'close', 'error']) input.on(event, () => end(keys))
}

function end(keys: Keys): void {
  if (keys.ended) return
  keys.ended = true
  keys.listener?.ended()
}

function read(keys: Keys, text: string): void {
  const { listener } = keys
  if (listener === null) return
  for (const key of keysIn(text)) {
    press(keys, key)
    // Keys behind the one that answered were typed for nobody.
    if (keys.listener !== listener) return
  }
  if (keys.counts) listener.changed(keys.line)
}

function press(keys: Keys, key: string): void {
  if (key === '\u0003') keys.interrupt()
  else if (key === '\u001a') rawly(keys.input, keys.suspend)
  else if (key === '\u0004' && keys.line === '') end(keys)
  else if (!keys.counts) return
  else if (key === '\r' || key === '\n') {
    const { line } = keys
    keys.line = ''
    keys.listener?.entered(line)
  } else keys.line = edited(keys.line, key)
}

function raw(input: RawInput, on: boolean): void {
  if (!on) input.pause()
  input.setRawMode?.(on)
  if (on) input.resume()
}

/** Lets something else have the terminal as it is by itself. */
function rawly(input: RawInput, act: () => void): void {
  input.setRawMode?.(false)
  act()
  input.setRawMode?.(true)
}

const keyPattern = /\u001b\[[0-?]*[ -/]*[@-~]|\u001bO[^]|\u001b[^]?|\r\n|[^]/gu

/** Characters and whole escape sequences. */
function keysIn(text: string): readonly string[] {
  return text.match(keyPattern) ?? []
}

const graphemes = new Intl.Segmenter()

/** A line after a key that does not end it; keys without a meaning here change nothing. */
function edited(line: string, key: string): string {
  if (key === '\u007f' || key === '\b') return line.slice(0, lastCharacter(line))
  if (key === '\u0015') return ''
  if (key === '\u0017') return line.replace(/\S*\s*$/, '')
  return key < ' ' || (key >= '\u007f' && key < '\u00a0') ? line : line + key
}

function lastCharacter(line: string): number {
  return [...graphemes.segment(line)].at(-1)?.index ?? 0
}
