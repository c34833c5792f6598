import { expect, test } from 'vitest'
import { systemClock } from '../../src/runtime/actors/clock.ts'
import { forkRun } from '../../src/runtime/run/fork-run.ts'
import { resumeTeam } from '../../src/runtime/run/resume-team.ts'
import { recordOfRun } from '../../src/runtime/runs/read-runs.ts'
import { factsBy, playTwo, type TwoModels } from './support/two-models.ts'

const usage = { input: 1_000, output: 100 }
const duo = (escalate: unknown, more: object = {}): object => ({
  name: 'duo',
  coordinator: { prompt: 'You lead.', gather: { on_failure: { retry: 0 } } },
  workers: { ana: { description: 'Works.', prompt: 'You work.', tools: ['LS'], escalate, ...more } },
})
const delegate = { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Prove it.' }] } }] }
const lead = [delegate, { say: 'ana: {{mail.ana}}' }]
const beyond = { say: 'STRONGER MODEL NEEDED: It needs a proof.', usage }
/** Steps of a script that are passed over: the step is the number of answers so far. */
const passed = (count: number): readonly object[] => Array.from({ length: count }, () => ({ say: 'never said' }))
const play = (ana: readonly object[], strong: readonly object[], more: Partial<TwoModels> = {}) =>
  playTwo({ team: duo('scripted/strong.yaml'), weak: { lead, ana }, strong: { ana: strong }, ...more })

test('a member that says so is taken over from, in the same turn, and both models are paid for', async () => {
  const took = { expect: ['You take over here', 'It needs a proof.'], say: 'Proved.', usage }
  const { result, recorded, cost } = await play([{ ...beyond, expect: 'STRONGER MODEL NEEDED:' }], [took])
  expect(result).toMatchObject({ status: 'completed', result: 'ana: Proved.' })
  expect(factsBy(recorded, 'ana', 'model.escalated')).toMatchObject([
    { from: 'scripted/weak.yaml', to: 'scripted/strong.yaml', trigger: 'marker', reason: 'It needs a proof.' },
  ])
  expect(factsBy(recorded, 'ana', 'turn.continued').map(({ reason }) => reason)).toEqual(['escalated'])
  expect(JSON.stringify(factsBy(recorded, 'ana', 'message.appended'))).not.toContain('STRONGER MODEL')
  expect(cost.members.find(({ name }) => name === 'ana')?.cost_usd).toBeCloseTo(0.0012 + 0.02, 9)
})

test('one that needs a stronger model still is heard as one that found none', async () => {
  const { result } = await play([beyond], [beyond])
  const beyondAll = 'No stronger model was left to ask, and this one says that the task is beyond it: It needs a proof.'
  expect(result).toMatchObject({ status: 'completed', result: `ana: ${beyondAll}` })
})

test('calls that cannot be made bring the stronger model in', async () => {
  const clumsy = { calls: [{ tool: 'Raed', input: {} }] }
  const strong = [...passed(2), { expect: 'its last calls could not be made', say: 'Proved.' }]
  const team = duo({ model: 'scripted/strong.yaml', after_errors: 2 })
  const { result, recorded } = await play([clumsy, clumsy], strong, { team })
  expect(result.result).toBe('ana: Proved.')
  expect(factsBy(recorded, 'ana', 'model.escalated')).toMatchObject([{ turn: 2, trigger: 'errors' }])
})

test('work that looks hard begins with it where that is wanted', async () => {
  const hard = 'Find the root cause of the deadlock.'
  const given = { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: hard }] } }] }
  const team = duo({ model: 'scripted/strong.yaml', on_hard: true })
  const weak = { lead: [given, { say: 'ana: {{mail.ana}}' }], ana: [] }
  const { result, recorded } = await playTwo({ team, weak, strong: { ana: [{ say: 'Found.' }] } })
  expect(result.result).toBe('ana: Found.')
  expect(factsBy(recorded, 'ana', 'model.escalated')).toMatchObject([{ turn: 1, trigger: 'task' }])
})

