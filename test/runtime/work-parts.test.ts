import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Recorded } from '../../src/protocol/facts/entry.ts'
import { textOf } from '../../src/protocol/conversation/message.ts'
import { systemClock } from '../../src/runtime/actors/clock.ts'
import { replayRun } from '../../src/runtime/replay/replay-run.ts'
import { forkRun } from '../../src/runtime/run/fork-run.ts'
import { resumeTeam } from '../../src/runtime/run/resume-team.ts'
import { stopMember } from '../../src/runtime/upkeep/stop-member.ts'
import { activityOf } from '../../src/runtime/runs/run-activity.ts'
import { bareEnv } from '../support/bare-env.ts'
import { play } from './support/stage.ts'

const say = (text: string, more: object = {}) => ({ say: text, ...more })
const bash = (command: string, more: object = {}) => ({ calls: [{ tool: 'Bash', input: { command } }], ...more })
const delegate = (...subtasks: readonly object[]) => ({ calls: [{ tool: 'Delegate', input: { subtasks } }] })
const card = (more: object = {}) => ({ description: 'Works.', prompt: 'You work.', tools: ['Bash'], ...more })
const leading = (...tools: string[]) => card({ tools: ['Delegate', ...tools] })
const firm = (workers: object, more: object = {}) => ({
  name: 'firm',
  coordinator: { prompt: 'You lead.' },
  workers,
  ...more,
})
const leads = (more: object = {}) => ({
  steps: [delegate({ worker: 'boss', task: 'All of it.', ...more }), say('{{mail.boss}}')],
})

const toolResults = (recorded: readonly Recorded[], member: string): readonly string[] =>
  recorded.flatMap(({ owner, entry }) =>
    owner === member && entry.type === 'message.appended' && entry.message.role === 'tool'
      ? entry.message.results.map((result) => textOf(result))
      : [],
  )

const countOf = (recorded: readonly Recorded[], member: string, type: string): number =>
  recorded.filter(({ owner, entry }) => owner === member && entry.type === type).length

const halves = {
  lead: leads(),
  boss: {
    steps: [
      delegate({ worker: 'hand', task: 'The left half.' }, { worker: 'hand', task: 'The right half.' }),
      say('Both halves: {{mail.hand-1}} / {{mail.hand-2}}'),
    ],
  },
  'hand-1': { steps: [say('left done', { expect: ['kind="task"', 'The left half.'] })] },
  'hand-2': { steps: [say('right done', { expect: 'The right half.' })] },
}
const whole: readonly unknown[] = ['completed', expect.stringMatching(/Both halves: [^]*left done[^]*right done/)]

test.for(['in-process', 'process'])(
  'a worker hands parts to others, rests, and answers with all results: %s',
  async (executor) => {
    const workers = { boss: { ...leading('Bash'), executor }, hand: { ...card(), executor, replicas: 2 } }
    // Whoever waits for parts takes no place of those at work.
    const { recorded, result, run } = await play(firm(workers, { limits: { concurrency: 1 } }), halves)
    const { status, result: text } = await result
    expect([status, text]).toEqual(whole)
    expect(toolResults(recorded, 'boss')).toEqual(['boss-1 → hand-1\nboss-2 → hand-2'])
    expect(countOf(recorded, 'boss', 'model.requested')).toBe(2)
    expect((await replayRun(run.dir)).identical).toBe(true)
  },
)

test('a run that goes on after its death hands nothing on twice', async () => {
  const { cwd, recorded, result, run } = await play(
    firm({ boss: leading('Bash'), hand: card({ replicas: 2 }) }),
    halves,
  )
  const { status, result: text } = await result
  expect([status, text]).toEqual(whole)
  const home = join(cwd, 'home')
  const first = (member: string, type: string) =>
    recorded.find(({ owner, entry }) => owner === member && entry.type === type)?.entry
  const cuts = [
    first('boss', 'mail.sent'),
    first('boss', 'agent.parked'),
    first('hand-1', 'mail.received'),
    first('hand-1', 'member.replied'),
  ]
  for (const cut of cuts) {
    const fork = forkRun(run.dir, { at: cut?.id ?? '', home, clock: systemClock() })
    const again = await resumeTeam(fork, { home, env: bareEnv })
    const sent: string[] = []
    again.subscribe(({ owner, entry }) => {
      if (owner === 'boss' && entry.type === 'mail.sent' && entry.envelope.kind === 'question')
        sent.push(`${entry.envelope.request} ${entry.envelope.to}`)
    })
    const ended = await again.result
    expect([cut?.type, ended.status, ended.result]).toEqual([cut?.type, ...whole])
    expect(new Set(sent).size).toBe(sent.length)
  }
})

