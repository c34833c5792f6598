import type { SandboxPlan } from '../../rules/sandbox/sandbox-plan.ts'
import { bubblewrapLacks, bubblewrapMissing, bubblewrapped, type SandboxPlace } from './bubblewrap.ts'
import { seatbelted, seatbeltMissing } from './seatbelt.ts'

const onMac = process.platform === 'darwin'

export const fenceName = onMac ? 'Seatbelt' : 'bubblewrap'

/**
 * The program and arguments that run `argv` inside the sandbox that this system has.
 *
 * @throws when a path of the plan cannot be resolved; the caller runs nothing then
 * @example fenced(['bash', '-c', 'make'], plan, { cwd: '/home/ann/shop' })
 */
export function fenced(
  argv: readonly [string, ...string[]],
  plan: SandboxPlan,
  place: SandboxPlace,
): readonly [string, ...string[]] {
  return onMac ? seatbelted(argv, plan) : bubblewrapped(argv, plan, place)
}

/** Why this machine has no sandbox, or null when it has one. */
export function fenceMissing(): string | null {
  return onMac ? seatbeltMissing() : bubblewrapMissing()
}

/** The abilities that the sandbox of this machine lacks, in words that follow "but"; null when it lacks none. */
export function fenceLacks(): string | null {
  return onMac ? 'commands cannot be given some hosts only, they have no network then' : bubblewrapLacks()
}
