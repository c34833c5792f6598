import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { detachedPlace } from './detached.ts'
import type { Launched, WorkerCommand, WorkerPlace } from './place.ts'

const run = promisify(execFile)

/** The tmux pane that the leader runs in, as tmux tells its programs. */
export interface TmuxPanesOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly program?: string
}

/**
 * Panes in the person's own tmux window, beside the leader's: each shows one worker live, and the worker itself is a
 * detached process.
 * 1. A pane is a view, drawn by `troupe attach`: closing it ends nothing, and what is typed in it is sent by that process
 *    as the person. Nothing is ever typed into a pane from here.
 * 2. The focus stays, and so do the person's other panes. Where the window has no room, a new window of the session has the next panes.
 * 3. A worker that could not be shown works all the same.
 * 4. At the end the panes close and the window is as it was; the pane of a worker that failed stays, with its last words.
 */
export function tmuxPanes({ env, program = 'tmux' }: TmuxPanesOptions): WorkerPlace {
  const workers = detachedPlace()
  const tmux: Tmux = async (args) => (await run(program, args, { env })).stdout.trim()
  const panes: Panes = { tmux, leader: env['TMUX_PANE'] ?? '', env, opened: new Map(), dressed: new Map() }
  const failed = new Set<string>()
  let before: Promise<unknown> = Promise.resolve()
  return {
    async launch(command): Promise<Launched> {
      const launched = await workers.launch(command)
      failed.delete(command.member)
      void noteEnd(launched, () => failed.add(command.member))
      before = before.then(() => show(panes, command)).catch(() => undefined)
      return launched
    },
    async close() {
      await before
      await closeAll(panes, failed)
    },
  }
}

async function noteEnd({ exited }: Launched, fails: () => void): Promise<void> {
  const end = await exited
  if (end && end.code !== 0) fails()
}

type Tmux = (args: readonly string[]) => Promise<string>

interface Panes extends Pick<TmuxPanesOptions, 'env'> {
  readonly tmux: Tmux
  /** The pane of the leader. */
  readonly leader: string
  /** Panes by member, in the order in which they were opened. */
  readonly opened: Map<string, string>
  /** Windows with borders of ours, and the value that the option had there. */
  readonly dressed: Map<string, string>
}

/** A pane that nobody can read is none. */
const least = { columns: 36, rows: 8 } as const

/** The view of a worker in its pane of before, or in a new one. */
async function show(panes: Panes, command: WorkerCommand): Promise<void> {
  const { tmux, opened } = panes
  const mark = command.view.at(-1) ?? ''
  const known = await tmux(['list-panes', '-s', '-t', panes.leader, '-F', '#{pane_id} #{pane_dead} #{@troupe}'])
  const [id, dead] =
    known
      .split('\n')
      .find((line) => line.endsWith(` ${mark}`))
      ?.split(' ') ?? []
  if (id !== undefined && dead === '1') await tmux(['respawn-pane', '-k', '-t', id, ...command.view])
  const pane = id ?? (await opens(panes, command))
  opened.set(command.member, pane)
  await dress(panes, pane, { ...command, mark })
}

