/*
 * What the tests need beyond npm, and how a machine may come to it. Owns the decisions; touches nothing itself.
 */
export interface Program {
  readonly name: string
  /** The package it comes in, when that has another name. */
  readonly from?: string
  /** The one platform that has it; every platform when left out. */
  readonly platform?: NodeJS.Platform
  /** The arguments that make it answer and end. */
  readonly probe: readonly string[]
  readonly usedBy: string
  /** Only the tests that take minutes need it. */
  readonly long?: true
}

const windows = { platform: 'linux', usedBy: 'the tests that open windows of terminals', long: true } as const

export const programs: readonly Program[] = [
  { name: 'git', probe: ['--version'], usedBy: 'the quickstart team and its tests' },
  {
    name: 'bwrap',
    from: 'bubblewrap',
    platform: 'linux',
    probe: ['--version'],
    usedBy: 'the tests that fence shell commands',
  },
  { name: 'tmux', probe: ['-V'], usedBy: 'the tests that show agents in panes' },
  {
    name: 'chromium',
    platform: 'linux',
    probe: ['--version'],
    usedBy: 'the tests that open the dashboard',
    long: true,
  },
  { name: 'Xvfb', from: 'xvfb', probe: ['-help'], ...windows },
  { name: 'xdotool', probe: ['--help'], ...windows },
  { name: 'import', from: 'imagemagick', probe: ['-version'], ...windows },
  { name: 'tesseract', from: 'tesseract-ocr', probe: ['--version'], ...windows },
  { name: 'xterm', probe: ['-version'], ...windows },
  { name: 'alacritty', probe: ['--version'], ...windows },
  { name: 'kitty', probe: ['--version'], ...windows },
  { name: 'foot', probe: ['--version'], ...windows },
  { name: 'weston', probe: ['--version'], ...windows },
]

/** What decides how a missing program may be installed. */
export interface Machine {
  readonly isCi: boolean
  /** A person sits at a terminal and can answer. */
  readonly hasTerminal: boolean
  readonly hasApt: boolean
  readonly isRoot: boolean
  readonly hasSudo: boolean
}

/** `install` asks nobody, `ask` asks the person at the terminal, `name` only says what is missing. */
export interface InstallPlan {
  readonly act: 'nothing' | 'install' | 'ask' | 'name'
  /** The command that installs what is missing; null where none is known. */
  readonly command: readonly string[] | null
}

/** A machine of nobody's own installs by itself; on a person's machine only the person does. */
export function installPlan(missing: readonly Program[], machine: Machine): InstallPlan {
  if (missing.length === 0) return { act: 'nothing', command: null }
  const command = installCommand(missing, machine)
  if (command === null) return { act: 'name', command }
  if (machine.isCi) return { act: 'install', command }
  return { act: machine.hasTerminal ? 'ask' : 'name', command }
}

function installCommand(missing: readonly Program[], machine: Machine): readonly string[] | null {
  if (!machine.hasApt || !(machine.isRoot || machine.hasSudo)) return null
  const packages = missing.map(({ name, from = name }) => from)
  return [...asRoot(machine), 'apt-get', 'install', '-y', '--no-install-recommends', ...packages]
}

/** Where nobody can type a password, `sudo` is told not to ask for one. */
function asRoot({ isRoot, isCi }: Machine): readonly string[] {
  if (isRoot) return []
  return isCi ? ['sudo', '-n'] : ['sudo']
}

/** Whether the environment says that this is continuous integration. */
export function isCi({ CI = '' }: Readonly<Record<string, string | undefined>>): boolean {
  return !['', '0', 'false'].includes(CI)
}

/**
 * What becomes of the sandbox tests. They may be left out on a machine that has no sandbox, but not in continuous
 * integration on Linux: there it would not be noticed.
 */
export function sandboxTests(
  missing: string | null,
  inCi: boolean,
  platform: NodeJS.Platform,
): 'run' | 'skip' | 'fail' {
  if (missing === null) return 'run'
  return inCi && platform === 'linux' ? 'fail' : 'skip'
}
