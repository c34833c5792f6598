import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { Recorded } from '../../src/protocol/facts/entry.ts'
import { textOf } from '../../src/protocol/conversation/message.ts'
import { bin, directoryWith, troupe } from '../ui/cli/process/troupe.ts'
import { play } from '../runtime/support/stage.ts'

const hand = { description: 'Helps.', prompt: 'You help.', tools: ['Bash'] }
const call = (tool: string, input: object) => ({ calls: [{ tool, as: 'ran', input }] })
const delegate = (...subtasks: readonly object[]) => call('Delegate', { subtasks })
const numbers = [1, 2, 3, 4, 5]

/** How many of the workers were at work at once, at the most. */
function mostAtWork(recorded: readonly Recorded[]): number {
  const busy = new Set<string>()
  return recorded.reduce((most, { owner, entry }) => {
    if (entry.type === 'member.spawned' && entry.member !== 'lead') busy.add(entry.member)
    if (entry.type === 'member.woke' && owner !== 'lead') busy.add(owner)
    if (entry.type === 'member.idled' || entry.type === 'member.gone') busy.delete(owner)
    return Math.max(most, busy.size)
  }, 0)
}

function results(recorded: readonly Recorded[], member: string): readonly string[] {
  return recorded.flatMap(({ owner, entry }) =>
    owner === member && entry.type === 'message.appended' && entry.message.role === 'tool'
      ? entry.message.results.map((result) => textOf(result))
      : [],
  )
}

const crowd = (limits: object, executor = 'in-process') => ({
  name: 'crowd',
  limits,
  coordinator: { prompt: 'You lead.' },
  workers: { hand: { ...hand, replicas: 5, executor } },
})

test.for(['in-process', 'process'])(
  'what is too much at the same time waits its turn, and is done: %s',
  async (executor) => {
    const { recorded, result } = await play(crowd({ concurrency: 2 }, executor), {
      lead: {
        steps: [
          delegate(...numbers.map((n) => ({ worker: 'hand', task: `Part ${n}.` }))),
          { expect: numbers.map((n) => `did ${n}`), say: 'All five.' },
        ],
      },
      ...Object.fromEntries(numbers.map((n) => [`hand-${n}`, { steps: [{ expect: `Part ${n}.`, say: `did ${n}` }] }])),
    })
    expect(await result).toMatchObject({ status: 'completed', result: 'All five.' })
    expect(mostAtWork(recorded)).toBe(2)
    expect(results(recorded, 'lead')).toEqual([
      'r1 → hand-1\nr2 → hand-2\nr3 → hand, as soon as another has ended\nr4 → hand, as soon as another has ended\nr5 → hand, as soon as another has ended',
    ])
  },
)

test('members that mail starts wait for a place as well', async () => {
  const { recorded, result } = await play(crowd({ concurrency: 1 }), {
    lead: {
      steps: [
        { calls: numbers.map((n) => ({ tool: 'SendMessage', input: { to: `hand-${n}`, text: `Note ${n}.` } })) },
        { say: 'Said.' },
      ],
    },
    ...Object.fromEntries(numbers.map((n) => [`hand-${n}`, { steps: [{ expect: `Note ${n}.`, say: 'Noted.' }] }])),
  })
  expect(await result).toMatchObject({ status: 'completed', result: 'Said.' })
  expect(mostAtWork(recorded)).toBe(1)
})

test('more than the rate of a minute is refused, and who runs can be given the work', async () => {
  const { recorded, result } = await play(crowd({ rate: 2 }), {
    lead: {
      steps: [delegate({ worker: 'hand-1', task: 'A.' }, { worker: 'hand-2', task: 'B.' }), { say: 'Did A.' }],
    },
    'hand-1': { steps: [{ say: 'Did A.' }] },
  })
  expect(await result).toMatchObject({ status: 'completed' })
  expect(results(recorded, 'lead')).toEqual([
    'r1 → hand-1\nhand-2: not delegated: hand-2 is not started: 2 members were started within the last minute (limits.rate). Give the work to a worker that is running (hand-1), or wait for results before you start more.',
  ])
})

const later = { depends_on: ['a'] }
const crew = (agents: number) => ({
  ...crowd({}),
  budget: { agents },
  workers: { hand: { ...hand, replicas: 2 }, other: hand },
})
const refusedIn = (recorded: readonly Recorded[]) =>
  new Set(recorded.flatMap(({ entry }) => (entry.type === 'member.refused' ? [entry.member] : [])))

test('what was held for a card goes to another of it when the one that was chosen may not be started', async () => {
  const { recorded, result } = await play(crew(2), {
    lead: {
      steps: [
        delegate({ worker: 'hand', task: 'A.', name: 'a' }, { worker: 'hand', task: 'B.', ...later }),
        { expect: 'did B', say: 'A and B.' },
      ],
    },
    'hand-1': { steps: [{ say: 'did A' }, { expect: 'B.', say: 'did B' }] },
  })
  expect(await result).toMatchObject({ status: 'completed', result: 'A and B.' })
  expect([...refusedIn(recorded)]).toEqual(['hand-2'])
  const opened = recorded.flatMap(({ entry }) =>
    entry.type === 'request.opened' ? [`${entry.request} ${entry.worker} ${entry.attempt}`] : [],
  )
  expect(opened).toEqual(['r1 hand-1 1', 'r2 hand-1 2'])
})

