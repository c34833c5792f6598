import { execFile } from 'node:child_process'
import { rmSync, existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { markVariable } from '../process/end-process.ts'
import { processStart } from '../process/liveness.ts'
import { lastOf } from './last-lines.ts'
import type { Launched, WorkerPlace, WorkerCommand } from './place.ts'
import { join } from 'node:path'

const run = promisify(execFile)

/** A tmux server of its own for one run: the person's sessions, keys and settings are not touched. */
export interface TmuxOptions {
  /** The name of its socket (`tmux -L`). */
  readonly socket: string
  /** Says where sockets lie. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly program?: string
}

/**
 * Panes of a private tmux server, one window per member. The worker is the pane's own command: nothing is ever typed
 * into a pane or read from it but the last words of one that failed. A pane is addressed by its id. Nobody is attached
 * when it opens, so no focus is taken. The server ends with the last pane.
 */
export function tmuxPlace({ socket, env: ownEnv, program = 'tmux' }: TmuxOptions): WorkerPlace {
  let before: Promise<unknown> = Promise.resolve()
  let isOpen = false
  const tmux = async (args: readonly string[], env?: NodeJS.ProcessEnv): Promise<string> => {
    const { stdout } = await run(program, ['-L', socket, '-f', '/dev/null', ...args], env ? { env } : {})
    return stdout.trim()
  }
  /** A pane that is gone already need not be removed. */
  const quietly = (args: readonly string[]): Promise<string> => tmux(args).catch(() => '')
  /** One after the other: the first opens the server. */
  const launch = (command: WorkerCommand): Promise<Launched> => {
    const opened = before.then(() => open(tmux, command, isOpen))
    before = opened.then(() => (isOpen = true)).catch(() => undefined)
    return opened.then(({ pane, pid }) => launchedIn({ pane, pid }, quietly))
  }
  return {
    launch,
    async close() {
      await before
      // Also that of an earlier leader, whose workers live on here.
      await closeServer(socket, ownEnv)
    },
  }
}

type Tmux = (args: readonly string[], env?: NodeJS.ProcessEnv) => Promise<string>

interface Pane {
  readonly pane: string
  readonly pid: number
}

const session = 'troupe'
const setting = (name: string, value: string) => ['set-option', '-g', name, value, ';']
const opening = ['start-server', ';', ...setting('remain-on-exit', 'failed'), ...setting('allow-rename', 'off')]

/** The likelier way first: a server that an earlier leader left, or that ended meanwhile, takes the other one. */
async function open(tmux: Tmux, command: WorkerCommand, isRunning: boolean): Promise<Pane> {
  const { argv, env, cwd, title, member, colour } = command
  // The server hands on the environment that it was opened with, and is no part of the worker that was there first:
  // what belongs to one worker alone goes to its pane. It is no secret.
  const { [markVariable]: life = '', ...shared } = env
  const where = ['-d', '-n', member, '-c', cwd, '-e', `${markVariable}=${life}`]
  const shown = ['-P', '-F', '#{pane_id} #{pane_pid}', ...argv]
  const beside = (): Promise<string> => tmux(['new-window', '-t', `=${session}:`, ...where, ...shown])
  const anew = (): Promise<string> =>
    tmux([...opening, 'new-session', '-s', session, '-x', '200', '-y', '50', ...where, ...shown], shared)
  const text = await (isRunning ? either(beside, anew) : either(anew, beside))
  const [pane = '', pid = ''] = text.split(' ')
  await dress(tmux, pane, { title, colour: `fg=colour${1 + (colour % 6)}` }).catch(() => undefined)
  return { pane, pid: Number(pid) }
}

/** The output of the first way that works; the first way's error when both fail. */
async function either(first: () => Promise<string>, second: () => Promise<string>): Promise<string> {
  try {
    return await first()
  } catch (error) {
    return second().catch(() => {
      throw error
    })
  }
}

/** A pane that is gone already needs no dress. */
async function dress(tmux: Tmux, pane: string, { title, colour }: { title: string; colour: string }): Promise<void> {
  const option = (scope: '-w' | '-p', name: string, value: string) => [
    ';',
    'set-option',
    scope,
    '-t',
    pane,
    name,
    value,
  ]
  await tmux([
    'select-pane',
    '-t',
    pane,
    '-T',
    title,
    ...option('-w', 'automatic-rename', 'off'),
    ...option('-w', 'window-status-style', colour),
    ...option('-p', 'pane-active-border-style', colour),
  ])
}

function launchedIn({ pane, pid }: Pane, quietly: Tmux): Launched {
  const started = processStart(pid)
  return {
    process: started === null ? null : { pid, started },
    // tmux tells nobody; the executor looks for the process.
    exited: started === null ? Promise.resolve() : new Promise(() => undefined),
    async ready() {
      await quietly(['set-option', '-p', '-t', pane, 'remain-on-exit', 'off'])
    },
    lastLines: async () => lastOf(await quietly(['capture-pane', '-p', '-t', pane, '-S', '-100'])),
    async close() {
      await quietly(['kill-pane', '-t', pane])
    },
  }
}

/**
 * Ends the private tmux server of a run whose leader could not, and removes the socket that tmux leaves. Where the socket
 * lies is in tmux(1), under -L.
 * @returns whether there was anything
 * @example await closeServer('troupe-9xk2m4q7rt', process.env)
 */
export async function closeServer(socket: string, env: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  const path = join(env['TMUX_TMPDIR'] || '/tmp', `tmux-${process.getuid?.() ?? 0}`, socket)
  if (!existsSync(path)) return false
  // A server that is gone need not be ended.
  await run('tmux', ['-S', path, 'kill-server'], { env }).catch(() => undefined)
  rmSync(path, { force: true })
  return true
}
