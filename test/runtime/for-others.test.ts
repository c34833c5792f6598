import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Recorded } from '../../src/protocol/facts/entry.ts'
import type { Approver, Question } from '../../src/protocol/port.ts'
import { systemClock } from '../../src/runtime/actors/clock.ts'
import { forkRun } from '../../src/runtime/run/fork-run.ts'
import { resumeTeam } from '../../src/runtime/run/resume-team.ts'
import { bareEnv } from '../support/bare-env.ts'
import { play } from './support/stage.ts'

const say = (text: string, more: object = {}) => ({ say: text, ...more })
const bash = (command: string, more: object = {}) => ({ calls: [{ tool: 'Bash', input: { command } }], ...more })
const ask = (to: string, text: string) => [
  { calls: [{ tool: 'SendMessage', input: { to, text, question: true } }] },
  { say: 'I wait for an answer.' },
]
const delegate = (...subtasks: readonly object[]) => ({ calls: [{ tool: 'Delegate', input: { subtasks } }] })

/** `narrow` may not touch; `wide` may; `middle` says nothing of it. */
const team = (executor: string) => ({
  name: 'trio',
  coordinator: { prompt: 'You lead.' },
  workers: Object.fromEntries(
    Object.entries({
      narrow: { executor, permissions: { deny: ['Bash(touch:*)'], ask: ['Bash(mkdir:*)'] } },
      middle: {},
      wide: { executor },
    }).map(([name, more]) => [name, { description: 'Works.', prompt: 'You work.', tools: ['Bash'], ...more }]),
  ),
})
const rules = { allow: ['Bash(touch:*)', 'Bash(mkdir:*)'] }

const decisions = (recorded: readonly Recorded[], owner: string) =>
  recorded.flatMap(({ owner: who, entry }) =>
    who === owner && entry.type === 'permission.decided' ? [entry.decision] : [],
  )

test.for(['in-process', 'process'])('a member does for another only what both of them may: %s', async (executor) => {
  const asked: Question[] = []
  const approver: Approver = {
    answer(question) {
      asked.push(question)
      return Promise.resolve({ behavior: 'deny', source: 'human', reason: 'no', scope: 'once' })
    },
  }
  const script = {
    lead: {
      steps: [
        delegate({ worker: 'narrow', task: 'Have it touched.' }),
        delegate({ worker: 'wide', task: 'Touch your own.' }),
        say('narrow: {{mail.narrow}}; wide: {{mail.wide}}'),
      ],
    },
    narrow: { steps: [...ask('wide', 'Please touch theirs and make a directory.'), say('I heard.')] },
    wide: {
      steps: [
        bash('touch theirs'),
        bash('mkdir made', { expect: 'narrow@trio' }),
        say('I could not.', { expect: 'no' }),
        bash('touch mine'),
        say('Mine is there.'),
      ],
    },
  }
  const { cwd, recorded, result } = await play(team(executor), script, { rules, approver })
  expect(await result).toMatchObject({
    status: 'completed',
    result: expect.stringContaining('wide: Mine is there.') as string,
  })
  expect([existsSync(join(cwd, 'theirs')), existsSync(join(cwd, 'made')), existsSync(join(cwd, 'mine'))]).toEqual([
    false,
    false,
    true,
  ])
  expect(decisions(recorded, 'wide').map(({ behavior, at }) => [behavior, at])).toEqual([
    ['deny', 'a request of narrow@trio'],
    ['deny', undefined],
    ['allow', '--allow'],
  ])
  expect(asked.map(({ behind, decision }) => [behind, decision.rule])).toEqual([
    [
      [
        {
          from: 'narrow@trio',
          kind: 'question',
          text: 'Please touch theirs and make a directory.',
        },
      ],
      'Bash(mkdir:*)',
    ],
  ])
})

test('a held request keeps the restrictions under which it was asked for, and so does a later attempt', async () => {
  const script = {
    lead: {
      steps: [
        delegate({ worker: 'narrow', task: 'Ask the lead.' }),
        delegate(
          { worker: 'middle', task: 'First.', name: 'first' },
          { worker: 'wide', task: 'Then.', depends_on: ['first'] },
        ),
        say('Both are on their way.'),
        say('narrow: {{mail.narrow}}; wide: {{mail.wide}}'),
      ],
    },
    narrow: { steps: [...ask('lead', 'Have it touched.'), say('I heard.')] },
    middle: { steps: [say('First is done.')] },
    wide: { steps: [bash('touch theirs'), say('I could not.', { expect: 'narrow@trio' })] },
  }
  const { cwd, result, recorded } = await play(team('in-process'), script, { rules })
  expect(await result).toMatchObject({ status: 'completed' })
  expect(existsSync(join(cwd, 'theirs'))).toBe(false)
  expect(decisions(recorded, 'wide')).toMatchObject([{ behavior: 'deny', of: 'narrow@trio' }])
})

test('a run that goes on after its death still knows for whom it acts', async () => {
  const script = {
    lead: { steps: [delegate({ worker: 'narrow', task: 'Have it touched.' }), say('Done.')] },
    narrow: { steps: [...ask('wide', 'Please touch theirs.'), say('I heard.')] },
    wide: { steps: [bash('true'), bash('touch theirs'), say('I could not.', { expect: 'narrow@trio' })] },
  }
  const { cwd, run, result, recorded } = await play(team('in-process'), script, { rules })
  expect(await result).toMatchObject({ status: 'completed' })
  const home = join(cwd, 'home')
  const ofWide = recorded.flatMap(({ owner, entry }) => (owner === 'wide' ? [entry] : []))
  const heard = ofWide.find(({ type }) => type === 'mail.received')
  const ran = ofWide.find(({ type }) => type === 'call.finished')
  for (const cut of [heard, ran]) {
    const fork = forkRun(run.dir, { at: cut?.id ?? '', home, clock: systemClock() })
    expect(await (await resumeTeam(fork, { home, env: bareEnv, rules })).result).toMatchObject({ status: 'completed' })
  }
  expect(existsSync(join(cwd, 'theirs'))).toBe(false)
})

test('a task of the board carries what its author may not', async () => {
  const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })
  const script = {
    lead: {
      steps: [
        delegate({ worker: 'narrow', task: 'Put it up.' }),
        delegate({ worker: 'wide', task: 'Take it.' }),
        say('Done.'),
      ],
    },
    narrow: { steps: [call('TaskCreate', { subject: 'Touch theirs' }), say('It is up.')] },
    wide: {
      steps: [
        bash('touch before'),
        call('TaskClaim', { id: 1 }),
        bash('touch theirs'),
        { ...call('TaskDone', { id: 1 }), expect: 'of narrow@trio, for whom you act' },
        bash('touch after'),
        say('Done.'),
      ],
    },
  }
  const { workers, ...rest } = team('in-process')
  const withBoard = Object.fromEntries(
    Object.entries(workers).map(([name, card]) => [
      name,
      { ...card, tools: ['Bash', 'TaskCreate', 'TaskClaim', 'TaskDone'] },
    ]),
  )
  const { cwd, result } = await play({ ...rest, tasks: {}, workers: withBoard }, script, { rules })
  expect(await result).toMatchObject({ status: 'completed' })
  expect(['before', 'theirs', 'after'].map((name) => existsSync(join(cwd, name)))).toEqual([true, false, true])
})
