import { onTestFailed, onTestFinished } from 'vitest'
import { bareEnv } from '../../../support/bare-env.ts'
import { graphemeTerminal } from '../../../support/grapheme-terminal.ts'
import { bin } from './troupe.ts'

/** The optional package that real pseudo-terminals need; null where it is not installed. */
export const pty = await import('@lydell/node-pty').catch(() => null)
if (!pty) console.warn('skipped: tests on a real terminal need the optional package @lydell/node-pty')

interface Session {
  press(keys: string): void
  resize(columns: number, rows: number): void
  /** Resolves with the screen as soon as it satisfies. */
  until(satisfies: (screen: string) => boolean): Promise<string>
  readonly ended: Promise<number>
  signal(name: string): void
  readonly written: () => string
}

/** The command line on a real pseudo-terminal, and what a person sees there. */
export function onTerminal(cwd: string, args: readonly string[], size: readonly [number, number]): Session {
  return programOnTerminal(cwd, [process.execPath, bin, ...args], size)
}

/** Any program on a real pseudo-terminal. */
export function programOnTerminal(
  cwd: string,
  [program = '', ...args]: readonly string[],
  [cols, rows]: readonly [number, number],
): Session {
  if (!pty) throw new Error('no pseudo-terminal')
  const screen = graphemeTerminal({ cols, rows })
  const env = { ...bareEnv, HOME: cwd, TERM: 'xterm-256color' }
  const child = pty.spawn(program, args, { cols, rows, cwd, env })
  const waiting = new Set<() => void>()
  let written = ''
  child.onData((text) => {
    written += text
    screen.write(text, () => waiting.forEach((look) => look()))
  })
  const ended = new Promise<number>((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)))
  onTestFinished(() => {
    child.kill('SIGKILL')
    screen.dispose()
  })
  const shot = (): string =>
    Array.from({ length: screen.rows }, (_, n) => screen.buffer.active.getLine(n)?.translateToString(true)).join('\n')
  onTestFailed(() => console.error(shot()))
  return {
    press: (keys) => child.write(keys),
    signal: (name) => child.kill(name),
    resize(columns, high) {
      screen.resize(columns, high)
      child.resize(columns, high)
    },
    until: (satisfies) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const text = shot()
          if (!satisfies(text)) return
          waiting.delete(look)
          resolve(text)
        }
        waiting.add(look)
        look()
        void ended.then((code) =>
          screen.write('', () => {
            look()
            reject(new Error(`it ended with ${code}; the screen:\n${shot()}`))
          }),
        )
      }),
    ended,
    written: () => written,
  }
}
