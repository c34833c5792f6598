import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import { play } from './stage.ts'

const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })
export const delegate = call('Delegate', { subtasks: [{ worker: 'slow', task: 'Find it.' }] })
/** Changes nothing, so that a life after a crash would make it again. */
export const forEver = call('Bash', { command: 'until [ -e never ]; do sleep 0.05; done' })

interface Scene {
  readonly executor: string
  readonly lead: readonly object[]
  readonly slow: readonly object[]
}

/** A lead and a worker, and the place where people restart them. */
export async function begin({ executor, lead, slow }: Scene) {
  const team = {
    name: 'duo',
    coordinator: { prompt: 'You lead.', tools: ['Bash'] },
    partition: 'relaxed',
    workers: { slow: { description: 'Works.', prompt: 'You work.', executor, tools: ['Bash'] } },
  }
  const script = { lead: { steps: lead }, slow: { steps: slow } }
  const played = await play(team, script, { mode: 'bypassPermissions', allowBypass: true })
  const { cwd, run } = played
  const first = (type: string, owner: string): Promise<unknown> =>
    new Promise((resolve) => {
      run.subscribe(({ owner: of, entry }: Recorded) => of === owner && entry.type === type && resolve(entry))
    })
  return { ...played, first, place: { run: run.dir, cwd, home: `${cwd}/home` } }
}
