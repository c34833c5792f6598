import type { WorkerCommand } from './place.ts'

/** The view that a driver makes a command line of: the command in the window, and what the window is called. */
export type TerminalPane = Pick<WorkerCommand, 'argv' | 'cwd' | 'title' | 'colour'>

/** How a terminal opens a window for a program, in its own words. Pure: it names command lines and runs none. */
export interface TerminalDriver {
  readonly name: string
  /** Whether its command lines were tried against the terminal itself, or are known from its documents only. */
  readonly tried: boolean
  /** Whether this process runs inside that terminal. */
  isHere(env: Readonly<Record<string, string | undefined>>): boolean
  /** Opens without taking the focus where the terminal can do that. */
  open(shown: TerminalPane): readonly [string, ...string[]]
  /** The window's name, as `open` printed it; null where the terminal does not say. */
  idIn(printed: string): string | null
  /** Closes it; null where it closes with its program. */
  close(id: string): readonly [string, ...string[]] | null
}

const colours = ['#5f87ff', '#5faf5f', '#d7af5f', '#d75f5f', '#af5fd7', '#5fafaf'] as const
const colourOf = ({ colour }: TerminalPane): string => colours[colour % colours.length] ?? colours[0]
const firstNumber = (printed: string): string | null => /\d+/.exec(printed)?.[0] ?? null
const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`

const kitty: TerminalDriver = {
  name: 'kitty',
  tried: true,
  isHere: (env) => Boolean(env['KITTY_LISTEN_ON']),
  open(shown) {
    const { argv, cwd, title } = shown
    const seen = ['--tab-title', title, '--title', title, '--color', `active_border_color=${colourOf(shown)}`]
    return ['kitty', '@', 'launch', '--type=tab', '--keep-focus', ...seen, '--cwd', cwd, ...argv]
  },
  idIn: firstNumber,
  close: (id) => ['kitty', '@', 'close-window', '--match', `id:${id}`],
}

const wezterm: TerminalDriver = {
  name: 'wezterm',
  tried: false,
  isHere: (env) => Boolean(env['WEZTERM_PANE']),
  open: ({ argv, cwd }) => ['wezterm', 'cli', 'spawn', '--new-window', '--cwd', cwd, '--', ...argv],
  idIn: firstNumber,
  close: (id) => ['wezterm', 'cli', 'kill-pane', '--pane-id', id],
}

const iterm2: TerminalDriver = {
  name: 'iterm2',
  tried: false,
  isHere: (env) => env['TERM_PROGRAM'] === 'iTerm.app',
  open({ argv, cwd }) {
    const line = ['/usr/bin/env', '-C', cwd, ...argv].map(quoted).join(' ')
    const command = JSON.stringify(line)
    return [
      'osascript',
      '-e',
      `tell application "iTerm2" to id of (create window with default profile command ${command})`,
    ]
  },
  idIn: firstNumber,
  close: (id) => ['osascript', '-e', `tell application "iTerm2" to close (first window whose id is ${id})`],
}

const zellij: TerminalDriver = {
  name: 'zellij',
  tried: false,
  isHere: (env) => env['ZELLIJ'] !== undefined,
  open: ({ argv, cwd, title }) => ['zellij', 'run', '--close-on-exit', '--name', title, '--cwd', cwd, '--', ...argv],
  idIn: () => null,
  close: () => null,
}

const windowsTerminal: TerminalDriver = {
  name: 'windows-terminal',
  tried: false,
  isHere: (env) => Boolean(env['WT_SESSION']),
  open(shown) {
    const seen = ['--title', shown.title, '--tabColor', colourOf(shown), '--suppressApplicationTitle']
    // Workers need a POSIX system: this process runs in the Windows Subsystem for Linux.
    return ['wt.exe', '-w', 'new', 'new-tab', ...seen, 'wsl.exe', '--cd', shown.cwd, '--exec', ...shown.argv]
  },
  idIn: () => null,
  close: () => null,
}

/** Ghostty opens windows by its own command but on macOS, where only `open` does. */
const ghostty: TerminalDriver = {
  name: 'ghostty',
  tried: false,
  isHere: (env) => env['TERM_PROGRAM'] === 'ghostty',
  open({ argv, cwd, title }) {
    const words = [`--title=${title}`, `--working-directory=${cwd}`, '-e', ...argv]
    return process.platform === 'darwin' ? ['open', '-na', 'Ghostty', '--args', ...words] : ['ghostty', ...words]
  },
  idIn: () => null,
  close: () => null,
}

/** Every terminal that is known. A new one is one entry. */
export const terminalDrivers: readonly TerminalDriver[] = [kitty, wezterm, iterm2, zellij, windowsTerminal, ghostty]

/** The variable with a person's own command line. */
export const terminalVariable = 'TROUPE_TERMINAL'

/**
 * A driver from a person's own command line: words, in which `{title}` and `{cwd}` are filled in and the word `{argv}` is
 * replaced by the worker's command.
 * @throws when `{argv}` is missing: such a command would open nothing
 * @example templateDriver('foot --title={title} -D {cwd} {argv}')
 */
export function templateDriver(template: string): TerminalDriver {
  const words = template.split(/\s+/).filter((word) => word !== '')
  if (!words.includes('{argv}')) throw new Error(`${terminalVariable} must hold the word {argv}, e.g. "foot {argv}"`)
  return {
    name: words[0] ?? '',
    tried: false,
    isHere: () => true,
    open({ argv, cwd, title }) {
      const fill = (word: string): string => word.replaceAll('{title}', title).replaceAll('{cwd}', cwd)
      const [first = '', ...rest] = words.flatMap((word) => (word === '{argv}' ? argv : [fill(word)]))
      return [first, ...rest]
    },
    idIn: () => null,
    close: () => null,
  }
}

/** The terminal that this process runs in, or the one that a person names; null when it is none of those known. */
export function driverHere(env: Readonly<Record<string, string | undefined>>): TerminalDriver | null {
  const own = env[terminalVariable]
  if (own) return templateDriver(own)
  return terminalDrivers.find((driver) => driver.isHere(env)) ?? null
}
