import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { systemEnv } from '../fs/system-programs.ts'
import type { WorkerCommand } from './place.ts'

const run = promisify(execFile)

export interface TmuxViewsOptions {
  /** With the tmux pane that this process runs in, as tmux tells its programs. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The run directory: every view of its members ends with `@` and this. */
  readonly run: string
  /** The socket of a tmux server of its own (`tmux -L`), which the first pane opens; default: the person's own tmux. */
  readonly server?: string
  readonly program?: string
}

/** One member's view: the command that shows it, and what its pane is called. */
export type MemberPane = Pick<WorkerCommand, 'member' | 'view' | 'cwd' | 'title' | 'colour'>

/**
 * Panes with live views of members in the person's own tmux, or in a server of its own, where nobody's keys and settings are.
 * 1. The focus stays, and so do the person's other panes. Nothing is ever typed into a pane from here.
 * 2. A member has one pane: its pane of before is kept, also one that another process opened. What tmux lists is the truth.
 * 3. Where a window has no room, a new window of the session has the next panes.
 * 4. After `close` the windows are as they were.
 */
export interface TmuxViews {
  /**
   * Shows a member in its pane of before, or in a new one.
   * @throws what tmux says
   */
  show(view: MemberPane): Promise<void>
  /** Closes all panes of the run, but those of these members. */
  close(kept: ReadonlySet<string>): Promise<void>
}

/** Where the first pane opens: beside the process, in a window of its own, or in a session that may be made for it. */
export const panesVariable = 'TROUPE_PANES'

/** @example tmuxViews({ env, run: dir }).show({ member, view: ['troupe', 'attach', `ana@${dir}`], cwd, title, colour: 0 }) */
export function tmuxViews({ env, run: dir, server, program = 'tmux' }: TmuxViewsOptions): TmuxViews {
  const where = server === undefined ? [] : ['-L', server, '-f', '/dev/null']
  const tmux: Tmux = async (args) =>
    (await run(program, [...where, ...args], { env: systemEnv(env, []) })).stdout.trim()
  const own = server === undefined ? (env['TMUX_PANE'] ?? '') : ''
  const first = server === undefined ? env[panesVariable] : 'session:troupe'
  const panes: Panes = { tmux, own, first: first ?? '', env, dir, dressed: new Map() }
  return { show: (view) => show(panes, view), close: (kept) => closeAll(panes, kept) }
}

type Tmux = (args: readonly string[]) => Promise<string>

interface Panes {
  readonly tmux: Tmux
  /** The pane of this process. */
  readonly own: string
  /** Where the first pane opens, as TROUPE_PANES says it. */
  readonly first: string
  readonly env: TmuxViewsOptions['env']
  readonly dir: string
  /** Windows with borders of ours, and the value that the option had there. */
  readonly dressed: Map<string, string>
}

interface ViewPane {
  readonly id: string
  readonly dead: boolean
  /** The last word of its command: `<member>@<run directory>`. */
  readonly mark: string
}

/** The panes of this run, whoever opened them, in the order of windows. */
async function panesOf({ tmux, dir }: Pick<Panes, 'tmux' | 'dir'>): Promise<readonly ViewPane[]> {
  // A server that nobody has opened yet has no panes.
  const listed = await tmux(['list-panes', '-a', '-F', '#{pane_id} #{pane_dead} #{@troupe}']).catch(() => '')
  return listed.split('\n').flatMap((line) => {
    const [id = '', dead, ...mark] = line.split(' ')
    const pane = { id, dead: dead === '1', mark: mark.join(' ') }
    return pane.mark.endsWith(`@${dir}`) ? [pane] : []
  })
}

/** A pane that nobody can read is none. */
const least = { columns: 36, rows: 8 } as const

async function show(panes: Panes, view: MemberPane): Promise<void> {
  const mark = view.view.at(-1) ?? ''
  const shown = await panesOf(panes)
  const known = shown.find((each) => each.mark === mark)
  if (known?.dead) await panes.tmux(['respawn-pane', '-k', '-t', known.id, ...view.view])
  await dress(panes, known?.id ?? (await opened(panes, view, shown)), { ...view, mark })
}

