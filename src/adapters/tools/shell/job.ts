import type { CommandEnd } from '../../process/run-command.ts'
import type { CommandOutput, ShownOutput } from './command-output.ts'

/** A command that goes on while the member does other things. */
export interface Job {
  readonly id: string
  readonly command: string
  /** Null while it runs. */
  ended(): CommandEnd | null
  /** Takes the output since the last call of this method. */
  news(): ShownOutput
  /** Resolves when it has printed or ended, or after `ms`, or on abort. */
  stirred(ms: number, signal: AbortSignal): Promise<void>
  /** Stops it with everything it started; resolves when that is done. */
  stop(): Promise<void>
  /** Forgets what nobody has asked for. */
  forget(): void
}

export interface JobStart {
  readonly id: string
  readonly command: string
  /** Makes room for what it prints next. */
  output(): CommandOutput
  run(signal: AbortSignal, onOutput: (text: string) => void): Promise<CommandEnd>
}

/** Starts a command and returns at once: `startJob({ id: 'job-1', command, output, run })`. */
export function startJob({ id, command, output, run }: JobStart): Job {
  const control = new AbortController()
  const wake = new EventTarget()
  let unread = output()
  let fresh = false
  let end: CommandEnd | null = null
  const stir = (): void => void wake.dispatchEvent(new Event('stir'))
  const hear = (text: string): void => {
    unread.push(text)
    fresh = true
    stir()
  }
  const follow = async (): Promise<void> => {
    end = await run(control.signal, hear)
    stir()
  }
  const finished = follow()
  return {
    id,
    command,
    ended: () => end,
    news() {
      const news = unread.end()
      unread = output()
      fresh = false
      return news
    },
    stirred: async (ms, signal) => (fresh || end !== null || signal.aborted ? undefined : sleepUntil(wake, ms, signal)),
    async stop() {
      control.abort()
      await finished
    },
    forget: () => unread.discard(),
  }
}

function sleepUntil(wake: EventTarget, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      wake.removeEventListener('stir', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    wake.addEventListener('stir', done, { once: true })
    signal.addEventListener('abort', done, { once: true })
  })
}
