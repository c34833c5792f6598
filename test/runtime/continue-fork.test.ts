import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Entry } from '../../src/protocol/facts/entry.ts'
import { systemClock } from '../../src/runtime/actors/clock.ts'
import { continueTeam } from '../../src/runtime/run/continue-team.ts'
import { forkRun } from '../../src/runtime/run/fork-run.ts'
import { collectRuns } from '../../src/runtime/upkeep/keep-runs.ts'
import { recordOfRun, summariseRuns } from '../../src/runtime/runs/read-runs.ts'
import { resumeTeam } from '../../src/runtime/run/resume-team.ts'
import { sendMail } from '../../src/runtime/mail/send-mail.ts'
import { stopRun } from '../../src/runtime/upkeep/stop-run.ts'
import { play } from './support/stage.ts'
import { bareEnv } from '../support/bare-env.ts'

const duo = {
  name: 'duo',
  coordinator: { prompt: 'You lead.' },
  workers: { ana: { description: 'Looks.', prompt: 'You look.', tools: ['LS'] } },
}
const delegation = (task: string) => ({
  calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task }] } }],
})
const look = { calls: [{ tool: 'LS', input: { path: '.' } }] }
const script = {
  lead: {
    steps: [
      delegation('Look here.'),
      { say: 'First: {{mail.ana}}' },
      { ...delegation('Look again.'), expect: 'Once more' },
      { say: 'Second: {{mail.ana}}' },
    ],
  },
  ana: { steps: [look, { say: 'one folder' }, { expect: 'Look again.', say: 'still one' }] },
}

const once = { lead: { steps: script.lead.steps.slice(0, 2) }, ana: { steps: script.ana.steps.slice(0, 2) } }

async function finished(played: object = script, team: object = duo) {
  const { cwd, run, result } = await play(team, played)
  await result
  const home = join(cwd, 'home')
  return { cwd, dir: run.dir, home, how: { home, env: bareEnv } }
}

/** As if all of it had happened an hour before. */
function age(dir: string): void {
  const journals = join(dir, 'journal')
  const aged = (line: string): string => {
    const entry = JSON.parse(line) as Entry
    return `${JSON.stringify({ ...entry, at: entry.at - 3_600_000 })}\n`
  }
  for (const name of readdirSync(journals)) {
    const lines = readFileSync(join(journals, name), 'utf8').trim().split('\n')
    writeFileSync(join(journals, name), lines.map(aged).join(''))
  }
}

describe('a run that has ended goes on', () => {
  test.for(['in-process', 'process'])('and its members in %s have their minutes anew', async (executor) => {
    const ana = { ...duo.workers.ana, executor, budget: { minutes: 30 } }
    const { dir, how } = await finished(script, { ...duo, workers: { ana } })
    age(dir)
    const run = await continueTeam(dir, { ...how, text: 'Once more, please.' })
    expect(await run.result).toMatchObject({ status: 'completed', result: 'Second: still one' })
  })

  test('when a person says more: everybody remembers, and the answer is a new one', async () => {
    const { cwd, dir, how } = await finished()
    const run = await continueTeam(dir, { ...how, text: 'Once more, please.' })
    expect(await run.result).toMatchObject({ status: 'completed', result: 'Second: still one' })
    const { recorded, problems } = recordOfRun(dir)
    expect(problems).toEqual([])
    const facts = recorded.flatMap(({ owner, entry }) => (owner === 'team' ? [entry.type] : []))
    expect(facts.filter((type) => type.startsWith('team.'))).toEqual([
      'team.started',
      'team.ended',
      'team.reopened',
      'team.resumed',
      'team.ended',
    ])
    expect(summariseRuns(cwd)[0]?.state).toBe('completed')
  })

  test('with a plan of its own when it was cut off in the middle: the lead may delegate', async () => {
    const busy = { calls: [{ tool: 'Bash', input: { command: 'touch here; sleep 600' } }] }
    const able = { ...duo, workers: { ana: { ...duo.workers.ana, tools: ['Bash'] } } }
    const [first, , again, second] = script.lead.steps
    const cut = {
      lead: { steps: [first, again, second] },
      ana: { steps: [busy, { expect: 'Look again.', say: 'still one' }] },
    }
    const { cwd, run, result } = await play(able, cut, { mode: 'bypassPermissions', allowBypass: true })
    await expect.poll(() => existsSync(join(cwd, 'here'))).toBe(true)
    run.abort()
    expect(await result).toMatchObject({ status: 'aborted' })
    const went = await continueTeam(run.dir, { home: join(cwd, 'home'), env: bareEnv, text: 'Once more, please.' })
    expect(await went.result).toMatchObject({ status: 'completed', result: 'Second: still one' })
    const moves = recordOfRun(run.dir).recorded.flatMap(({ entry }) =>
      entry.type === 'coordinator.moved' ? [entry.state] : [],
    )
    expect(moves.slice(-4)).toEqual(['planning', 'gathering', 'synthesising', 'answered'])
  })

  test('also when somebody tried to stop it after its end: that changes nothing', async () => {
    const { dir, how } = await finished()
    const before = recordOfRun(dir).recorded
    expect(await stopRun({ run: dir, env: {}, reason: 'enough' })).toBe('over')
    expect(recordOfRun(dir).recorded).toEqual(before)
    const run = await continueTeam(dir, { ...how, text: 'Once more, please.' })
    expect((await run.result).result).toBe('Second: still one')
  })

  test('also when the box of the lead is full: it reads that first', async () => {
    const { dir, how, home } = await finished(script, { ...duo, mail: { max_unread: 2 } })
    const sends: boolean[] = []
    for (let n = 0; n < 3; n += 1) sends.push((await sendMail(dir, { to: 'lead@duo', text: `Note ${n}.`, home })).ok)
    expect(sends).toEqual([true, true, false])
    const run = await continueTeam(dir, { ...how, text: 'Once more, please.' })
    expect((await run.result).result).toBe('Second: still one')
  })

  test('not when it was stopped, unless that is meant', async () => {
    const { dir: ended, home, how } = await finished()
    const dir = forkRun(ended, { at: entryOf(ended, 'team', 'team.ended'), home, clock: systemClock() })
    expect(await stopRun({ run: dir, env: {}, reason: 'enough' })).toBe('gone')
    const more = { ...how, text: 'Once more, please.' }
    await expect(continueTeam(dir, more)).rejects.toThrow(/was stopped \(enough\); --force/)
    const run = await continueTeam(dir, { ...more, force: true })
    expect((await run.result).result).toBe('Second: still one')
    await expect(continueTeam(join(dir, 'nowhere'), more)).rejects.toThrow(/is no run directory/)
  })
})

