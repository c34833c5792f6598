import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import type { Entry } from '../../../src/protocol/facts/entry.ts'
import { loadTeam } from '../../../src/runtime/team-files/load-team.ts'
import { resumeTeam } from '../../../src/runtime/run/resume-team.ts'
import { runTeam } from '../../../src/runtime/run/run-team.ts'
import { environmentFor, faultyServer, type Fault, type FaultyServer } from '../../support/faulty-server.ts'
import { hurriedClock, standingClock } from '../../support/hurried-clock.ts'
import { journalOf, onlyRun, start } from '../../ui/cli/process/troupe.ts'
import { tempDir } from '../support/stage.ts'
import { bareEnv } from '../../support/bare-env.ts'

const team = {
  name: 'patient',
  model: 'openai-compatible/m',
  coordinator: { prompt: 'You lead.' },
  workers: { hand: { description: 'Helps.', prompt: 'You help.' } },
}

async function vendor(fault: (count: number) => Fault | null): Promise<FaultyServer> {
  const speak = () => ({ text: 'It is done.' })
  const server = await faultyServer({ api: 'chat', speak, fault: (_, count) => fault(count) })
  onTestFinished(() => server.close())
  return server
}

function stage(more: object = {}): string {
  const cwd = tempDir()
  mkdirSync(join(cwd, 'teams'))
  writeFileSync(join(cwd, 'teams', 'patient.yaml'), stringify({ ...team, ...more }))
  return cwd
}

const environment = (cwd: string, { root }: FaultyServer) => ({
  ...bareEnv,
  HOME: cwd,
  ...environmentFor(root),
})

type Of<Type extends Entry['type']> = Extract<Entry, { type: Type }>
const only = <Type extends Entry['type']>(entries: readonly Entry[], type: Type): Of<Type>[] =>
  entries.filter((entry): entry is Of<Type> => entry.type === type)

test('a pause outlives the process that began it: who resumes the run waits on, and asks no sooner', async () => {
  let served = 0
  const limit = { error: { message: 'This key has used up its hour.', type: 'rate_limit_exceeded' } }
  const refusal: Fault = { kind: 'answer', status: 429, headers: { 'retry-after': '95' }, body: JSON.stringify(limit) }
  let now = () => Date.now()
  const askedAt: number[] = []
  const server = await vendor(() => {
    askedAt.push(now())
    return (served += 1) === 1 ? refusal : null
  })
  const cwd = stage()
  const leader = start(cwd, ['run', 'patient', 'Begin.'], environment(cwd, server))
  await leader.said('until')
  leader.child.kill('SIGKILL')
  await leader.ended
  const dir = onlyRun(cwd)
  const [pause] = only(journalOf(dir, 'lead'), 'model.paused')
  expect(pause).toMatchObject({
    model: 'openai-compatible/m',
    failure: { code: 'rate_limited', retry_after_ms: 95_000 },
  })
  const until = pause?.until ?? Number.NaN

  const clock = standingClock(40)
  now = clock.now
  const run = await resumeTeam(dir, { home: cwd, env: environment(cwd, server), clock })
  run.subscribe(({ entry }) => entry.type === 'model.waiting' && clock.start())
  const ended = await run.result
  expect(ended).toMatchObject({ status: 'completed', result: 'It is done.' })
  expect(askedAt).toHaveLength(2)
  expect(askedAt[1]).toBeGreaterThanOrEqual(until)
  const life = journalOf(dir, 'lead').filter(({ at }) => at > (pause?.at ?? 0))
  expect(only(life, 'model.paused')).toEqual([])
  expect(only(life, 'model.waiting').map((waiting) => waiting.until)).toContain(until)
  expect(only(life, 'model.resumed')[0]?.at).toBeGreaterThanOrEqual(until)
})

test('patience is counted from the first refusal, however often the run is killed and resumed', async () => {
  const limit = { error: { message: 'This key has used up its day.', type: 'rate_limit_exceeded' } }
  const refusal: Fault = {
    kind: 'answer',
    status: 429,
    headers: { 'retry-after': '7200' },
    body: JSON.stringify(limit),
  }
  const server = await vendor(() => refusal)
  const cwd = stage({ persistent: true })
  const leader = start(cwd, ['run', 'patient', 'Begin.'], environment(cwd, server))
  await leader.said('until')
  leader.child.kill('SIGKILL')
  await leader.ended
  const dir = onlyRun(cwd)
  expect(only(journalOf(dir, 'lead'), 'model.paused')).toHaveLength(1)

  const hurried = hurriedClock(20_000)
  const clock = { ...hurried, now: () => hurried.now() + 5 * 3_600_000 }
  const ended = await (await resumeTeam(dir, { home: cwd, env: environment(cwd, server), clock })).result
  expect(ended.status).toBe('failed')
  expect(ended.reason).toContain('rate_limited')
  expect(only(journalOf(dir, 'lead'), 'model.paused')).toHaveLength(1)
  expect(server.asked).toHaveLength(2)
})

test.for(['first_byte', 'idle'] as const)('a team says how long it waits: %s', async (kind) => {
  const stall: Fault = kind === 'idle' ? { kind: 'stall', at: 90 } : { kind: 'hang' }
  const server = await vendor((count) => (count === 0 ? stall : null))
  const cwd = stage({ timeouts: { [kind]: '150ms' } })
  const loaded = await loadTeam(join(cwd, 'teams', 'patient.yaml'), { env: {} })
  const run = runTeam(loaded, { task: 'Begin.', cwd, home: cwd, env: environment(cwd, server) })
  const entries: Entry[] = []
  run.subscribe(({ entry }) => entries.push(entry))
  expect(await run.result).toMatchObject({ status: 'completed', result: 'It is done.' })
  expect(only(entries, 'model.retried')).toMatchObject([{ attempt: 1, failure: { code: 'timed_out' } }])
  expect(server.asked).toHaveLength(2)
})

test('a wait of nothing and one that no timer can hold are mistakes of the file', async () => {
  const cwd = stage({ timeouts: { first_byte: '0s', idle: '600h', idel: '1m' } })
  const file = join(cwd, 'teams', 'patient.yaml')
  const wrong = 'must be more than nothing and at most 24h'
  await expect(loadTeam(file, { env: {} })).rejects.toThrow(`timeouts.first_byte ${wrong}`)
  await expect(loadTeam(file, { env: {} })).rejects.toThrow(`timeouts.idle ${wrong}`)
  await expect(loadTeam(file, { env: {} })).rejects.toThrow('did you mean "idle"?')
})