test('whoever does a part has no more rights than its asker, tools included', async () => {
  const narrow = { ...leading('Bash'), permissions: { deny: ['Bash(touch:*)'] } }
  const script = {
    lead: {
      steps: [
        delegate({ worker: 'boss', task: 'All of it.' }),
        delegate({ worker: 'hand', task: 'Yours.' }),
        say('{{mail.boss}} {{mail.hand}}'),
      ],
    },
    boss: { steps: [delegate({ worker: 'hand', task: 'A part.' }), say('{{mail.hand}}')] },
    hand: {
      steps: [
        { calls: [{ tool: 'Write', input: { file_path: 'written', content: 'x' } }] },
        bash('touch theirs'),
        say('I could neither.'),
        { calls: [{ tool: 'Write', input: { file_path: 'mine', content: 'x' } }] },
        say('Mine is there.'),
      ],
    },
  }
  const rules = { allow: ['Bash(touch:*)', 'Write'] }
  const workers = { boss: narrow, hand: card({ tools: ['Bash', 'Write'] }) }
  const { cwd, recorded, result } = await play(firm(workers), script, { rules })
  const { status, result: text } = await result
  expect([status, text]).toEqual(['completed', expect.stringMatching(/I could neither[^]*Mine is there/)])
  expect(['written', 'theirs', 'mine'].map((file) => existsSync(join(cwd, file)))).toEqual([false, false, true])
  expect(toolResults(recorded, 'hand').slice(0, 2)).toEqual([
    expect.stringContaining('firm') as string,
    expect.stringContaining('boss@firm') as string,
  ])
})

test('nobody works for itself through others, nor deeper than the limit', async () => {
  const workers = { boss: leading(), mid: leading(), hand: card() }
  const refusals = delegate(
    { worker: 'boss', task: 'Yours again.' },
    { worker: 'mid', task: 'Mine.' },
    { worker: 'hand', task: 'Deeper.' },
    { worker: 'hnad', task: 'Misspelled.' },
  )
  const ordered = delegate(
    { worker: 'hand', task: 'One.', name: 'one' },
    { worker: 'hand', task: 'Two.', depends_on: ['one'] },
  )
  const { recorded, result } = await play(firm(workers, { limits: { depth: 2 } }), {
    lead: leads(),
    boss: { steps: [delegate({ worker: 'mid', task: 'A part.' }), say('{{mail.mid}}')] },
    mid: { steps: [refusals, ordered, say('I did all myself.')] },
  })
  expect(await result).toMatchObject({
    status: 'completed',
    result: expect.stringContaining('I did all myself.') as string,
  })
  const [refused = '', order] = toolResults(recorded, 'mid')
  expect(refused.split('\n')).toEqual([
    'boss: not delegated: this work is a part of what boss does (boss → mid → boss): it would wait for itself. Do the part yourself.',
    'mid: not delegated: that is you: do the part yourself.',
    'hand: not delegated: it would be 3 steps away from the coordinator, 2 are allowed (limits.depth). Do the part yourself.',
    'hnad: not delegated: No worker is called "hnad". Did you mean hand? Workers: boss, hand.',
  ])
  expect(order).toContain('leave depends_on out')
})