test('what nobody else of the card can do fails aloud', async () => {
  const { recorded, result } = await play(crew(3), {
    lead: {
      steps: [
        delegate(
          { worker: 'hand', task: 'A.', name: 'a' },
          { worker: 'hand', task: 'B.', ...later },
          { worker: 'other', task: 'C.', ...later },
        ),
        { expect: ['did B', 'other (r3): failed: other is not started: 3 starts of members'], say: 'A and B.' },
      ],
    },
    'hand-1': { steps: [{ say: 'did A' }] },
    'hand-2': { steps: [{ say: 'did B' }] },
  })
  expect(await result).toMatchObject({ status: 'completed', result: 'A and B.', missing: [{ worker: 'other' }] })
  expect([...refusedIn(recorded)]).toEqual(['other'])
  expect(recorded.filter(({ entry }) => entry.type === 'mail.died')).toHaveLength(1)
})

test('a worker elsewhere cannot start what its leader refuses', async () => {
  const far = { ...hand, executor: 'process' }
  const { recorded, result } = await play(
    { name: 'far', limits: { depth: 1 }, coordinator: { prompt: 'You lead.' }, workers: { ana: far, bo: far } },
    {
      lead: { steps: [delegate({ worker: 'ana', task: 'Look.' }), { say: 'Looked.' }] },
      ana: { steps: [call('SendMessage', { to: 'bo', text: 'Look for me.' }), { say: 'Asked bo.' }] },
    },
  )
  expect(await result).toMatchObject({ status: 'completed', result: 'Looked.' })
  const of = (type: string) =>
    recorded.flatMap(({ entry }) => (entry.type === type && 'member' in entry ? [entry.member] : []))
  expect(of('member.spawned')).toEqual(['lead', 'ana'])
  expect(of('member.refused')).toContain('bo')
})

test.for(['in-process', 'process'])(
  'a run inside of a run counts on from where it was started: %s',
  async (executor) => {
    const inner = {
      team: {
        name: 'inner',
        model: 'scripted/inner.script.yaml',
        limits: { depth: 9 },
        coordinator: { prompt: 'You lead.' },
        workers: { hand },
      },
      script: {
        lead: { steps: [delegate({ worker: 'hand', task: 'Say how deep.' }), { say: '{{mail.hand}}' }] },
        hand: { steps: [call('Bash', { command: 'echo $TROUPE_DEPTH' }), { say: '{{ran.text}}' }] },
      },
    }
    const nested = `${process.execPath} ${bin} run inner Go.; echo code $?`
    const outer = (depth: number) => ({
      team: {
        ...inner.team,
        name: 'outer',
        model: 'scripted/outer.script.yaml',
        limits: { depth },
        workers: { hand: { ...hand, executor } },
      },
      script: {
        lead: { steps: [delegate({ worker: 'hand', task: 'Run a team.' }), { say: '{{mail.hand}}' }] },
        hand: { steps: [call('Bash', { command: nested }), { say: '{{ran.text}}' }] },
      },
    })
    const run = async (depth: number) => {
      const { team, script } = outer(depth)
      const cwd = directoryWith({
        'teams/outer.yaml': stringify(team),
        'teams/outer.script.yaml': stringify({ agents: script }),
        'teams/inner.yaml': stringify(inner.team),
        'teams/inner.script.yaml': stringify({ agents: inner.script }),
      })
      mkdirSync(join(cwd, '.troupe'))
      writeFileSync(join(cwd, '.troupe', '.gitignore'), '*\n')
      const args = ['run', 'outer', 'Go.', '--mode', 'bypassPermissions', '--dangerously-skip-permissions']
      return (await troupe(cwd, args)).stdout
    }
    expect(await run(3)).toMatch(/4\/3[^]*code 0/)
    expect(await run(2)).toMatch(
      /its workers 3 starts away from the first coordinator; 2 are allowed \(limits\.depth[^]*code 5/,
    )
  },
)

test('work that the budget lets nobody begin has not completed, whatever the lead answers without it', async () => {
  const { recorded, result } = await play(
    { ...crowd({}), budget: { turns: 2 }, workers: { hand } },
    { lead: { steps: [delegate({ worker: 'hand', task: 'A.' }), { say: 'Nobody did A.' }] } },
  )
  expect(await result).toMatchObject({ status: 'budget', result: 'Nobody did A.' })
  expect(results(recorded, 'lead')).toEqual([
    'hand: not delegated: hand is not started: the budget of the run is used up (turns). Nobody begins anything new: answer with what you have.',
  ])
})
