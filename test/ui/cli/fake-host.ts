import { EventEmitter } from 'node:events'
import { PassThrough, Writable } from 'node:stream'
import type { Host, Output, StopSignal } from '../../../src/ui/cli/host/host.ts'

/** A stream that keeps what was written; a terminal when it is given a size. */
export class Screen extends Writable {
  text = ''
  readonly isTTY: boolean
  columns: number
  rows: number

  constructor(size?: { columns: number; rows: number }) {
    super({ decodeStrings: false })
    this.isTTY = size !== undefined
    this.columns = size?.columns ?? 80
    this.rows = size?.rows ?? 24
  }

  override _write(chunk: string | Buffer, _: BufferEncoding, done: () => void): void {
    this.text += String(chunk)
    done()
  }
}

export interface FakeHost extends Host {
  readonly stdout: Screen & Output
  readonly stderr: Screen & Output
  readonly stdin: PassThrough & { isTTY?: boolean }
  readonly exits: number[]
  raise(event: StopSignal | 'SIGTSTP' | 'exit' | 'pipe'): void
}

/** A process that exists in memory only. */
export function fakeHost(
  given: Partial<Pick<Host, 'cwd' | 'home' | 'env' | 'policyRoot'>> & {
    terminal?: { columns: number; rows: number }
  } = {},
): FakeHost {
  const events = new EventEmitter()
  const exits: number[] = []
  const on = (event: string, listener: () => void): (() => void) => {
    events.on(event, listener)
    return () => void events.off(event, listener)
  }
  return {
    stdin: new PassThrough(),
    stdout: new Screen(),
    stderr: new Screen(given.terminal),
    env: given.env ?? {},
    cwd: given.cwd ?? process.cwd(),
    home: given.home ?? '/nowhere',
    policyRoot: given.policyRoot ?? '/nowhere/policy',
    version: '1.2.3',
    now: () => 1_000_000,
    onSignal: on,
    onExit: (listener) => on('exit', listener),
    onResize: (listener) => on('resize', listener),
    onBrokenPipe: (listener) => on('pipe', listener),
    exit: (code) => void exits.push(code),
    exits,
    raise: (event) => void events.emit(event),
  }
}
