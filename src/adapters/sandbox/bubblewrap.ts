import { spawnSync } from 'node:child_process'
import { lstatSync } from 'node:fs'
import type { SandboxPlan } from '../../rules/sandbox-plan.ts'
import { isInside } from '../../rules/path-inside.ts'
import { resolveReal } from '../fs/resolve-real.ts'

/*
 * A sandbox for shell commands made with bubblewrap: everything may be read, only what the plan names may be written.
 * Owns: the arguments. Never: decides what is allowed (the plan), runs the command (whoever asked for the arguments).
 * 1. What the plan closes is mounted after what it opens.
 * 2. The command has no capabilities, no namespaces of its own and, unless the plan says so, no network.
 * 3. It dies with the process that started it.
 */

const isolation =
  `--unshare-user --disable-userns --cap-drop ALL --unshare-pid --unshare-ipc --unshare-uts --die-with-parent
--new-session`.split(/\s+/)

/**
 * The program and arguments that run `argv` inside a sandbox.
 *
 * @throws when a path of the plan cannot be resolved; the caller runs nothing then
 * @example bubblewrapped(['bash', '-c', 'make'], plan, '/home/ann/shop')
 */
export function bubblewrapped(
  argv: readonly [string, ...string[]],
  plan: SandboxPlan,
  cwd: string,
): readonly [string, ...string[]] {
  const bind = (flag: string, paths: readonly string[]): string[] => real(paths).flatMap((path) => [flag, path, path])
  const { reopened = [] } = plan
  return [
    'bwrap',
    ...isolation,
    ...(plan.network ? [] : ['--unshare-net']),
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    ...bind('--bind', plan.writable),
    ...bind('--ro-bind', plan.readOnly),
    ...bind('--bind', reopened),
    ...bind(
      '--ro-bind',
      plan.readOnly.filter((path) => reopened.some((dir) => isInside(dir, path))),
    ),
    ...real(plan.hidden).flatMap((path) => (isDirectory(path) ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path])),
    ...bind('--ro-bind', plan.shown),
    '--chdir',
    cwd,
    '--',
    ...argv,
  ]
}

/** What is not there cannot be mounted; links are followed, because that is where the files are. */
function real(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map(resolveReal))].filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined)
}

function isDirectory(path: string): boolean {
  return lstatSync(path).isDirectory()
}

let found: { readonly missing: string | null } | undefined

/**
 * Why no sandbox can be had on this machine, or null when one can. Tried once with a real sandbox.
 *
 * @example bubblewrapMissing() // 'bwrap is not installed: …'
 */
export function bubblewrapMissing(): string | null {
  found ??= { missing: tried() }
  return found.missing
}

function tried(): string | null {
  if (process.platform !== 'linux') return `there is no sandbox for ${process.platform} in this version`
  const plan: SandboxPlan = { writable: [], readOnly: [], hidden: [], shown: [], network: false }
  const [file, ...args] = bubblewrapped(['true'], plan, '/')
  const end = spawnSync(file, args, { encoding: 'utf8', timeout: 10_000 })
  if (end.error !== undefined) return 'bwrap is not installed: install bubblewrap, e.g. apt install bubblewrap'
  if (end.status === 0) return null
  const said = end.stderr.trim().split('\n')[0] ?? ''
  return `bwrap cannot make a sandbox here (${said}): allow unprivileged user namespaces, or run where they are allowed`
}
