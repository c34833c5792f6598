import { execFile } from 'node:child_process'
import { rmSync, existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { join } from 'node:path'
import { systemEnv } from '../fs/system-programs.ts'

const run = promisify(execFile)

/**
 * Ends the private tmux server of a run, also that of a leader that could not, and removes the socket that tmux leaves. Where
 * the socket lies is in tmux(1), under -L.
 * @returns whether there was anything
 * @example await closeServer('troupe-9xk2m4q7rt', process.env)
 */
export async function closeServer(socket: string, env: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  const path = join(env['TMUX_TMPDIR'] || '/tmp', `tmux-${process.getuid?.() ?? 0}`, socket)
  if (!existsSync(path)) return false
  // A server that is gone need not be ended.
  await run('tmux', ['-S', path, 'kill-server'], { env: systemEnv(env, []) }).catch(() => undefined)
  rmSync(path, { force: true })
  return true
}
