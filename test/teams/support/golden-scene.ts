import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Recorded } from '../../../src/protocol/entry.ts'
import type { RunTeamOptions } from '../../../src/runtime/run-team.ts'
import { play } from '../../runtime/support/stage.ts'
import { goldenTranscript } from './transcript.ts'

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
  readonly options?: Partial<RunTeamOptions> | ((cue: Promise<void>) => Partial<RunTeamOptions>)
  /** What the script needs at least; anything more was wasted. */
  readonly requests: number
}

export const delegate = (...subtasks: readonly object[]) => ({ calls: [{ tool: 'Delegate', input: { subtasks } }] })
export const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })
export const worker = (more: object = {}) => ({ description: 'Helps.', prompt: 'You help.', tools: ['LS'], ...more })
export const shell = worker({ tools: ['Bash'] })
export const untilCue = call('Bash', { command: 'until [ -e cue ]; do sleep 0.02; done' })
export const forEver = call('Bash', { command: 'sleep 600' })
export const unattended = { mode: 'bypassPermissions', allowBypass: true } as const
export const does = (owner: string, type: Recorded['entry']['type']) => (recorded: Recorded) =>
  recorded.owner === owner && recorded.entry.type === type

export const inTeam = (
  { gather, team, workers }: Pick<Scene, 'gather' | 'team' | 'workers'>,
  more: object = {},
): object => ({
  name: 'golden',
  coordinator: { prompt: 'You lead.', ...(gather ? { gather } : {}) },
  workers,
  ...team,
  ...more,
})

/**
 * Plays a scene and holds it against its golden transcript.
 * @returns how often models were asked
 */
export async function playGolden({ name, script, cue, options, ...scene }: Scene): Promise<number> {
  const agents = Object.fromEntries(Object.entries(script).map(([agent, steps]) => [agent, { steps }]))
  const given = Promise.withResolvers<void>()
  const told = typeof options === 'function' ? options(given.promise) : options
  const { cwd, run, recorded, result } = await play(inTeam(scene), agents, told)
  const missing = new Set(cue)
  run.subscribe((fact) => {
    for (const fits of missing) if (fits(fact)) missing.delete(fits)
    if (!cue || missing.size > 0) return
    given.resolve()
    writeFileSync(join(cwd, 'cue'), '')
  })
  const ended = await result
  await expect(goldenTranscript(recorded, ended)).toMatchFileSnapshot(`golden/${name}.txt`)
  return recorded.filter(({ entry }) => entry.type === 'model.requested').length
}
