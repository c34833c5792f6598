import { expect, test } from 'vitest'
import type { BoardTask } from '../../../src/protocol/work/task.ts'
import type { RunCost, RunsCost } from '../../../src/runtime/runs/read-cost.ts'
import { main } from '../../../src/ui/cli/main.ts'
import { play } from '../../runtime/support/stage.ts'
import { fakeHost } from './fake-host.ts'

async function troupe(cwd: string, ...args: readonly string[]) {
  const host = fakeHost({ cwd, home: cwd })
  const code = await main(args, host)
  return { code, out: host.stdout.text, err: host.stderr.text }
}

const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })
const team = {
  name: 'duo',
  tasks: {},
  coordinator: { prompt: 'You lead.' },
  workers: { ana: { description: 'Works.', prompt: 'You work.', tools: ['TaskClaim', 'TaskDone'] } },
}
const script = {
  lead: {
    steps: [
      call('TaskCreate', { subject: 'First' }),
      call('TaskCreate', { subject: 'Second', blocked_by: [1] }),
      call('Delegate', { subtasks: [{ worker: 'ana', task: 'Work on the board.' }] }),
      { say: 'One is done, one was not needed.' },
    ],
  },
  ana: {
    steps: [
      call('TaskClaim', { id: 1 }),
      call('TaskDone', { id: 1, outcome: 'failed', reason: 'too hard' }),
      { say: 'I could not.' },
    ],
  },
}

test('tasks shows the board, cost what was used; both as JSON too', async () => {
  const { cwd, result } = await play(team, script)
  await result

  const shown = await troupe(cwd, 'tasks')
  expect([shown.code, shown.err]).toEqual([0, ''])
  expect(shown.out).toMatch(
    /^TASK +STATE +BY +AFTER +SUBJECT +NOTE\n1 +failed +ana +First +too hard\n2 +cancelled +lead +1 +Second +it waited for task 1, which failed\n$/,
  )
  const tasks = JSON.parse((await troupe(cwd, 'tasks', 'duo', '--json')).out) as readonly BoardTask[]
  expect(tasks.map(({ task, state }) => [task, state])).toEqual([
    [1, 'failed'],
    [2, 'cancelled'],
  ])

  const spent = await troupe(cwd, 'cost')
  expect(spent.out).toMatch(/^MEMBER +ANSWERS +INPUT +CACHE READ +CACHE WRITE +CACHED +OUTPUT +DOLLARS\nlead +4 /)
  expect(spent.out).toMatch(/\nana +3 .*\ntotal +7 .*\n\nMODEL +ANSWERS .*\nscripted\/\S+ +7 .*\n$/)
  const cost = JSON.parse((await troupe(cwd, 'cost', '--json')).out) as RunCost
  expect(cost.total.answers).toBe(7)
  expect(cost.members.map(({ name, answers }) => [name, answers])).toEqual([
    ['lead', 4],
    ['ana', 3],
  ])
  expect(cost.models.map(({ answers }) => answers)).toEqual([7])
})

test('a run without a board says so, and where there is no run the person is told', async () => {
  const { cwd, result } = await play(
    { ...team, tasks: undefined, workers: { ana: { description: 'd', prompt: 'p' } } },
    { lead: { steps: [{ say: 'Nothing to do.' }] } },
  )
  await result
  expect(await troupe(cwd, 'tasks')).toEqual({ code: 0, out: '', err: 'This run has no tasks.\n' })
  expect(await troupe(cwd, 'cost', 'nobody')).toMatchObject({
    code: 2,
    err: expect.stringContaining('there is no run "nobody" in ') as string,
  })
})

test('todo lists of members stand in tasks, logs and ps', async () => {
  const todos = [{ content: 'Count the doors', status: 'in_progress' }]
  const { cwd, result } = await play(
    { ...team, coordinator: { prompt: 'You lead.', tools: ['TodoWrite'] }, partition: 'relaxed' },
    { lead: { steps: [call('TodoWrite', { todos }), { say: 'Done.' }] } },
  )
  await result
  expect((await troupe(cwd, 'tasks')).out).toMatch(/\ntodo +in_progress +lead +Count the doors\n$/)
  expect(JSON.parse((await troupe(cwd, 'tasks', '--json')).out)).toEqual([{ member: 'lead', ...todos[0] }])
  expect((await troupe(cwd, 'logs')).out).toContain('[>] Count the doors')
  expect(JSON.parse((await troupe(cwd, 'ps', '--all', '--json')).out)).toMatchObject([{ todos: { lead: todos } }])
})

test('cost --since adds all runs up, and counts a model once whoever sells it', async () => {
  const { cwd, result } = await play(team, script)
  await result
  const all = JSON.parse((await troupe(cwd, 'cost', '--since', '30d', '--json')).out) as RunsCost
  const one = JSON.parse((await troupe(cwd, 'cost', '--json')).out) as RunCost
  expect(all.total).toEqual(one.total)
  expect(all.runs.map(({ name }) => name)).toEqual([one.run])
  expect(all.models.map(({ name }) => name)).toEqual(['script.yaml'])
  expect((await troupe(cwd, 'cost', '--since', '30d')).out).toMatch(/^RUN +ANSWERS .*CACHED.*\nduo-\S+ +7 /)
  const { code, err } = await troupe(cwd, 'cost', 'duo', '--since', '30d')
  expect([code, err]).toEqual([2, expect.stringContaining('--since counts all runs')])
})
