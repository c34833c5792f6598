import type { Readable, Writable } from 'node:stream'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { jsonText, paintedText, plainText } from '../../text/plain-text.ts'
import { UserError } from './user-error.ts'

export type Input = Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown }
export type Output = Writable & {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  readonly fd?: number
}
/** Options of a command line without a value, and options with one. */
export type Flags<Name extends string> = { readonly [Each in Name]?: true | undefined }
export type Values<Name extends string, Value = string> = { readonly [Each in Name]?: Value | undefined }

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** The process as a command sees it; every command acts through this and nothing else of the process. */
export interface Host {
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly home: string
  /** Where the managed policy lies. Fixed: nothing that an agent can set moves it. */
  readonly policyRoot: string
  readonly version: string
  readonly now: () => number
  /** Hears a signal instead of dying of it; returns how to stop listening. */
  onSignal(signal: StopSignal, listener: () => void): () => void
  /** Sends what a terminal sends for Ctrl+C or Ctrl+Z; returns, after the latter, when the process goes on. */
  raise(signal: 'SIGINT' | 'SIGTSTP'): void
  /** Runs when the process ends, however it ends short of a kill; only synchronous work counts. */
  onExit(listener: () => void): () => void
  /**
   * Runs whenever the terminal was resized, also when it has the old size again: a stream says nothing of that, and the
   * terminal has torn its content all the same.
   */
  onResize(listener: () => void): () => void
  /**
   * Calls back when the reader of stdout has gone, or its terminal was closed. Without a listener the process then
   * ends quietly.
   */
  onBrokenPipe(listener: () => void): () => void
  /** Ends the process at once. */
  exit(code: number): void
}

/**
 * Prints one piece of output; waits while a slow reader has not taken what came before. Whatever a caller let through, a
 * terminal is given nothing to obey but colours.
 */
export async function print(stream: Output, text: string | Buffer): Promise<void> {
  if (stream.destroyed || stream.writableEnded) return
  await new Promise<void>((resolve) => stream.write(stream.isTTY ? paintedText(String(text)) : text, () => resolve()))
}

/** Prints one JSON document. */
export function printJson(stream: Output, document: unknown): Promise<void> {
  return print(stream, `${jsonText(document, 2)}\n`)
}

/** Prints words for a person, a line each, beside the output. */
export function noteTo({ stderr }: Pick<Host, 'stderr'>): (text: string) => void {
  return (text) => void stderr.write(`${plainText(text)}\n`)
}

/** Prints a document as JSON where that is asked for, else as the text that says the same to people. */
export function printEither(
  { document, text }: { readonly document: unknown; readonly text: string },
  { json }: Flags<'json'>,
  { stdout }: Pick<Host, 'stdout'>,
): Promise<void> {
  return json ? printJson(stdout, document) : print(stdout, `${text}\n`)
}

/**
 * The directory that a command works in: where it was called, or what `--cwd` says.
 *
 * `workingDirectory('..', host)` → `/home/ann`
 * @throws UserError when there is no such directory: a slip would else read as an empty project
 */
export function workingDirectory(given: string | undefined, { cwd }: Pick<Host, 'cwd'>): string {
  if (given === undefined) return cwd
  const directory = resolve(cwd, given)
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return directory
  throw new UserError(`--cwd ${given} is not a directory; give one that exists`)
}
