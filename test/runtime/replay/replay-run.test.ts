import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { coordinatorMachine } from '../../../machines/coordinator/coordinator.ts'
import { teamMachine } from '../../../machines/team/team.ts'
import { agentMachine } from '../../../machines/agent/agent.ts'
import { approvalMachine } from '../../../machines/call/approval.ts'
import { replayRun, replayWith, NotReplayable, type RunReplay } from '../../../src/runtime/replay/replay-run.ts'
import { recordOfRun } from '../../../src/runtime/runs/read-runs.ts'
import { play } from '../support/stage.ts'
import { generatedRuns } from './generated-run.ts'

const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })
const team = {
  name: 'duo',
  coordinator: { prompt: 'You lead.' },
  workers: { ana: { description: 'Works.', prompt: 'You work.', tools: ['LS', 'Bash'], max_turns: 3 } },
}
const script = {
  lead: { steps: [call('Delegate', { subtasks: [{ worker: 'ana', task: 'Work.' }] }), { say: 'ana: {{mail.ana}}' }] },
  ana: { steps: [call('LS', { path: '.' }), call('Bash', { command: 'touch a' }), { say: 'done' }] },
}

async function recorded(): Promise<string> {
  const allow = { behavior: 'allow', source: 'human', reason: 'fine' } as const
  const { run, result } = await play(team, script, { approver: { answer: () => Promise.resolve(allow) } })
  await result
  return run.dir
}

function differences({ lives }: RunReplay) {
  return lives.flatMap(({ member, difference }) => (difference === null ? [] : [{ member, ...difference }]))
}

test('generated runs with kills, retries, compactions, hooks and approvals are replayed as they were recorded', async () => {
  for (const seed of [2, 4, 6]) {
    for (const dir of await generatedRuns(seed, { patience: '4h', restarts: false })) {
      expect({ seed, differences: differences(await replayRun(dir)) }).toEqual({ seed, differences: [] })
    }
  }
})

test('the replay derives the transitions of every machine, and writes nothing', async () => {
  const dir = await recorded()
  const journal = join(dir, 'journal/ana.jsonl')
  const before = readFileSync(journal, 'utf8')
  const { lives } = await replayRun(dir)
  const ana = lives.find(({ member }) => member === 'ana')
  const steps = ana?.transitions.map(({ actor, to }) => `${actor} ${JSON.stringify(to)}`)
  expect(steps).toEqual(
    expect.arrayContaining([
      'agent {"thinking":"asking"}',
      '0 "permitting"',
      '0.permission.asking "waiting"',
      'ana "gone"',
    ]),
  )
  expect(readFileSync(journal, 'utf8')).toBe(before)
})

test('a changed guard is named at the first fact that differs', async () => {
  const dir = await recorded()
  const impatient = agentMachine.provide({ guards: { isLastTurn: ({ context }) => context.state.turn >= 2 } })
  const { identical, lives } = await replayWith({ agent: impatient }, dir)
  const ana = lives.find(({ member }) => member === 'ana')?.difference
  expect(identical).toBe(false)
  expect(ana).toMatchObject({
    recorded: { type: 'turn.continued', turn: 3, reason: 'next_turn' },
    replayed: { type: 'agent.ended', turn: 2, reason: 'max_turns' },
    field: 'type',
  })
  expect(ana?.entry).toBe(
    recordOfRun(dir).recorded.findLast(({ entry }) => entry.type === 'turn.continued' && entry.turn === 3)?.entry.id,
  )
})

test("a changed guard of the coordinator's machine is named at the first fact of the team's journal that differs", async () => {
  const dir = await recorded()
  const whole = (await replayRun(dir)).lives.find(({ member }) => member === 'team')
  expect(whole).toMatchObject({ life: 1, difference: null })
  const steps = whole?.transitions.map(({ actor, to }) => `${actor} ${JSON.stringify(to)}`)
  expect(steps).toEqual(expect.arrayContaining(['coordinator "gathering"', 'team {"running":"surveying"}']))
  const patient = coordinatorMachine.provide({ guards: { isGathered: () => false } })
  const { identical, lives } = await replayWith({ coordinator: patient }, dir)
  expect(identical).toBe(false)
  const settled = recordOfRun(dir).recorded.find(({ entry }) => entry.type === 'gather.settled')
  expect(lives.flatMap(({ member, difference }) => (difference === null ? [] : [{ member, ...difference }]))).toEqual([
    expect.objectContaining({ member: 'team', entry: settled?.entry.id, replayed: null }),
  ])
})