/** The id of the n-th entry of that kind. */
function entryOf(dir: string, owner: string, type: string): string {
  const found = recordOfRun(dir).recorded.find((each) => each.owner === owner && each.entry.type === type)
  if (!found) throw new Error(`${owner} has no ${type}`)
  return found.entry.id
}

describe('a fork', () => {
  test.each([
    ['team', 'request.opened'],
    ['lead', 'call.finished'],
    ['lead', 'mail.sent'],
    ['ana', 'mail.received'],
    ['ana', 'call.finished'],
    ['ana', 'mail.sent'],
    ['lead', 'mail.received'],
  ])('after the %s’s %s comes to the same answer; nothing is lost or doubled', async (owner, type) => {
    const { dir, home, how } = await finished(once)
    const before = readFileSync(join(dir, 'journal', 'lead.jsonl'), 'utf8')
    const at = entryOf(dir, owner, type)
    const fork = forkRun(dir, { at, home, clock: systemClock() })
    const shared = recordOfRun(fork).recorded.find(({ entry }) => entry.id === at)
    expect(shared?.entry.type).toBe(type)
    expect(await (await resumeTeam(fork, how)).result).toMatchObject({
      status: 'completed',
      result: 'First: one folder',
    })
    const { recorded, problems } = recordOfRun(fork)
    expect(problems).toEqual([])
    const received = recorded.flatMap(({ entry }) => (entry.type === 'mail.received' ? [entry.envelope.id] : []))
    expect(received).toHaveLength(2)
    expect(new Set(received).size).toBe(2)
    expect(recorded.filter(({ entry }) => entry.type === 'mail.died')).toEqual([])
    expect(readFileSync(join(dir, 'journal', 'lead.jsonl'), 'utf8')).toBe(before)
  })

  test('needs an entry that is there, of a run that had begun', async () => {
    const { dir, home } = await finished()
    const at = (entry: string) => () => forkRun(dir, { at: entry, home, clock: systemClock() })
    expect(at('lead-999')).toThrow(/has no entry "lead-999"; troupe logs \S+ shows the ids of all/)
    expect(at('team-1')).toThrow(/had not begun at team-1/)
  })
})

test('runs that are not kept go with their keys', async () => {
  const { cwd, dir, home } = await finished()
  const fork = forkRun(dir, { at: entryOf(dir, 'team', 'team.ended'), home, clock: systemClock() })
  const now = Date.now() + 90_000
  const collect = (more: object) => collectRuns({ cwd, home, now, dryRun: false, ...more }).map((run) => run.dir)
  expect(collect({ olderThanMs: 3_600_000 })).toEqual([])
  expect(collect({ keep: 1, dryRun: true })).toEqual([dir])
  expect(existsSync(dir)).toBe(true)
  expect(collect({ keep: 1 })).toEqual([dir])
  expect(readdirSync(join(cwd, '.troupe', 'runs'))).toHaveLength(1)
  expect(readdirSync(join(home, '.troupe', 'keys'))).toHaveLength(1)
  expect(existsSync(fork)).toBe(true)
})
