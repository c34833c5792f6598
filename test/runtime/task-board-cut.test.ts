import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { BoardTask } from '../../src/protocol/work/task.ts'
import { systemClock } from '../../src/runtime/actors/clock.ts'
import { forkRun } from '../../src/runtime/run/fork-run.ts'
import { resumeTeam } from '../../src/runtime/run/resume-team.ts'
import { readTasks } from '../../src/runtime/tasks/read-tasks.ts'
import { play } from './support/stage.ts'

const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })
const create = (subject: string, ...blocked_by: readonly number[]) => call('TaskCreate', { subject, blocked_by })

/** Plays a lead alone with its board, then once more from every line about a task, and says how the boards end. */
async function boardsAfterCuts(...steps: readonly object[]): Promise<readonly (readonly BoardTask[])[]> {
  const workers = { ana: { description: 'Idles.', prompt: 'You idle.', tools: ['LS'] } }
  const team = { name: 'board', tasks: {}, coordinator: { prompt: 'You lead.' }, workers }
  const { cwd, run, recorded, result } = await play(team, { lead: { steps: [...steps, { say: 'over' }] } })
  expect(await result).toMatchObject({ status: 'completed' })
  const home = join(cwd, 'home')
  const boards: (readonly BoardTask[])[] = []
  for (const { owner, entry } of recorded) {
    if (owner !== 'team' || !entry.type.startsWith('task.')) continue
    const fork = forkRun(run.dir, { at: entry.id, home, clock: systemClock() })
    expect(await (await resumeTeam(fork, { home, env: {} })).result).toMatchObject({
      status: 'completed',
      result: 'over',
    })
    const board = readTasks(fork)
    expect(filesOf(fork)).toEqual(board)
    boards.push(board)
  }
  return boards
}

const filesOf = (dir: string): readonly unknown[] =>
  readdirSync(join(dir, 'tasks'))
    .toSorted()
    .map((file) => JSON.parse(readFileSync(join(dir, 'tasks', file), 'utf8')) as unknown)

test('what follows from the end of a task follows though its leader was killed before it said so', async () => {
  const cancel = call('TaskDone', { id: 1, outcome: 'cancelled', reason: 'not needed' })
  const cancelled = await boardsAfterCuts(create('First'), create('Second', 1), create('Third', 2), cancel)
  expect(cancelled.flat().filter(({ state }) => state !== 'cancelled')).toEqual([])

  const take = (id: number) => [call('TaskClaim', { id }), call('TaskDone', { id })]
  const done = await boardsAfterCuts(create('First'), create('Second', 1), ...take(1), ...take(2))
  expect(done.flat().filter(({ state }) => state !== 'done')).toEqual([])
})