test('a part ends with the work that it belongs to, and its programs too', async () => {
  const { cwd, recorded, result, run } = await play(
    firm({ boss: leading('Bash'), hand: card(), other: card() }),
    {
      lead: {
        steps: [delegate({ worker: 'boss', task: 'All of it.' }, { worker: 'other', task: 'A bit.' }), say('A bit.')],
      },
      other: { steps: [say('A bit is done.')] },
      boss: { steps: [delegate({ worker: 'hand', task: 'A part.' })] },
      hand: { steps: [bash('sleep 600; touch awake')] },
    },
    { rules: { allow: ['Bash'] } },
  )
  const seen: unknown[] = []
  const stopped = Promise.withResolvers<unknown>()
  run.subscribe(({ owner, entry }) => {
    if (owner !== 'hand' || entry.type !== 'call.started') return
    seen.push(activityOf(run).parts)
    stopMember({ run: run.dir, cwd, home: join(cwd, 'home'), member: 'boss', reason: 'enough', graceMs: 0 }).then(
      stopped.resolve,
      stopped.reject,
    )
  })
  expect(await result).toMatchObject({ status: 'completed', result: 'A bit.' })
  await stopped.promise
  expect(seen).toEqual([{ hand: { for: 'boss', depth: 2 } }])
  expect(existsSync(join(cwd, 'awake'))).toBe(false)
  expect(countOf(recorded, 'hand', 'member.replied')).toBe(0)
})

test('a part that is not answered in time is called off, and its asker told', async () => {
  const { recorded, result } = await play(
    firm({ boss: leading('Bash'), hand: card() }),
    {
      lead: leads(),
      boss: {
        steps: [
          delegate({ worker: 'hand', task: 'A part.', deadline: '1s' }),
          say('Without it.', { expect: 'hand has not answered boss-1 in time' }),
        ],
      },
      hand: { steps: [bash('sleep 600')] },
    },
    { rules: { allow: ['Bash'] } },
  )
  expect(await result).toMatchObject({
    status: 'completed',
    result: expect.stringContaining('Without it.') as string,
  })
  expect(countOf(recorded, 'hand', 'member.replied')).toBe(0)
})

test('a worker hears that a part failed, and its result keeps the shape it asked for', async () => {
  const returns = {
    type: 'object',
    properties: { n: { type: 'number' } },
    required: ['n'],
    additionalProperties: false,
  }
  const { result } = await play(firm({ boss: leading(), hand: card({ replicas: 2, max_turns: 1 }) }), {
    lead: leads(),
    boss: {
      steps: [
        delegate({ worker: 'hand-1', task: 'Count.', returns }, { worker: 'hand-2', task: 'Fail.' }),
        say('{{mail.hand-1}} and {{mail.hand-2}}', { expect: ['status done', 'status failed'] }),
      ],
    },
    'hand-1': { steps: [say('{"n": 3}')] },
    'hand-2': { steps: [bash('true')] },
  })
  expect(await result).toMatchObject({
    status: 'completed',
    result: expect.stringMatching(/"n": ?3[^]*max_turns/) as string,
  })
})

test('the part of a worker in plan mode is planned, whatever the mode of its doer', async () => {
  const workers = {
    boss: { ...leading('Write'), permissions: { mode: 'plan' } },
    hand: card({ tools: ['Write'] }),
  }
  const write = (path: string) => ({ calls: [{ tool: 'Write', input: { file_path: path, content: 'x' } }] })
  const script = {
    lead: {
      steps: [
        delegate({ worker: 'boss', task: 'All of it.' }),
        delegate({ worker: 'hand', task: 'Yours.' }),
        say('{{mail.boss}} {{mail.hand}}'),
      ],
    },
    boss: { steps: [delegate({ worker: 'hand', task: 'A part.' }), say('{{mail.hand}}')] },
    hand: { steps: [write('planned'), say('I could only plan.'), write('mine'), say('Mine is there.')] },
  }
  const { cwd, recorded, result } = await play(firm(workers), script, { rules: { allow: ['Write'] } })
  expect((await result).result).toMatch(/I could only plan[^]*Mine is there/)
  expect(['planned', 'mine'].map((file) => existsSync(join(cwd, file)))).toEqual([false, true])
  expect(toolResults(recorded, 'hand')[0]).toContain('plan mode')
})
