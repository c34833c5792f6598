import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync } from 'node:fs'
import type { SandboxPlan } from '../../rules/sandbox/sandbox-plan.ts'
import { isInside } from '../../rules/paths/path-inside.ts'
import { resolveReal } from '../fs/resolve-real.ts'
import { linksOn } from './links.ts'
import { behindProxy, launched } from './launch.ts'
import { systemPrograms } from '../fs/system-programs.ts'
import { afterLook } from './mount-look.ts'
import { placeholdersFor } from './placeholders.ts'
import { socketFilter } from './socket-filter.ts'

/*
 * A sandbox for shell commands made with bubblewrap: everything may be read, only what the plan names may be written.
 * Owns: the arguments. Never: decides what is allowed (the plan), runs the command (whoever asked for the arguments).
 * 1. What the plan closes is mounted after what it opens, and what of it is not there yet cannot be made.
 * 2. The command has no capabilities and no namespaces of its own; a network and sockets of this machine only where the
 *    plan says so.
 * 3. It dies with the process that started it.
 * 4. It does not begin where a name came to lead elsewhere while the mounts were made: commands may go on meanwhile that
 *    exchange directories for links.
 */

/** Where a sandboxed command starts, and the socket of the proxy that is its way to the network, where the plan has one. */
export interface SandboxPlace {
  readonly cwd: string
  readonly proxy?: string
  /** A word on the command line by which the command's processes are known. */
  readonly name?: string
}

const isolation =
  `--unshare-user --disable-userns --cap-drop ALL --unshare-pid --unshare-ipc --unshare-uts --die-with-parent
--new-session`.split(/\s+/)

/**
 * The program and arguments that run `argv` inside a sandbox.
 *
 * @throws when a path of the plan cannot be resolved; the caller runs nothing then
 * @example bubblewrapped(['bash', '-c', 'make'], plan, { cwd: '/home/ann/shop' })
 */
export function bubblewrapped(
  argv: readonly [string, ...string[]],
  plan: SandboxPlan,
  { cwd, proxy, name }: SandboxPlace,
): readonly [string, ...string[]] {
  const placeholders = placeholdersFor(plan.readOnly, plan.writable)
  const filter = socketFilter(process.arch, plan.unixSockets)
  // A program that a command of before has written would run outside.
  const system = systemPrograms([cwd, ...plan.writable])
  const sandbox = [
    system.find('bwrap'),
    ...isolation,
    ...(plan.network === 'open' || proxy !== undefined ? [] : ['--unshare-net']),
    ...(filter === null ? [] : ['--seccomp', '9']),
    ...mounts(plan, placeholders),
    '--chdir',
    cwd,
    '--',
    ...afterLook(argv, {
      places: real([...plan.writable, ...(plan.pinned ?? []), ...(plan.reopened ?? [])]),
      empty: real([...pipes, ...plan.hidden]),
      system,
    }),
  ]
  const connected = proxy === undefined ? sandbox : behindProxy(sandbox, proxy, system)
  const links = linksOn([...plan.readOnly, ...(plan.pinned ?? [])], plan.writable)
  return launched(connected, { filter, placeholders, links, name, system })
}

/** Named pipes by which programs are told what to do; a read-only mount does not stop anybody from writing into them. */
const pipes = ['/run/initctl', '/run/screen', '/var/run/screen']

/** Switches of the whole machine: root may turn them without any capability. */
const ofTheKernel = ['sys', 'sysrq-trigger', 'mtrr', 'irq', 'bus', 'fs', 'scsi', 'acpi', 'driver', 'pressure']

function mounts(plan: SandboxPlan, placeholders: readonly string[]): readonly string[] {
  const bind = (flag: string, paths: readonly string[]): string[] => real(paths).flatMap((path) => [flag, path, path])
  const { reopened = [] } = plan
  return [
    ...'--ro-bind / / --dev /dev --proc /proc'.split(' '),
    ...ofTheKernel.flatMap((name) => ['--ro-bind-try', `/proc/${name}`, `/proc/${name}`]),
    ...bind('--bind', plan.writable),
    ...bind('--bind', plan.pinned ?? []),
    ...bind('--ro-bind', plan.readOnly),
    ...placeholders.flatMap((path) => ['--ro-bind-try', path, path]),
    ...bind('--bind', reopened),
    ...bind(
      '--ro-bind',
      plan.readOnly.filter((path) => reopened.some((dir) => isInside(dir, path))),
    ),
    ...real([...pipes, ...plan.hidden]).flatMap((path) =>
      isDirectory(path) ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path],
    ),
    ...bind('--ro-bind', plan.shown),
  ]
}

/** A missing path cannot be mounted; links are followed, because the files are at their target. */
function real(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map(resolveReal))].filter((path) => existsSync(path))
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
  found ??= { missing: tried({ cwd: '/' }) }
  return found.missing
}

/** The abilities that a sandbox on this machine lacks, in words that follow "but"; null when it lacks none. */
export function bubblewrapLacks(): string | null {
  const proxied = tried({ cwd: '/', proxy: '/nowhere' })
  if (proxied !== null) return `commands cannot be given some hosts only, they have no network then: ${proxied}`
  if (socketFilter(process.arch, false) !== null) return null
  return `sockets of this machine are open to commands: there is no filter for ${process.arch}`
}

function tried(place: SandboxPlace): string | null {
  if (process.platform !== 'linux') return `there is no sandbox for ${process.platform} in this version`
  const plan: SandboxPlan = {
    writable: [],
    readOnly: [],
    hidden: [],
    shown: [],
    network: 'closed',
    unixSockets: false,
  }
  const [file, ...args] = bubblewrapped(['true'], plan, place)
  const end = spawnSync(file, args, { encoding: 'utf8', timeout: 10_000 })
  if (end.error !== undefined || end.status === 127)
    return 'bwrap is not installed: install bubblewrap, e.g. apt install bubblewrap'
  if (end.status === 0) return null
  const said = end.stderr.trim().split('\n')[0] ?? ''
  return `bwrap cannot make a sandbox here (${said}): allow unprivileged user namespaces, or run where they are allowed`
}
