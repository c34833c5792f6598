import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inTurns } from '../../../src/runtime/actors/in-turns.ts'
import { play } from '../support/stage.ts'

/** Who has passed by now, in their order. */
function crowd(turn: () => Promise<void>) {
  const passed: number[] = []
  const come = async (from: number, to: number): Promise<void> => {
    for (let n = from; n < to; n += 1) void turn().then(() => passed.push(n))
    await Promise.resolve()
  }
  return { passed, come }
}

test('so many pass in each turn of the event loop, in their order, whether or not those before are through', async () => {
  const { passed, come } = crowd(inTurns(2))
  await come(0, 5)
  expect(passed).toEqual([0, 1])
  await setImmediate()
  expect(passed).toEqual([0, 1, 2, 3])
  await setImmediate()
  expect(passed).toEqual([0, 1, 2, 3, 4])
})

test('nobody overtakes those who wait, and who finds the gate idle passes at once', async () => {
  const { passed, come } = crowd(inTurns(2))
  await come(0, 3)
  await setImmediate()
  await come(3, 5)
  expect(passed).toEqual([0, 1, 2, 3])
  await setImmediate()
  expect(passed).toEqual([0, 1, 2, 3, 4])
  await setImmediate()
  await setImmediate()
  await come(5, 6)
  expect(passed.at(-1)).toBe(5)
})

test('members that wait for their turn when the run is called off do not start', async () => {
  const names = Array.from({ length: 12 }, (_, n) => `hand-${n + 1}`)
  const subtasks = names.map((_, n) => ({ worker: 'hand', task: `Part ${n}.` }))
  const { cwd, run, recorded, result } = await play(
    {
      name: 'crowd',
      coordinator: { prompt: 'You lead.' },
      workers: { hand: { description: 'Helps.', prompt: 'You help.', tools: [], replicas: 12 } },
    },
    { lead: { steps: [{ calls: [{ tool: 'Delegate', input: { subtasks } }] }] } },
  )
  run.subscribe(({ entry }) => {
    if (entry.type === 'member.spawned' && entry.member === 'hand-12') run.abort()
  })
  expect(await result).toMatchObject({ status: 'aborted' })
  for (let turn = 0; turn < names.length; turn += 1) await setImmediate()
  const [began = ''] = readdirSync(join(cwd, '.troupe', 'runs'))
  const journals = readdirSync(join(cwd, '.troupe', 'runs', began, 'journal')).toSorted()
  const started = recorded.flatMap(({ owner, entry }) =>
    entry.type === 'member.started' && owner !== 'lead' ? [owner] : [],
  )
  const gone = recorded.flatMap(({ owner, entry }) => (entry.type === 'member.gone' && owner !== 'lead' ? [owner] : []))
  expect(journals.filter((name) => name.startsWith('hand')).length).toBeLessThan(12)
  expect(gone.toSorted()).toEqual(started.toSorted())
  expect(journals.filter((name) => name.startsWith('hand'))).toEqual(started.toSorted().map((name) => `${name}.jsonl`))
})
