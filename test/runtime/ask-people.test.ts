import { expect, test } from 'vitest'
import type { Recorded } from '../../src/protocol/facts/entry.ts'
import { answerApproval, pendingApprovals } from '../../src/runtime/runs/answer-approval.ts'
import { factsBy } from './support/two-models.ts'
import { play } from './support/stage.ts'

const team = {
  name: 'duo',
  coordinator: { prompt: 'You lead.', tools: ['AskUser'] },
  workers: { ana: { description: 'Works.', prompt: 'You work.', tools: ['AskUser'] } },
}
const asks = { calls: [{ tool: 'AskUser', input: { question: 'Which colour?', options: ['red', 'blue'] } }] }
const script = (...ana: readonly object[]) => ({
  lead: {
    steps: [
      { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Paint.' }] } }] },
      { say: 'ana: {{mail.ana}}' },
    ],
  },
  ana: { steps: ana },
})

/** Answers from another face as soon as it is asked. */
async function playAnswered(team: object, advice: string | undefined, expected: string) {
  const steps = script(asks, { expect: expected, say: 'Painted.' })
  const { cwd, run, recorded, result } = await play(team, steps, { permissionWaitMs: 60_000 })
  const home = `${cwd}/home`
  const asked: string[] = []
  run.subscribe(({ entry }: Recorded) => {
    if (entry.type !== 'permission.requested') return
    asked.push(...pendingApprovals([run.dir]).map(({ request }) => `${request.member} ${request.tool}`))
    answerApproval(run.dir, entry.request, { behavior: 'allow', advice, by: 'another terminal', at: 7, home })
  })
  expect(await result).toMatchObject({ status: 'completed', result: 'ana: Painted.' })
  expect(asked).toEqual(['ana@duo AskUser'])
  return factsBy(recorded, 'ana', 'permission.decided').at(-1)
}

test('a question waits in a file until somebody answers it from another face, with words of their own', async () => {
  expect(await playAnswered(team, 'Green, please.', 'The person answers: Green, please.')).toMatchObject({
    tool: 'AskUser',
    decision: { behavior: 'allow', source: 'human', reason: 'Green, please.' },
    by: 'another terminal',
  })
})

test('the number of an option is that option, and no words are no answer', async () => {
  const chosen = await playAnswered(team, '2', 'The person answers: blue')
  expect(chosen).toMatchObject({ decision: { behavior: 'allow', reason: 'blue' } })
  const silent = await playAnswered(team, undefined, 'Decide yourself')
  expect(silent).toMatchObject({ decision: { behavior: 'deny' } })
})

test('so does that of a worker in a process of its own', async () => {
  const { ana } = team.workers
  const apart = { ...team, workers: { ana: { ...ana, executor: 'process' } } }
  const answered = await playAnswered(apart, '1', 'The person answers: red')
  expect(answered).toMatchObject({ decision: { reason: 'red' } })
})

test('the person at the leader is asked in the words of the question, and who goes away has not answered', async () => {
  for (const words of ['blue', null]) {
    const asked: object[] = []
    const approver = {
      answer: () => Promise.reject(new Error('nobody wants to use a tool')),
      ask: (question: object) => Promise.resolve((asked.push(question), words)),
    }
    const told = words === null ? 'Nobody is there to answer' : 'The person answers: blue'
    const { result } = await play(team, script(asks, { expect: told, say: 'Painted.' }), { approver })
    expect(await result).toMatchObject({ result: 'ana: Painted.' })
    expect(asked).toEqual([{ member: 'ana', question: 'Which colour?', options: ['red', 'blue'] }])
  }
})

test('where nobody can be reached nobody is asked, and who does not answer in time did not', async () => {
  const steps = script(asks, { expect: 'Nobody is there to answer', say: 'Painted.' })
  const alone = await play(team, steps)
  expect(await alone.result).toMatchObject({ result: 'ana: Painted.' })
  expect(factsBy(alone.recorded, 'ana', 'permission.requested')).toEqual([])
  const late = await play(team, steps, { permissionWaitMs: 1 })
  expect(await late.result).toMatchObject({ result: 'ana: Painted.' })
  expect(factsBy(late.recorded, 'ana', 'permission.decided').at(-1)).toMatchObject({ by: 'the deadline' })
})

test('several questions of one call wait one after another, each with an id of its own, and come back as one result', async () => {
  const questions = [
    { question: 'Which colours?', options: ['red', 'blue'], multiSelect: true },
    { question: 'How many?', header: 'Number' },
  ]
  const steps = script(
    { calls: [{ tool: 'AskUser', input: { questions } }] },
    { expect: 'The person answers: \n1. red, blue\n2. three', say: 'Painted.' },
  )
  const { cwd, run, recorded, result } = await play(team, steps, { permissionWaitMs: 60_000 })
  const [home, answers, asked] = [`${cwd}/home`, ['1, 2', 'three'], [] as unknown[]]
  run.subscribe(({ entry }: Recorded) => {
    if (entry.type !== 'permission.requested') return
    asked.push(...pendingApprovals([run.dir]).map(({ request: { input } }) => input))
    answerApproval(run.dir, entry.request, { behavior: 'allow', advice: answers[asked.length - 1], home })
  })
  expect(await result).toMatchObject({ status: 'completed', result: 'ana: Painted.' })
  expect(asked).toEqual([
    { question: 'Which colours?', options: ['red', 'blue'], several: true, heading: '1 of 2' },
    { question: 'How many?', options: [], heading: '2 of 2 · Number' },
  ])
  const ids = factsBy(recorded, 'ana', 'permission.requested').map(({ request }) => request)
  expect(ids[1]).toBe(`${ids[0]}.2`)
})
