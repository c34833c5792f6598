import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Recorded } from '../../src/protocol/facts/entry.ts'
import { textOf } from '../../src/protocol/conversation/message.ts'
import type { RunResult } from '../../src/protocol/team/run.ts'
import { answerApproval } from '../../src/runtime/runs/answer-approval.ts'
import { systemClock, type Clock } from '../../src/runtime/actors/clock.ts'
import { forkRun } from '../../src/runtime/run/fork-run.ts'
import { recordOfRun } from '../../src/runtime/runs/read-runs.ts'
import { resumeTeam } from '../../src/runtime/run/resume-team.ts'
import type { TeamRun } from '../../src/runtime/run/run-team.ts'
import { play } from '../runtime/support/stage.ts'

/*
 * A fork may be cut after any entry, and a leader that is killed leaves such a cut as well: from each the run has to
 * come to the undisturbed answer, with each piece of mail sent once and read once.
 */
interface Scenario {
  readonly team: object
  readonly script: object
  /** Facts that have to be among the cuts. */
  readonly covers: readonly string[]
  /** Somebody is called off: what was sent to them by then depends on the moment. */
  readonly callsOff?: boolean
}

const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })
const bash = (command: string) => ({ tool: 'Bash', input: { command } })
const worker = { description: 'Works.', prompt: 'You work.' }

const rounds: Scenario = {
  team: {
    name: 'trio',
    coordinator: { prompt: 'You lead.' },
    budget: { turns: 100 },
    workers: { ana: { ...worker, tools: ['LS', 'Bash'] }, bo: { ...worker, tools: ['LS'] } },
  },
  script: {
    lead: {
      steps: [
        call('Delegate', {
          subtasks: [
            { worker: 'ana', task: 'Look here.' },
            { worker: 'bo', task: 'Say it again.', depends_on: [1] },
          ],
        }),
        { expect: ['one folder', 'said'], ...call('Delegate', { subtasks: [{ worker: 'ana', task: 'Look again.' }] }) },
        { say: 'ana: {{mail.ana}}, bo: {{mail.bo}}', expect: 'still one' },
      ],
    },
    ana: {
      steps: [
        { calls: [{ tool: 'LS', input: { path: 'teams' } }, bash('echo looked >> effects')] },
        { say: 'one folder', expect: 'Look here.' },
        call('SendMessage', { to: 'bo', text: 'I look again.' }),
        { say: 'still one', expect: 'Look again.' },
      ],
    },
    bo: {
      steps: [
        { say: 'said', expect: 'one folder' },
        { say: 'heard', expect: 'I look again.' },
      ],
    },
  },
  covers: ['request.held', 'request.opened', 'request.settled', 'gather.opened', 'gather.settled', 'coordinator.moved'],
}

const board = ['TaskCreate', 'TaskClaim', 'TaskDone']
const troubled: Scenario = {
  team: {
    name: 'quartet',
    coordinator: { prompt: 'You lead.', gather: { on_failure: { retry: 1, substitute: 'cy' } } },
    tasks: {},
    workers: { ana: worker, bo: { ...worker, tools: board }, cy: { ...worker, tools: ['Bash'] } },
  },
  script: {
    lead: {
      steps: [
        call('TaskCreate', { subject: 'First' }),
        call('Delegate', {
          subtasks: [
            { worker: 'ana', task: 'Work.' },
            { worker: 'bo', task: 'Work on the board.' },
          ],
        }),
        { say: 'bo: {{mail.bo}}, cy: {{mail.cy}}' },
      ],
    },
    ana: { steps: [{ fail: 'server_error' }] },
    cy: { steps: [{ calls: [bash('echo worked >> effects')] }, { say: 'worked', expect: 'Work.' }] },
    bo: { steps: [call('TaskClaim', { id: 1 }), call('TaskDone', { id: 1 }), { say: 'done' }] },
  },
  covers: ['task.created', 'task.claimed', 'task.finished', 'request.opened', 'request.settled'],
}

const asked: Scenario = {
  team: {
    name: 'duet',
    coordinator: { prompt: 'You lead.', gather: { wait: 'any' } },
    workers: { ana: { ...worker, tools: ['Bash'] }, bo: worker },
  },
  script: {
    lead: {
      steps: [
        call('Delegate', {
          subtasks: [
            { worker: 'ana', task: 'Work.' },
            { worker: 'bo', task: 'Think for ever.' },
          ],
        }),
        { say: 'ana: {{mail.ana}}' },
      ],
    },
    ana: { steps: [{ calls: [bash('echo worked >> effects')] }, { say: 'worked' }] },
    bo: { steps: [{ say: 'I think.', hang: true }] },
  },
  covers: ['permission.requested', 'request.settled', 'gather.settled'],
  callsOff: true,
}

const queued: Scenario = {
  team: {
    name: 'single',
    coordinator: { prompt: 'You lead.' },
    workers: { ana: { ...worker, tools: ['Bash'] } },
  },
  script: {
    lead: {
      steps: [
        call('Delegate', {
          subtasks: [
            { worker: 'ana', task: 'Count apples.' },
            { worker: 'ana', task: 'Count pears.' },
          ],
        }),
        { say: 'Both.', expect: ['five apples', 'six pears'] },
      ],
    },
    ana: {
      steps: [
        { say: 'five apples', expect: 'Count apples.' },
        { calls: [bash('echo counted >> effects')] },
        { say: 'six pears', expect: 'Count pears.' },
      ],
    },
  },
  covers: ['member.replied', 'request.settled'],
}

