import { expect, test } from 'vitest'
import type { HookInput, HookTable } from '../../../src/protocol/hooks/hook.ts'
import { play } from '../support/stage.ts'

test('hooks of a team hear of its mail, its workers and its end, and the end waits for them', async () => {
  const heard: HookInput[] = []
  const run = (input: HookInput): void => void heard.push(input)
  const group = { hooks: [{ type: 'function', run } as const] }
  const events = ['MessageSend', 'MessageDeliver', 'WorkerSpawn', 'WorkerExit', 'GatherDone', 'SessionEnd'] as const
  const hooks: HookTable = {
    ...Object.fromEntries(events.map((event) => [event, [group]])),
    RunEnd: [{ matcher: 'completed', ...group }],
  }
  const ana = { description: 'Works.', prompt: 'You work.' }
  const team = { name: 'duo', coordinator: { prompt: 'You lead.' }, workers: { ana } }
  const delegate = { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'x' }] } }] }
  const script = { lead: { steps: [delegate, { say: 'Done.' }] }, ana: { steps: [{ say: 'Made.' }] } }
  const { recorded, result } = await play(team, script, { hooks })
  await result
  const names = new Set(heard.map(({ hook_event_name }) => hook_event_name))
  expect([...names].toSorted()).toEqual([...events, 'RunEnd'].toSorted())
  expect(heard.find((input) => input.hook_event_name === 'MessageSend')).toMatchObject({ kind: 'task', to: 'ana@duo' })
  expect(recorded.filter(({ entry }) => entry.type === 'hook.ran').length).toBe(heard.length)
})
