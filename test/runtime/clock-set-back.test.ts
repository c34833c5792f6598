import { expect, test } from 'vitest'
import { systemClock } from '../../src/runtime/actors/clock.ts'
import { recordOfRun } from '../../src/runtime/runs/read-runs.ts'
import { play } from './support/stage.ts'

test('a clock that is set back again and again spoils no line of a journal, and no result', async () => {
  let hour = 0
  const clock = { ...systemClock(), now: () => Date.now() - 3_600_000 * (hour += 1) }
  const { run, result } = await play(
    {
      name: 'duo',
      coordinator: { prompt: 'You lead.' },
      workers: { ana: { description: 'Looks.', prompt: 'You look.', tools: ['Bash'] } },
      permissions: { allow: ['Bash(echo hello)'] },
    },
    {
      lead: {
        steps: [
          { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Look.' }] } }] },
          { say: 'ana: {{mail.ana}}' },
        ],
      },
      ana: { steps: [{ calls: [{ tool: 'Bash', input: { command: 'echo hello' } }] }, { say: 'seen' }] },
    },
    { clock, trusted: true },
  )
  expect(await result).toMatchObject({ status: 'completed', result: 'ana: seen', duration_ms: 0 })
  expect(recordOfRun(run.dir).problems).toEqual([])
})