describe.each([
  ['two tasks for one worker', queued],
  ['rounds that build on each other', rounds],
  ['a question and a straggler who is called off', asked],
  ['a failure, a second attempt, a substitute and the task board', troubled],
])('%s', (_, { team, script, covers, callsOff = false }) => {
  test('lead to the same answer from every kind of entry on', async () => {
    const { cwd, run, result } = await play(team, script, { permissionWaitMs: 3_600_000, clock: tickingClock() })
    allowAll(run, join(cwd, 'home'))
    const whole = await result
    expect(whole).toMatchObject({ status: 'completed', reason: 'completed' })
    const home = join(cwd, 'home')
    const { recorded } = recordOfRun(run.dir)
    const cuts = cutsOf(recorded)
    expect(cuts.map(({ entry }) => entry.type)).toEqual(expect.arrayContaining([...covers]))
    const flaws: string[] = []
    for (const { entry } of cuts) {
      const fork = forkRun(run.dir, { at: entry.id, home, clock: systemClock() })
      const resumed = await resumeTeam(fork, { home, env: { PATH: process.env['PATH'] } })
      allowAll(resumed, home)
      const ended = await resumed.result
      const after = recordOfRun(fork)
      const found = [
        ...endFlaws(whole, ended),
        ...after.problems,
        ...callFlaws(after.recorded),
        ...noteFlaws(recorded, after.recorded),
        ...mailFlaws(callsOff ? after.recorded : recorded, after.recorded),
      ]
      if (found.length > 0) flaws.push(`${entry.id} ${entry.type}: ${found.join('; ')}`)
    }
    expect(flaws).toEqual([])
    const effects = join(cwd, 'effects')
    expect(existsSync(effects) && readFileSync(effects, 'utf8')).not.toBe('')
  }, 300_000)
})

/**
 * No two moments are the same. Facts of different journals stand in the order in which they were written then, so every cut is
 * one that a kill can leave, and between any two facts there is one.
 */
function tickingClock(): Clock {
  const clock = systemClock()
  let last = 0
  return { ...clock, now: () => (last = Math.max(clock.now(), last + 0.001)) }
}

/** A person says yes to everything, from another process as it were. */
function allowAll(run: TeamRun, home: string): void {
  run.subscribe(({ entry }) => {
    if (entry.type !== 'permission.requested') return
    answerApproval(run.dir, entry.request, { behavior: 'allow', by: 'a person', at: 1, home })
  })
}

/** Every fact of the team since it began, and of each member the first and the last of every kind. */
function cutsOf(recorded: readonly Recorded[]): readonly Recorded[] {
  const begun = recorded.slice(recorded.findIndex(({ entry }) => entry.type === 'team.started'))
  const kindOf = ({ owner, entry }: Recorded): string =>
    `${owner} ${entry.type} ${entry.type === 'message.appended' ? entry.message.role : ''}`
  const kinds = begun.map(kindOf)
  return begun.filter((each, index) => {
    const kind = kindOf(each)
    return each.owner === 'team' || kinds.indexOf(kind) === index || kinds.lastIndexOf(kind) === index
  })
}

function endFlaws(wanted: RunResult, { status, result, reason }: RunResult): readonly string[] {
  return status === wanted.status && result === wanted.result ? [] : [`${status}: ${result} (${reason})`]
}

/** Each call has one end that everyone sees, however often the member that made it began again. */
function callFlaws(recorded: readonly Recorded[]): readonly string[] {
  const calls = (type: 'call.started' | 'call.finished') =>
    recorded.flatMap(({ entry }) => (entry.type === type ? [entry.call_id] : []))
  const [started, finished] = [calls('call.started'), calls('call.finished')]
  const ends = (id: string): number => finished.filter((call) => call === id).length
  return started.flatMap((id) => (ends(id) === 1 ? [] : [`call ${id} finished ${ends(id)} times`]))
}

/** The lead is told of its requests as often as in a run that nothing disturbs. */
function noteFlaws(before: readonly Recorded[], after: readonly Recorded[]): readonly string[] {
  const notes = (recorded: readonly Recorded[]) =>
    recorded.flatMap(({ owner, entry }) =>
      owner === 'lead' && entry.type === 'message.appended' && entry.message.role === 'user'
        ? [textOf(entry.message).replaceAll(/Evidence: .*|, \d+ turns/g, '')]
        : [],
    )
  const [wanted, told] = [notes(before), notes(after)]
  return told.join() === wanted.join() ? [] : [`the lead was told: ${told.join(' | ')}`]
}

function mailFlaws(before: readonly Recorded[], after: readonly Recorded[]): readonly string[] {
  const [wanted, sent] = [idsOf(before, 'mail.sent').length, idsOf(after, 'mail.sent')]
  const received = idsOf(after, 'mail.received')
  return [
    ...(sent.length === wanted ? [] : [`${sent.length} pieces of mail instead of ${wanted}`]),
    ...(received.length === new Set(received).size ? [] : ['mail was received twice']),
    ...sent.filter((id) => !received.includes(id)).map((id) => `${id} was never received`),
    ...after.flatMap(({ entry }) => (entry.type === 'mail.died' ? [entry.reason] : [])),
  ]
}

function idsOf(recorded: readonly Recorded[], type: 'mail.sent' | 'mail.received'): readonly string[] {
  return recorded.flatMap(({ entry }) => (entry.type === type ? [entry.envelope.id] : []))
}
