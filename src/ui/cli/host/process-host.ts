import { homedir } from 'node:os'
import type { Host, StopSignal } from './host.ts'
import { markedEnv } from '../../../runtime/runs/marked-env.ts'
import { packageVersion } from './package-root.ts'

/**
 * The real process as a host. Owns the answer to a broken pipe: with nobody listening the process ends with 0
 * and without a word, since a reader that leaves early (`troupe logs | head`) is no mistake.
 */
export function processHost(): Host {
  const broken = new Set<() => void>()
  let heard = false
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!isGone(error)) throw error
    // Writing fails again after a listener has heard of the broken pipe, and means nothing new.
    if (broken.size === 0 && !heard) process.exit(0)
    heard = true
    for (const listener of broken) listener()
  })
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (!isGone(error)) throw error
  })
  return {
    // Opened when somebody reads it: most commands never do.
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: markedEnv(process.env),
    cwd: process.cwd(),
    home: process.env['HOME'] ?? homedir(),
    policyRoot: '/etc/troupe',
    version: packageVersion(),
    now: () => Date.now(),
    onSignal: (signal: StopSignal, listener) => listening(signal, listener),
    // To the whole group, as the terminal does.
    raise: (signal) => void process.kill(0, signal),
    onExit: (listener) => listening('exit', listener),
    // The streams were opened before: their sizes are the new ones when a listener asks.
    onResize: (listener) => listening('SIGWINCH', listener),
    onBrokenPipe(listener) {
      broken.add(listener)
      return () => broken.delete(listener)
    },
    exit: (code) => process.exit(code),
  }
}

/** A pipe without a reader, or a terminal that was closed. */
function isGone({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'EIO'
}

function listening(event: StopSignal | 'SIGWINCH' | 'exit', listener: () => void): () => void {
  process.on(event, listener)
  return () => void process.off(event, listener)
}
