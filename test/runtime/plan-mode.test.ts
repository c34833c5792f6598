import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtinTools } from '../../src/adapters/tools/registry.ts'
import { applyStory, emptyStory } from '../../src/projections/member/agent-story.ts'
import type { Entry, Recorded } from '../../src/protocol/facts/entry.ts'
import type { Answer } from '../../src/protocol/permissions/permission.ts'
import type { Approver } from '../../src/protocol/port.ts'
import { systemClock } from '../../src/runtime/actors/clock.ts'
import { forkRun } from '../../src/runtime/run/fork-run.ts'
import { resumeTeam } from '../../src/runtime/run/resume-team.ts'
import { answerApproval } from '../../src/runtime/runs/answer-approval.ts'
import { createAgent } from '../../src/runtime/agent/create-agent.ts'
import { play, tempDir } from './support/stage.ts'

const planner = (permissions: object, tools: readonly string[] = ['ExitPlanMode', 'Write', 'Bash']) => ({
  name: 'duo',
  coordinator: { prompt: 'You lead.' },
  workers: { ana: { description: 'Works.', prompt: 'You work.', tools, permissions } },
})
const script = (...steps: readonly object[]) => ({
  lead: {
    steps: [
      { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Make it.' }] } }] },
      { say: 'ana: {{mail.ana}}' },
    ],
  },
  ana: { steps },
})
const propose = (plan: string, more: object = {}) => ({ calls: [{ tool: 'ExitPlanMode', input: { plan } }], ...more })
const write = (content: string, more: object = {}) => ({
  calls: [{ tool: 'Write', input: { file_path: 'made.txt', content } }],
  ...more,
})
const of = <Type extends Entry['type']>(recorded: readonly Recorded[], type: Type) =>
  recorded.flatMap(({ owner, entry }) =>
    owner === 'ana' && entry.type === type ? [entry as Extract<Entry, { type: Type }>] : [],
  )
/** Gives these answers to plans in their order, and yes to everything else. */
const person = (...answers: readonly Partial<Answer>[]): Approver => {
  const left = [...answers]
  return {
    answer: ({ call }) => {
      const given = call.tool === 'ExitPlanMode' ? left.shift() : {}
      return Promise.resolve({ behavior: 'allow', source: 'human', reason: 'fine', scope: 'once', ...given })
    },
  }
}
const toolResults = (recorded: readonly Recorded[]) =>
  of(recorded, 'message.appended').flatMap(({ message }) =>
    message.role === 'tool'
      ? message.results.map(({ content }) => (content[0]?.type === 'text' ? content[0].text : ''))
      : [],
  )

describe('a member in plan mode', () => {
  test('is told so, changes nothing, proposes, hears why not, and carries out what was approved', async () => {
    const steps = script(
      write('too early', { expect: 'You are in plan mode' }),
      propose('Write it quickly.', { expect: 'plan mode changes no files' }),
      propose('Write it well.', { expect: 'not approved: Say how it is checked.' }),
      write('well', { expect: ['The plan is approved', 'Write it well.'] }),
      { say: 'Done.' },
    )
    const approver = person({ behavior: 'deny', reason: 'Say how it is checked.' }, {})
    const { cwd, recorded, result } = await play(planner({ mode: 'plan' }), steps, { approver })
    expect(await result).toMatchObject({ status: 'completed', result: 'ana: Done.' })
    expect(readFileSync(join(cwd, 'made.txt'), 'utf8')).toBe('well')
    expect(of(recorded, 'plan.approved')).toMatchObject([{ plan: 'Write it well.' }])
    expect(of(recorded, 'permission.requested').map(({ tool }) => tool)).toEqual([
      'ExitPlanMode',
      'ExitPlanMode',
      'Write',
    ])
  })

  test('carries out the plan as the person changed it', async () => {
    const approver = person({ updated_input: { plan: 'Write one word.' } })
    const steps = script(propose('Write a book.'), { expect: 'Write one word.', say: 'Done.' })
    const { recorded, result } = await play(planner({ mode: 'plan' }), steps, { approver })
    await result
    expect(toolResults(recorded)[0]).toMatch(/approved.*\n\nWrite one word\.$/)
  })

  test('holds its approval after a kill, wherever that came, and the plan as the person changed it', async () => {
    const approver = person({ updated_input: { plan: 'Write one word.' } })
    const steps = script(
      propose('Write a book.'),
      write('word', { expect: ['The plan is approved', 'Write one word.'] }),
      { say: 'Done.' },
    )
    const { cwd, run, recorded, result } = await play(planner({ mode: 'plan' }), steps, { approver })
    expect(await result).toMatchObject({ result: 'ana: Done.' })
    const home = join(cwd, 'home')
    const begun = of(recorded, 'call.started').findIndex(({ tool }) => tool === 'ExitPlanMode')
    const since = recorded.findIndex(({ entry }) => entry === of(recorded, 'call.started')[begun])
    const until = recorded.findIndex(({ entry }) => entry.type === 'call.started' && entry.tool === 'Write')
    const cuts = recorded.slice(since, until).flatMap(({ owner, entry }) => (owner === 'ana' ? [entry] : []))
    expect(cuts.map(({ type }) => type)).toEqual(expect.arrayContaining(['plan.approved', 'call.finished']))
    for (const { id } of cuts) {
      const dir = forkRun(run.dir, { at: id, home, clock: systemClock() })
      const again = await resumeTeam(dir, { home, env: {}, approver: person() })
      expect(await again.result).toMatchObject({ result: 'ana: Done.' })
    }
  })

  test('ends with its plan where nobody can approve one', async () => {
    const steps = script(propose('Write it.'), { expect: 'Nobody can approve a plan now', say: 'I would write it.' })
    const { recorded, result } = await play(planner({ mode: 'plan' }), steps)
    expect(await result).toMatchObject({ status: 'completed', result: 'ana: I would write it.' })
    expect(of(recorded, 'plan.approved')).toEqual([])
  })

  test('no rule, no mode and no classifier approves a plan', async () => {
    const open = { mode: 'plan', allow: ['ExitPlanMode', 'Write', 'Bash'] }
    const steps = script(propose('Write it.'), { say: 'Not allowed.' })
    const classifier = 'scripted/script.yaml'
    const { recorded, result } = await play(planner(open), steps, { trusted: true, classifier, permissionWaitMs: 1 })
    await result
    expect(of(recorded, 'permission.decided')).toMatchObject([
      { tool: 'ExitPlanMode', asked: { source: 'bounds' }, decision: { behavior: 'deny', source: 'nobody' } },
    ])
  })

  test('its plan waits in a file until another process approves it', async () => {
    const steps = script(propose('Write it.'), write('made'), { say: 'Done.' })
    const allowed = { mode: 'plan', allow: ['Write'] }
    const options = { permissionWaitMs: 60_000, trusted: true }
    const { cwd, run, recorded, result } = await play(planner(allowed), steps, options)
    run.subscribe(({ entry }) => {
      if (entry.type !== 'permission.requested') return
      const by = { behavior: 'allow', by: 'another terminal', at: 7, home: join(cwd, 'home') } as const
      answerApproval(run.dir, entry.request, by)
    })
    await result
    expect(of(recorded, 'permission.decided')[0]).toMatchObject({
      by: 'another terminal',
      decision: { behavior: 'allow' },
    })
    expect(existsSync(join(cwd, 'made.txt'))).toBe(true)
  })

  test('plans each piece of work anew', () => {
    const story = emptyStory()
    const hear = (fact: object): void =>
      applyStory(story, { v: 1, seq: 1, id: 'a-1', parent: null, at: 1, ...fact } as Entry)
    hear({ type: 'plan.approved', call_id: 'a' })
    hear({ type: 'agent.started' })
    expect(story.planning.state).toEqual({ entered: false, approved: true })
    hear({ type: 'agent.ended', turn: 1, reason: 'completed' })
    expect(story.planning.state).toEqual({ entered: false, approved: false })
  })
})

test('a member may choose to plan first, and then needs approval', async () => {
  const enter = { calls: [{ tool: 'EnterPlanMode', input: { reason: 'It touches much.' } }] }
  const steps = script(
    enter,
    write('early', { expect: 'propose a plan with ExitPlanMode' }),
    propose('Write it.', { expect: 'plan mode changes no files' }),
    write('made', { expect: 'The plan is approved' }),
    propose('Again.'),
    { expect: 'you are not in plan mode', say: 'Done.' },
  )
  const eager = planner({ mode: 'acceptEdits' }, ['EnterPlanMode', 'ExitPlanMode', 'Write'])
  const team = { ...eager, permissions: { mode: 'acceptEdits' } }
  const { cwd, recorded, result } = await play(team, steps, { approver: person({}), trusted: true })
  await result
  expect(readFileSync(join(cwd, 'made.txt'), 'utf8')).toBe('made')
  expect(of(recorded, 'plan.entered')).toMatchObject([{ reason: 'It touches much.' }])
})

test('plan mode that a managed policy sets is fixed', async () => {
  const steps = script(propose('Write it.'), { expect: 'plan mode is fixed here', say: 'I would write it.' })
  const policyRoot = tempDir()
  writeFileSync(join(policyRoot, 'policy.json'), JSON.stringify({ permissions: { defaultMode: 'plan' } }))
  const { recorded, result } = await play(planner({}), steps, { policyRoot, approver: person({}) })
  await result
  expect(of(recorded, 'call.refused')).toMatchObject([{ tool: 'ExitPlanMode', why: 'meaning' }])
})

test('an agent outside of a team plans just so', async () => {
  const cwd = tempDir()
  const steps = [propose('Write it.'), write('made'), { say: 'Done.' }]
  writeFileSync(join(cwd, 'script.yaml'), JSON.stringify({ agents: { agent: { steps } } }))
  const agent = createAgent({
    model: `scripted/script.yaml`,
    cwd,
    home: join(cwd, 'home'),
    tools: builtinTools.filter(({ name }) => ['ExitPlanMode', 'Write'].includes(name)),
    permissions: { mode: 'plan' },
    approver: person({}),
  })
  expect(await agent.run('Make it.').result).toMatchObject({ reason: 'completed', text: 'Done.' })
  expect(readFileSync(join(cwd, 'made.txt'), 'utf8')).toBe('made')
  agent.close()
})