/** Beside the leader, below the latest pane, or in a new window. */
async function opens({ tmux, leader, env, opened }: Panes, { view, cwd, title }: WorkerCommand): Promise<string> {
  const shared = ['HOME', 'XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME', 'VISUAL', 'EDITOR'].flatMap((name) =>
    env[name] === undefined ? [] : ['-e', `${name}=${env[name]}`],
  )
  const printed = ['-P', '-F', '#{pane_id}', '-c', cwd, ...shared, ...view]
  const latest = [...opened.values()].at(-1)
  const splits = async (target: string, size: readonly string[]): Promise<string> => {
    const room = await tmux(['display-message', '-p', '-t', target, '#{pane_width} #{pane_height}'])
    const [columns = 0, rows = 0] = room.split(' ').map(Number)
    const beside = columns >= 2 * least.columns + 1
    if (size.includes('-h') ? !beside : rows < 2 * least.rows + 1) throw new Error('no room for another pane')
    return tmux(['split-window', '-d', ...size, '-t', target, ...printed])
  }
  const first = (): Promise<string> => splits(leader, ['-h', '-l', '55%'])
  const next = async (): Promise<string> => {
    if (latest === undefined) return first()
    const isBeside = await evened(tmux, latest, [leader, ...opened.values()])
    const below = splits(latest, ['-v'])
    return isBeside ? below : below.catch(() => splits(latest, ['-h']))
  }
  const anew = async (): Promise<string> => {
    const window = await tmux(['display-message', '-p', '-t', leader, '#{window_id}'])
    return tmux(['new-window', '-d', '-a', '-t', window, '-n', title, ...printed])
  }
  const pane = await next().catch(anew)
  await evened(tmux, pane, [leader, ...opened.values(), pane])
  return pane
}

/**
 * Panes share a window evenly where no other pane than ours is in it.
 * @returns whether the leader's pane is in it
 */
async function evened(tmux: Tmux, pane: string, ours: readonly string[]): Promise<boolean> {
  const listed = await tmux(['list-panes', '-t', pane, '-F', '#{pane_id} #{window_width}'])
  const lines = listed.split('\n').map((line) => line.split(' '))
  const [leader = ''] = ours
  const isBeside = lines.some(([id]) => id === leader)
  if (!lines.every(([id = '']) => ours.includes(id))) return isBeside
  if (!isBeside) {
    await tmux(['select-layout', '-t', pane, 'tiled'])
    return false
  }
  const main = Math.floor((Number(lines[0]?.[1]) || 80) * 0.45)
  const width = (value: readonly string[]) => ['set-option', '-w', '-t', pane, ...value]
  await tmux([...width(['main-pane-width', String(main)]), ';', 'select-layout', '-t', pane, 'main-vertical'])
  await tmux(width(['-u', 'main-pane-width']))
  return true
}

interface Dress extends Pick<WorkerCommand, 'title' | 'colour'> {
  readonly mark: string
}

/** Title, colour and mark of a pane; a view that fails leaves its last words. */
async function dress({ tmux, dressed }: Panes, pane: string, { title, colour, mark }: Dress): Promise<void> {
  const tint = `fg=colour${1 + (colour % 6)}`
  const option = (scope: '-w' | '-p', name: string, value: string) => ['set-option', scope, '-t', pane, name, value]
  const window = await tmux(['display-message', '-p', '-t', pane, '#{window_id}'])
  if (!dressed.has(window)) {
    dressed.set(window, await tmux(['show-options', '-wqv', '-t', window, 'pane-border-status']))
  }
  const orders = [
    ['select-pane', '-t', pane, '-T', title],
    option('-w', 'pane-border-status', 'top'),
    option('-p', 'pane-border-format', `#[${tint},bold] #{pane_title} #{?pane_dead,(ended),}`),
    option('-p', 'pane-border-style', tint),
    option('-p', 'pane-active-border-style', `${tint},bold`),
    option('-p', 'remain-on-exit', 'failed'),
    option('-p', 'allow-rename', 'off'),
    option('-p', '@troupe', mark),
  ]
  await tmux(orders.flatMap((order, n) => (n === 0 ? order : [';', ...order])))
}

/** A pane or a window that is gone already need not be closed. */
async function closeAll({ tmux, opened, dressed }: Panes, failed: ReadonlySet<string>): Promise<void> {
  const quietly = (args: readonly string[]): Promise<string> => tmux(args).catch(() => '')
  for (const [member, pane] of opened) if (!failed.has(member)) await quietly(['kill-pane', '-t', pane])
  if (failed.size > 0) return
  for (const [window, value] of dressed) {
    const own = value === '' ? ['-u', 'pane-border-status'] : ['pane-border-status', value]
    await quietly(['set-option', '-w', '-t', window, ...own])
  }
}
