import type { Readable, Writable } from 'node:stream'
import { plainText } from '../../text/plain-text.ts'

export type Input = Readable & { readonly isTTY?: boolean }
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number }
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
  /** Runs when the process ends, however it ends short of a kill; only synchronous work counts. */
  onExit(listener: () => void): () => void
  /**
   * Calls back when the reader of stdout has gone, or its terminal was closed. Without a listener the process then
   * ends quietly.
   */
  onBrokenPipe(listener: () => void): () => void
  /** Ends the process at once. */
  exit(code: number): void
}

/** Prints one piece of output; waits while a slow reader has not taken what came before. */
export async function print(stream: Output, text: string): Promise<void> {
  if (stream.destroyed || stream.writableEnded) return
  await new Promise<void>((resolve) => stream.write(text, () => resolve()))
}

/** Prints one JSON document. */
export function printJson(stream: Output, document: unknown): Promise<void> {
  return print(stream, `${JSON.stringify(document, null, 2)}\n`)
}

/** Prints words for a person, a line each, beside the output. */
export function noteTo({ stderr }: Pick<Host, 'stderr'>): (text: string) => void {
  return (text) => void stderr.write(`${plainText(text)}\n`)
}