test('a changed guard of the team, which then never ends, is named', async () => {
  const dir = await recorded()
  const eager = teamMachine.provide({ guards: { isFinished: () => false } })
  const { lives } = await replayWith({ team: eager }, dir)
  expect(lives.find(({ member }) => member === 'team')?.difference?.recorded).toMatchObject({ type: 'team.ended' })
})

test("a line of the team's journal that was edited is named at the field", async () => {
  const dir = await recorded()
  const journal = join(dir, 'journal/team.jsonl')
  const lines = readFileSync(journal, 'utf8').split('\n')
  const index = lines.findIndex((line) => line.includes('"request.settled"'))
  writeFileSync(journal, lines.with(index, (lines[index] ?? '').replace('"done"', '"failed"')).join('\n'))
  const [difference] = differences(await replayRun(dir))
  expect(difference).toMatchObject({ member: 'team', entry: `team-${index + 1}`, field: 'status' })
})

test('a changed guard of a child machine is named, too', async () => {
  const dir = await recorded()
  const deaf = approvalMachine.provide({ actions: { hear: () => undefined } })
  const { lives } = await replayWith({ approval: deaf }, dir)
  expect(lives.find(({ member }) => member === 'ana')?.difference).toMatchObject({
    recorded: { type: 'permission.decided', decision: { behavior: 'allow' } },
    replayed: { type: 'permission.decided', decision: { behavior: 'deny' } },
  })
})

test('a journal that was edited is named at the edited entry and field', async () => {
  const dir = await recorded()
  const journal = join(dir, 'journal/ana.jsonl')
  const lines = readFileSync(journal, 'utf8').split('\n')
  const index = lines.findIndex((line) => line.includes('"turn.continued"'))
  writeFileSync(journal, lines.with(index, (lines[index] ?? '').replace('next_turn', 'steered')).join('\n'))
  const [difference] = differences(await replayRun(dir))
  expect(difference).toMatchObject({ member: 'ana', entry: `ana-${index + 1}`, field: 'reason' })
})

test('a replay ends after the entry that is named; one that is not there is refused', async () => {
  const dir = await recorded()
  const whole = await replayRun(dir)
  const part = await replayRun(dir, { until: 'ana-9' })
  const steps = ({ lives }: RunReplay) => lives.reduce((sum, { transitions }) => sum + transitions.length, 0)
  expect(part.identical).toBe(true)
  expect(steps(part)).toBeLessThan(steps(whole))
  await expect(replayRun(dir, { until: 'ana-999' })).rejects.toThrow(NotReplayable)
})

test('a life that was killed between the results of calls that were given up and its end is replayed', async () => {
  const bash = (command: string) => ({ tool: 'Bash', input: { command } })
  const asked = { subtasks: [{ worker: 'ana', task: 'Work.', deadline: '1s' }] }
  const lead = { steps: [call('Delegate', asked), { say: 'Late.' }] }
  const ana = { steps: [{ calls: [bash('sleep 60; touch a'), bash('touch b')] }] }
  const { run, result } = await play(team, { lead, ana }, { mode: 'bypassPermissions', allowBypass: true })
  await result
  const file = join(run.dir, 'journal', 'ana.jsonl')
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  // The second call was permitted, and stood at its limits when the time was over.
  const decided = { ...entries.find(({ type }) => type === 'permission.decided'), call_id: 'ana-1-2' }
  const end = entries.findIndex(({ type }) => type === 'call.finished')
  const results = lines.findIndex((line) => line.includes('"role":"tool"'))
  const kept = [...entries.slice(0, end), decided, ...entries.slice(end, results + 1)].map((entry, at) => {
    const place = { seq: at + 1, id: `ana-${at + 1}`, parent: at === 0 ? null : `ana-${at}` }
    return `${JSON.stringify({ ...entry, ...place })}\n`
  })
  writeFileSync(file, kept.join(''))
  expect(differences(await replayRun(run.dir, { member: 'ana' }))).toEqual([])
})