/** Below the latest pane; the first one where the person wants it. */
async function opened(panes: Panes, { view, cwd, title }: MemberPane, shown: readonly ViewPane[]): Promise<string> {
  const { tmux, own, env } = panes
  const shared = ['HOME', 'XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME', 'VISUAL', 'EDITOR'].flatMap((name) =>
    env[name] === undefined ? [] : ['-e', `${name}=${env[name]}`],
  )
  const printed = ['-P', '-F', '#{pane_id}', '-c', cwd, ...shared, ...view]
  const latest = shown.at(-1)?.id
  const ours = [own, ...shown.map(({ id }) => id)]
  const anew = async (): Promise<string> => {
    const window = await tmux(['display-message', '-p', '-t', latest ?? own, '#{window_id}'])
    return tmux(['new-window', '-d', '-a', '-t', window, '-n', title, ...printed])
  }
  const below = async (target: string): Promise<string> => {
    const isBeside = await evened(tmux, target, ours)
    const split = splits(tmux, { target, size: ['-v'], printed })
    return isBeside ? split : split.catch(() => splits(tmux, { target, size: ['-h'], printed }))
  }
  const beside = (): Promise<string> => splits(tmux, { target: own, size: ['-h', '-l', '55%'], printed })
  const pane =
    latest === undefined
      ? await firstPane(panes, { printed: ['-n', title, ...printed], anew }).catch(() => beside().catch(anew))
      : await below(latest).catch(anew)
  await evened(tmux, pane, [...ours, pane])
  return pane
}

interface Split {
  readonly target: string
  readonly size: readonly string[]
  readonly printed: readonly string[]
}

async function splits(tmux: Tmux, { target, size, printed }: Split): Promise<string> {
  const room = await tmux(['display-message', '-p', '-t', target, '#{pane_width} #{pane_height}'])
  const [columns = 0, rows = 0] = room.split(' ').map(Number)
  const hasRoom = size.includes('-h') ? columns >= 2 * least.columns + 1 : rows >= 2 * least.rows + 1
  if (!hasRoom) throw new Error('no room for another pane')
  return tmux(['split-window', '-d', ...size, '-t', target, ...printed])
}

interface First {
  readonly printed: readonly string[]
  anew(): Promise<string>
}

/**
 * The first pane in a window or a session of its own.
 * @throws where none is wanted
 */
async function firstPane({ tmux, first }: Panes, { printed, anew }: First): Promise<string> {
  const [where, session = ''] = first.split(/:(.*)/s)
  if (where === 'window') return anew()
  if (where !== 'session' || session === '') throw new Error('beside this process')
  return tmux(['has-session', '-t', `=${session}`]).then(
    () => tmux(['new-window', '-d', '-t', `=${session}:`, ...printed]),
    () => tmux(['new-session', '-d', '-x', '200', '-y', '50', '-s', session, ...printed]),
  )
}

/**
 * Panes share a window evenly where no other pane than ours is in it.
 * @param ours the pane of this process first
 * @returns whether that one is in it
 */
async function evened(tmux: Tmux, pane: string, ours: readonly string[]): Promise<boolean> {
  const listed = await tmux(['list-panes', '-t', pane, '-F', '#{pane_id} #{window_width}'])
  const lines = listed.split('\n').map((line) => line.split(' '))
  const [own = ''] = ours
  const isBeside = lines.some(([id]) => id === own)
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
async function closeAll(panes: Panes, kept: ReadonlySet<string>): Promise<void> {
  const { tmux, dir, dressed } = panes
  const quietly = (args: readonly string[]): Promise<string> => tmux(args).catch(() => '')
  const shown = await panesOf(panes)
  const closed = shown.filter(({ mark }) => !kept.has(mark.slice(0, -dir.length - 1)))
  for (const { id } of closed) await quietly(['kill-pane', '-t', id])
  if (closed.length < shown.length) return
  for (const [window, value] of dressed) {
    const own = value === '' ? ['-u', 'pane-border-status'] : ['pane-border-status', value]
    await quietly(['set-option', '-w', '-t', window, ...own])
  }
}
