import { spawnSync } from 'node:child_process'
import { dirname, join, basename } from 'node:path'
import type { SandboxPlan } from '../../rules/sandbox/sandbox-plan.ts'
import { seatbeltProfile } from '../../rules/sandbox/seatbelt-profile.ts'
import { resolveReal } from '../fs/resolve-real.ts'

const program = '/usr/bin/sandbox-exec'

/**
 * The program and arguments that run `argv` inside the sandbox of macOS.
 *
 * @throws when a path of the plan cannot be resolved; the caller runs nothing then
 * @example seatbelted(['bash', '-c', 'make'], plan)[0] // '/usr/bin/sandbox-exec'
 */
export function seatbelted(argv: readonly [string, ...string[]], plan: SandboxPlan): readonly [string, ...string[]] {
  const open = (paths: readonly string[] = []): readonly string[] => [...new Set(paths.map(resolveReal))]
  // A link is closed itself, and so is what it leads to.
  const closed = (paths: readonly string[] = []): readonly string[] => [
    ...new Set(paths.flatMap((path) => [join(resolveReal(dirname(path)), basename(path)), resolveReal(path)])),
  ]
  const profile = seatbeltProfile({
    ...plan,
    writable: open(plan.writable),
    pinned: closed(plan.pinned),
    readOnly: closed(plan.readOnly),
    reopened: open(plan.reopened),
    hidden: closed(plan.hidden),
    shown: open(plan.shown),
  })
  return [program, '-p', profile, ...argv]
}

let found: { readonly missing: string | null } | undefined

/** Why no sandbox can be had on this Mac, or null when one can. Tried once with a real one. */
export function seatbeltMissing(): string | null {
  found ??= { missing: tried() }
  return found.missing
}

function tried(): string | null {
  const plan: SandboxPlan = {
    writable: [],
    readOnly: [],
    hidden: [],
    shown: [],
    network: 'closed',
    unixSockets: false,
  }
  const [file, ...args] = seatbelted(['/usr/bin/true'], plan)
  const end = spawnSync(file, args, { encoding: 'utf8', timeout: 10_000 })
  if (end.error !== undefined) return `${program} cannot be started: ${end.error.message}`
  if (end.status === 0) return null
  return `${program} makes no sandbox here: ${end.stderr.trim().split('\n')[0] ?? ''}`
}
