import { spawnSync, type SpawnSyncOptions } from 'node:child_process'

/**
 * Before the tests: what they need beyond npm is installed when that can be done without asking
 * (root on a system with apt-get), and named otherwise; tests that lack it are skipped and say so.
 */
interface Program {
  readonly name: string
  /** The package it comes in, when that has another name. */
  readonly from?: string
  /** The arguments that make it answer and end. */
  readonly probe: readonly string[]
  readonly usedBy: string
}

const programs: readonly Program[] = [
  { name: 'git', probe: ['--version'], usedBy: 'the quickstart team and its tests' },
  { name: 'bwrap', from: 'bubblewrap', probe: ['--version'], usedBy: 'the tests that fence shell commands' },
  { name: 'tmux', probe: ['-V'], usedBy: 'the tests that show agents in panes' },
]

const absent = (): readonly Program[] =>
  programs.filter(({ name, probe }) => spawnSync(name, probe, { stdio: 'ignore' }).status !== 0)

function install(names: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const quiet: SpawnSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'], env }
  const apt = (...args: string[]): boolean => spawnSync('apt-get', ['-qq', ...args], quiet).status === 0
  const get = (): boolean => apt('install', '-y', '--no-install-recommends', ...names)
  return get() || (apt('update') && get())
}

const missing = absent()
const isRoot = process.getuid?.() === 0
const hasApt = missing.length > 0 && spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0
if (missing.length > 0 && isRoot && hasApt) {
  console.log(`installing ${missing.map(({ name }) => name).join(', ')}`)
  install(missing.map(({ name, from = name }) => from))
}
for (const { name, usedBy } of missing.length > 0 ? absent() : []) {
  console.warn(`MISSING ${name}: ${usedBy} are skipped. Install it with your system's package tool and run again.`)
}
