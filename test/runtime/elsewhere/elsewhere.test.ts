import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { markedProcesses } from '../../../src/adapters/process/end-process.ts'
import { isAlive } from '../../../src/adapters/process/liveness.ts'
import { readMember } from '../../../src/adapters/sessions/read-run.ts'
import type { Entry } from '../../../src/protocol/facts/entry.ts'
import { factsOf, play } from '../support/stage.ts'
import { bareEnv } from '../../support/bare-env.ts'

const worker = { description: 'Looks.', prompt: 'You look.', tools: ['LS'], executor: 'process' }
const duo = { name: 'duo', coordinator: { prompt: 'You lead.' }, workers: { ana: worker, bo: worker } }

const delegation = (...subtasks: readonly (readonly [worker: string, task: string])[]) => ({
  calls: [{ tool: 'Delegate', input: { subtasks: subtasks.map(([worker, task]) => ({ worker, task })) } }],
})
const look = { calls: [{ tool: 'LS', input: { path: '.' } }] }

test('workers in processes of their own do the same work, and their processes end with the run', async () => {
  const { run, recorded, result } = await play(duo, {
    lead: {
      steps: [delegation(['ana', 'Look here.'], ['bo', 'Look there.']), { say: 'ana: {{mail.ana}}, bo: {{mail.bo}}' }],
    },
    ana: { steps: [look, { say: 'one folder' }] },
    bo: { steps: [look, { say: 'the same' }] },
  })
  expect(await result).toMatchObject({ status: 'completed', result: 'ana: one folder, bo: the same' })
  for (const name of ['ana', 'bo']) {
    expect(factsOf(recorded, name).at(-1)).toBe('member.gone')
    const member = readMember(run.dir, name)
    expect(member).toMatchObject({ executor: 'process', state: 'gone', hello: { tools: ['LS'] } })
    expect(member?.pid).not.toBe(process.pid)
    expect(isAlive(member?.pid ?? 0, member?.started ?? 0)).toBe(false)
  }
})

describe('a worker whose process is killed', () => {
  const solo = { ...duo, workers: { ana: { ...worker, tools: ['LS', 'Bash'] } } }
  const asking = { steps: [delegation(['ana', 'Work.']), { say: 'ana says {{mail.ana}}' }] }
  const killedAt = async (type: Entry['type'] | null, steps: readonly object[]) => {
    const played = await play(solo, { lead: asking, ana: { steps } }, { mode: 'bypassPermissions', allowBypass: true })
    let lives = 0
    played.run.subscribe(({ owner, entry }) => {
      if (owner !== 'ana' || entry.type !== type || lives++ > 0) return
      process.kill(readMember(played.run.dir, 'ana')?.pid ?? 0, 'SIGKILL')
    })
    return { ...played, ended: await played.result }
  }

  test('comes back, and is told of a call whose effect is unknown', async () => {
    const script = [
      { calls: [{ tool: 'Bash', input: { command: 'echo once >> log; sleep 60 & kill -9 $PPID; wait' } }] },
      { expect: 'Whether it took effect is unknown', say: 'I looked.' },
    ]
    const { cwd, run, recorded, ended } = await killedAt(null, script)
    expect(ended).toMatchObject({ status: 'completed', result: 'ana says I looked.' })
    expect(readFileSync(join(cwd, 'log'), 'utf8')).toBe('once\n')
    const crashes = recorded.flatMap(({ entry }) => (entry.type === 'member.crashed' ? [entry.error] : []))
    expect(crashes).toEqual(['its process ended without a word: SIGKILL, perhaps for want of memory'])
    expect(
      recorded.flatMap(({ entry }) => (entry.type === 'member.spawned' ? [[entry.member, entry.attempt]] : [])),
    ).toEqual([
      ['lead', 1],
      ['ana', 1],
      ['ana', 2],
    ])
    const lives = recorded.flatMap(({ entry }) => (entry.type === 'member.started' ? [entry.incarnation] : []))
    expect(lives.flatMap((life) => markedProcesses(life))).toEqual([])
    expect(readMember(run.dir, 'ana')).toMatchObject({ state: 'gone' })
  })

  test('makes a call again that only reads', async () => {
    const script = [look, { expect: 'teams/', say: 'I saw it.' }]
    const { ended } = await killedAt('permission.decided', script)
    expect(ended).toMatchObject({ status: 'completed', result: 'ana says I saw it.' })
  })

  test.each(['mail.received', 'model.requested', 'agent.ended', 'mail.sent'] as const)(
    'is not missed when it dies after %s',
    async (type) => {
      const { recorded, ended } = await killedAt(type, [{ say: 'Done.' }])
      expect(ended).toMatchObject({ status: 'completed', result: 'ana says Done.' })
      const received = recorded.filter(({ owner, entry }) => owner === 'lead' && entry.type === 'mail.received')
      expect(received).toHaveLength(1)
    },
  )
})

test('a worker that never begins is a crash with its last words', async () => {
  const { run, recorded, result } = await play(
    { ...duo, workers: { ana: { ...worker, restart: 'never' } } },
    { lead: { steps: [delegation(['ana', 'Work.']), { say: 'No ana.' }] }, ana: { steps: [] } },
    { env: { ...bareEnv, NODE_OPTIONS: '--no-such-option' } },
  )
  await result
  const crashes = recorded.flatMap(({ entry }) => (entry.type === 'member.crashed' ? [entry.error] : []))
  expect(crashes).toEqual([
    expect.stringMatching(/did not begin in process: .*no-such-option.* \(its process ended\)/s),
  ])
  expect(readMember(run.dir, 'ana')).toBeNull()
})

test('a worker that cannot open its model did not begin, and is started again after a pause', async () => {
  const script = JSON.stringify({ agents: { ana: { steps: [{ say: 'I looked.' }] } } })
  const team = { ...duo, workers: { ana: { ...worker, model: 'scripted/ana.yaml' } } }
  const lead = { steps: [delegation(['ana', 'Work.']), { say: 'ana says {{mail.ana}}' }] }
  const { cwd, run, recorded, result } = await play(team, { lead }, { files: { 'teams/ana.yaml': script } })
  const [file, aside] = [join(cwd, 'teams/ana.yaml'), join(cwd, 'aside.yaml')]
  run.subscribe(({ owner, entry }) => {
    // The leader has opened all models before its lead begins.
    if (owner === 'lead' && entry.type === 'member.started') renameSync(file, aside)
    if (entry.type === 'member.crashed') renameSync(aside, file)
  })
  expect(await result).toMatchObject({ status: 'completed', result: 'ana says I looked.' })
  const crashes = recorded.flatMap(({ entry }) => (entry.type === 'member.crashed' ? [entry.error] : []))
  expect(crashes).toEqual([
    expect.stringMatching(
      /^ana did not begin in process: ModelUnavailable: the script cannot .* \(its process ended\)/,
    ),
  ])
})