test('so does going in circles, which ends a member that has nobody to turn to', async () => {
  const same = Array.from({ length: 5 }, () => ({ calls: [{ tool: 'LS', input: { path: '.' } }] }))
  const strong = [...passed(5), { expect: 'the same calls with the same results', say: 'Proved.' }]
  const { result, recorded } = await play(same, strong)
  expect(result.result).toBe('ana: Proved.')
  expect(factsBy(recorded, 'ana', 'model.escalated')).toMatchObject([{ turn: 5, trigger: 'loop' }])
  const alone = await play(same, [], { team: duo({ model: 'scripted/strong.yaml', on_loop: false }) })
  expect(factsBy(alone.recorded, 'ana', 'agent.ended')).toMatchObject([{ reason: 'loop_detected' }])
})

test('the next piece of work begins with the own model again', async () => {
  const weak = {
    lead: [delegate, delegate, { say: 'ana: {{mail.ana}}' }],
    ana: [beyond, { say: 'Second.' }],
  }
  const { result, recorded } = await play([], [{ say: 'First.' }], { weak })
  expect(result).toMatchObject({ status: 'completed', result: 'ana: Second.' })
  expect(factsBy(recorded, 'ana', 'model.requested').map(({ model }) => model)).toEqual([
    'scripted/weak.yaml',
    'scripted/strong.yaml',
    'scripted/weak.yaml',
  ])
})

test('a stronger model that fails gives way to the own one', async () => {
  const { result, recorded } = await play([beyond], [{ fail: 'overloaded' }])
  expect(result.status).toBe('completed')
  expect(factsBy(recorded, 'ana', 'model.fell_back')).toMatchObject([
    { from: 'scripted/strong.yaml', to: 'scripted/weak.yaml', failure: { code: 'overloaded' } },
  ])
})

test('a stronger model that the budget has no room for is done without', async () => {
  const team = duo('scripted/strong.yaml', { budget: { usd: 0.012 } })
  const { result, recorded } = await play([{ ...beyond, usage: {} }], [], { team })
  expect(result.status).toBe('completed')
  expect(factsBy(recorded, 'ana', 'model.fell_back')).toMatchObject([
    { from: 'scripted/strong.yaml', to: 'scripted/weak.yaml', failure: { code: 'budget_exhausted' } },
  ])
  expect(factsBy(recorded, 'ana', 'agent.ended')).toMatchObject([{ reason: 'completed' }])
})

test('a run in which only the stronger model was done without has completed', async () => {
  const team = { ...duo('scripted/strong.yaml'), budget: { usd: 0.02 } }
  const { result, recorded } = await play([{ ...beyond, usage: {} }], [], { team })
  expect(factsBy(recorded, 'ana', 'budget.exhausted')).toMatchObject([{ scope: 'team', aside: 'escalation' }])
  expect(result).toMatchObject({ status: 'completed', reason: 'completed' })
})

test('a member that is killed goes on with the stronger model, from wherever it was', async () => {
  const look = { calls: [{ tool: 'LS', input: { path: '.' } }] }
  const { result, recorded, dir, home } = await play([beyond], [look, look, { say: 'Proved.' }])
  const own = recorded.filter(({ owner }) => owner === 'ana').map(({ entry }) => entry)
  const since = own.findIndex(({ type }) => type === 'model.escalated')
  const cuts = own.slice(
    since,
    own.findIndex(({ type }) => type === 'agent.ended'),
  )
  expect(cuts.map(({ type }) => type)).toEqual(expect.arrayContaining(['model.requested', 'call.finished']))
  for (const { id } of cuts) {
    const fork = forkRun(dir, { at: id, home, clock: systemClock() })
    expect(await (await resumeTeam(fork, { home, env: {} })).result).toMatchObject({ result: result.result })
    const asked = factsBy(recordOfRun(fork).recorded, 'ana', 'model.requested').map(({ model }) => model)
    expect(asked.slice(1).filter((model) => model !== 'scripted/strong.yaml')).toEqual([])
    expect(factsBy(recordOfRun(fork).recorded, 'ana', 'model.escalated')).toHaveLength(1)
  }
})
