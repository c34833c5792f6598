import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import { systemClock } from '../../../src/runtime/actors/clock.ts'
import type { RunTeamOptions } from '../../../src/runtime/run/run-team.ts'

/** A team, what its models say, and what comes of it word for word (`golden/<name>.txt`). */
export interface Scene {
  readonly name: string
  readonly gather?: object
  /** Further keys of the team file. */
  readonly team?: object
  readonly workers: Readonly<Record<string, object>>
  readonly script: Readonly<Record<string, readonly object[]>>
  /** What has to have happened before the cue is given that calls may wait for. */
  readonly cue?: readonly ((recorded: Recorded) => boolean)[]
  /** Files that appear with the first fact that fits. */
  readonly marks?: Readonly<Record<string, (recorded: Recorded) => boolean>>
  readonly options?: Partial<RunTeamOptions> | ((cue: Promise<void>) => Partial<RunTeamOptions>)
  /** What a million tokens cost, in dollars; without it nobody knows. */
  readonly prices?: { readonly input: number; readonly output: number }
  /** What the script needs at least; anything more was wasted. */
  readonly requests: number
}

export const delegate = (...subtasks: readonly object[]) => ({ calls: [{ tool: 'Delegate', input: { subtasks } }] })
export const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })
export const worker = (more: object = {}) => ({ description: 'Helps.', prompt: 'You help.', tools: ['LS'], ...more })
export const shell = worker({ tools: ['Bash'] })
export const tillExists = (file: string) => `until [ -e ${file} ]; do sleep 0.02; done`
export const untilCue = call('Bash', { command: tillExists('cue') })
export const forEver = call('Bash', { command: 'sleep 600' })
/** A model that says no more, and does not end. */
export const thinking = { say: 'I look …', hang: true }
export const unattended = { mode: 'bypassPermissions', allowBypass: true } as const
/** Nobody answers, and a wait of half an hour is over with the cue. */
export const timeRunsOut = (cue: Promise<void>): Partial<RunTeamOptions> => {
  const clock = systemClock()
  const isThat = (ms: number): boolean => Math.abs(ms - 30 * 60_000) < 10 * 60_000
  const setTimeout = (fn: () => void, ms: number) => (isThat(ms) ? void cue.then(fn) : clock.setTimeout(fn, ms))
  return { ...unattended, clock: { ...clock, setTimeout } }
}
export const does = (owner: string, type: Recorded['entry']['type']) => (recorded: Recorded) =>
  recorded.owner === owner && recorded.entry.type === type
