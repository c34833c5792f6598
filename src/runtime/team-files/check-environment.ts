import { accessSync, constants, existsSync, mkdtempSync, rmSync, watch } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pollingReason } from '../../adapters/fs/notify.ts'
import { providers } from '../../rules/settings/known-providers.ts'
import { fenceLacks, fenceMissing, fenceName } from '../../adapters/sandbox/fence.ts'
import { driverHere, terminalVariable } from '../../adapters/executors/terminal.ts'
import { findProgram, systemPath } from '../../adapters/fs/system-programs.ts'

/** One thing that runs need or like to have. `note` says what is so, `cure` how to get what is missing. */
export interface Finding {
  readonly name: string
  readonly status: 'ok' | 'missing'
  /** Without it no run works. */
  readonly essential: boolean
  readonly note: string
  readonly cure?: string
}

export interface Environment {
  readonly cwd: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Findings about the programs, directories and credentials that runs need; a credential is named and never shown. */
export function checkEnvironment({ cwd, home, env }: Environment): readonly Finding[] {
  return [
    writable('run directory', join(cwd, '.troupe'), true),
    writable('user directory', join(home, '.troupe'), false),
    fileWatching(cwd),
    program('git', env, 'quickstart and history need it; install it with your package manager, e.g. apt install git'),
    ripgrep(env),
    program('tmux', env, 'only panes need it; install it with your package manager, e.g. apt install tmux'),
    terminal(env),
    sandbox(),
    model(env),
    ...credentials(env),
  ]
}

function program(name: string, env: Environment['env'], cure: string): Finding {
  const path = findProgram(name, systemPath(env['PATH'], []))
  const found = { name, essential: false }
  return path ? { ...found, status: 'ok', note: path } : { ...found, status: 'missing', note: 'not on PATH', cure }
}

/** The terminal whose windows `executor: terminal` opens. */
function terminal(env: Environment['env']): Finding {
  const finding = { name: 'terminal', status: 'ok', essential: false } as const
  const driver = driverHere(env)
  if (driver === null) return { ...finding, note: `none whose windows can be opened (${terminalVariable} names one)` }
  if (env[terminalVariable]) return { ...finding, note: `${driver.name}, by ${terminalVariable}` }
  return {
    ...finding,
    note: driver.tried ? driver.name : `${driver.name}; its commands follow its manual and were not tried in it`,
  }
}

function ripgrep(env: Environment['env']): Finding {
  const bundled = resolvable('@vscode/ripgrep')
  if (bundled) return { name: 'ripgrep', status: 'ok', essential: false, note: 'comes with the package' }
  return { ...program('rg', env, 'Grep and Glob work without it, slower; install ripgrep'), name: 'ripgrep' }
}

function resolvable(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch {
    return false
  }
}

function writable(name: string, path: string, essential: boolean): Finding {
  let place = path
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place)
  try {
    accessSync(place, constants.W_OK | constants.X_OK)
    return { name, status: 'ok', essential, note: path }
  } catch {
    const cure = `make ${place} writable for this user, or work elsewhere with --cwd`
    return { name, status: 'missing', essential, note: `${place} cannot be written`, cure }
  }
}

function fileWatching(cwd: string): Finding {
  const finding = { name: 'file watching', essential: false }
  const reason = pollingReason(cwd)
  if (reason !== null) {
    const cure = 'mail is looked for four times a second instead; a local disk notifies'
    return { ...finding, status: 'missing', note: `not used in ${cwd}: ${reason}`, cure }
  }
  const folder = mkdtempSync(join(tmpdir(), 'troupe-watch-'))
  try {
    watch(folder).close()
    return { ...finding, status: 'ok', note: 'works' }
  } catch (error) {
    const cure = 'mail still arrives, later; raise fs.inotify.max_user_watches and max_user_instances with sysctl'
    return { ...finding, status: 'missing', note: error instanceof Error ? error.message : 'does not work', cure }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function sandbox(): Finding {
  const missing = fenceMissing()
  const finding = { name: 'sandbox', essential: false }
  if (missing === null) {
    const lack = fenceLacks()
    return { ...finding, status: 'ok', note: `${fenceName} works${lack === null ? '' : `, but ${lack}`}` }
  }
  return { ...finding, status: 'missing', note: 'shell commands cannot be fenced', cure: missing }
}

function model(env: Environment['env']): Finding {
  const finding = { name: 'TROUPE_MODEL', essential: false }
  const chosen = env['TROUPE_MODEL']
  if (chosen) return { ...finding, status: 'ok', note: chosen }
  const cure =
    'set TROUPE_MODEL=provider/model, give --model, or name a model in the team file; the quickstart needs none'
  return { ...finding, status: 'missing', note: 'not set', cure }
}

function credentials(env: Environment['env']): readonly Finding[] {
  const variables = new Set(providers.flatMap(({ variable }) => variable ?? []))
  return [...variables].map((variable) => {
    const users = providers.filter((provider) => provider.variable === variable).map(({ name }) => name)
    const finding = { name: variable, essential: false }
    if (env[variable]) return { ...finding, status: 'ok', note: 'set' }
    return { ...finding, status: 'missing', note: 'not set', cure: `models of ${users.join(' and ')} need it` }
  })
}
