import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { parseScript } from '../../../src/adapters/models/scripted/script.ts'
import { scriptedModel } from '../../../src/adapters/models/scripted/scripted.ts'
import { noUsage } from '../../../src/protocol/conversation/message.ts'
import { failure } from '../../../src/protocol/conversation/failure.ts'
import type { Model } from '../../../src/protocol/models/model.ts'
import type { ResolvedTeam } from '../../../src/protocol/team/team-card.ts'
import { systemClock } from '../../../src/runtime/actors/clock.ts'
import { continueTeam } from '../../../src/runtime/run/continue-team.ts'
import { forkRun } from '../../../src/runtime/run/fork-run.ts'
import { resumeTeam, type ResumeTeamOptions } from '../../../src/runtime/run/resume-team.ts'
import { recordOfRun } from '../../../src/runtime/runs/read-runs.ts'
import { teamDifferences } from '../../../src/runtime/team-files/team-difference.ts'
import { wishFor } from '../../../src/runtime/team-files/wished-model.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { play } from '../support/stage.ts'

const duo = (executor = 'in-process') => ({
  name: 'duo',
  coordinator: { prompt: 'You lead.' },
  workers: { ana: { description: 'Looks.', prompt: 'You look.', tools: ['Bash'], executor } },
})
const mode = { mode: 'bypassPermissions', allowBypass: true } as const
const hang = { calls: [{ tool: 'Bash', input: { command: 'touch begun; [ -e go ] || sleep 600' } }] }
const ask = { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Look.' }] } }] }
const script = (name: string, ...more: object[]) => ({
  lead: { steps: [ask, { say: `${name}: {{mail.ana}}` }, ...more] },
  ana: { steps: [hang, { say: `${name} looked` }] },
})

/** A run that was interrupted in the middle of a call, and a second script beside the first. */
async function interrupted(team: object = duo(), ...more: object[]) {
  const { cwd, run, result } = await play(team, script('first'), mode)
  await expect.poll(() => existsSync(join(cwd, 'begun'))).toBe(true)
  run.interrupt()
  expect(await result).toMatchObject({ status: 'interrupted' })
  writeFileSync(join(cwd, 'go'), '')
  const other = join(cwd, 'other.yaml')
  writeFileSync(other, stringify({ agents: script('second', ...more) }))
  const notes: string[] = []
  const how: ResumeTeamOptions = { home: join(cwd, 'home'), env: bareEnv, onNote: (text) => notes.push(text) }
  return { cwd, dir: run.dir, how, notes, other: `scripted/${other}`, file: join(cwd, 'teams', 'team.yaml') }
}

const lastFact = (dir: string, type: string) => recordOfRun(dir).recorded.findLast(({ entry }) => entry.type === type)

describe('another model', () => {
  test.for(['in-process', 'process'])('answers for every member of a run that is led on, in %s', async (executor) => {
    const { dir, how, other, notes } = await interrupted(duo(executor), { expect: 'Once more', say: 'second again' })
    const frozen = readFileSync(join(dir, 'run.json'), 'utf8')
    const run = await resumeTeam(dir, { ...how, model: other })
    expect((await run.result).result).toBe('second: second looked')
    expect(lastFact(dir, 'team.changed')?.entry).toMatchObject({
      changes: [
        expect.stringMatching(/^lead: model \(scripted.*other\.yaml, was scripted/),
        expect.stringMatching(/^ana: model/),
      ],
    })
    expect(notes).toEqual([expect.stringMatching(/goes on with another team: lead: model/)])
    expect(readFileSync(join(dir, 'run.json'), 'utf8')).toBe(frozen)
    const more = await continueTeam(dir, { ...how, text: 'Once more.' })
    expect(await more.result).toMatchObject({ status: 'completed', result: 'second again' })
  })

  test('answers in a fork, and the run that it came from keeps its own', async () => {
    const { dir, how, other } = await interrupted()
    const at = lastFact(dir, 'request.opened')?.entry.id ?? ''
    const fork = forkRun(dir, { at, clock: systemClock(), home: how.home ?? '' })
    const run = await resumeTeam(fork, { ...how, model: other })
    expect((await run.result).result).toBe('second: second looked')
    expect((await (await resumeTeam(dir, how)).result).result).toBe('first: first looked')
  })

  test('that cannot be opened leaves the run as it is', async () => {
    const { dir, how } = await interrupted()
    const before = recordOfRun(dir).recorded
    for (const model of ['nobody/x', 'anthropic/x', 'scripted/none.yaml']) {
      await expect(resumeTeam(dir, { ...how, model })).rejects.toThrow(/nobody|ANTHROPIC_API_KEY|none\.yaml/)
    }
    expect(recordOfRun(dir).recorded).toEqual(before)
    expect((await (await resumeTeam(dir, how)).result).result).toBe('first: first looked')
  })

  test('falls in for one that is gone, or that TROUPE_MODEL names', async () => {
    const gone: Model = {
      name: 'acme/gone',
      async *stream() {
        yield {
          type: 'settled',
          message: {
            role: 'assistant',
            content: [],
            model: 'acme/gone',
            stop: 'error',
            usage: noUsage,
            failure: failure('not_found', 'no such model'),
          },
        }
      },
    }
    const said = parseScript(
      'said.yaml',
      stringify({ agents: { lead: { steps: [{ say: 'here' }, { say: 'again' }] } } }),
    )
    const providers = { acme: (name: string) => (name === 'gone' ? gone : scriptedModel(`acme/${name}`, said)) }
    const { cwd, run, result } = await play({ ...duo(), model: 'acme/gone' }, {}, { providers })
    expect(await result).toMatchObject({ status: 'failed', failure: { code: 'not_found' } })
    const how = { home: join(cwd, 'home'), env: bareEnv, providers, text: 'Go on.' }
    const first = await continueTeam(run.dir, { ...how, fallback: ['acme/here'] })
    expect((await first.result).result).toBe('here')
    const second = await continueTeam(run.dir, { ...how, env: { ...bareEnv, TROUPE_MODEL: 'acme/there' } })
    expect(await second.result).toMatchObject({ status: 'completed', result: 'again' })
    expect(lastFact(run.dir, 'model.requested')?.entry).toMatchObject({ model: 'acme/there' })
  })

  test('named by the environment does not stand for a script, named by a person for everything', () => {
    const env = { TROUPE_MODEL: 'a/b' }
    expect(wishFor('scripted/x.yaml', { env })).toBeUndefined()
    expect(wishFor('x/y', { env })).toEqual({ model: 'a/b', word: 'TROUPE_MODEL' })
    expect(wishFor('scripted/x.yaml', { model: 'c/d', env })).toEqual({ model: 'c/d', word: '--model' })
    expect(wishFor('x/y', {})).toBeUndefined()
  })
})

describe('a team file that was changed', () => {
  const changed = (file: string, workers: object, more: object = {}): void =>
    writeFileSync(file, stringify({ model: 'scripted/script.yaml', ...duo(), workers, ...more }))
  const { ana } = duo().workers
  const bo = { description: 'Writes.', prompt: 'You write.' }

  test('is told, and changes nothing unless that is wished', async () => {
    const { dir, how, notes, file } = await interrupted()
    changed(file, { ana: { ...ana, prompt: 'You look twice.' }, bo }, { budget: { turns: 50 } })
    const run = await resumeTeam(dir, how)
    expect((await run.result).status).toBe('completed')
    expect(notes).toEqual([
      `${file} differs from the team that the run began with, and --reload takes it: budget; ana: prompt; bo is new`,
    ])
    expect(lastFact(dir, 'team.changed')).toBeUndefined()
  })

  test('runs from now on when it is taken', async () => {
    const { dir, how, notes, file } = await interrupted()
    changed(file, { ana, bo }, { budget: { turns: 50 } })
    const run = await resumeTeam(dir, { ...how, reload: true })
    const { status, members } = await run.result
    expect({ status, names: members.map(({ id }) => id) }).toEqual({
      status: 'completed',
      names: ['lead@duo', 'ana@duo', 'bo@duo'],
    })
    expect(notes).toEqual([expect.stringContaining('goes on with another team: budget; bo is new')])
  })

  test('is told in the same words as it was run: with the model and the dollars of its start', async () => {
    const { cwd, run, result } = await play({ ...duo(), budget: { usd: 9 } }, script('first'), {
      ...mode,
      budgetUsd: 3,
    })
    await expect.poll(() => existsSync(join(cwd, 'begun'))).toBe(true)
    run.interrupt()
    await result
    writeFileSync(join(cwd, 'go'), '')
    const notes: string[] = []
    await (
      await resumeTeam(run.dir, { home: join(cwd, 'home'), env: bareEnv, onNote: (text) => notes.push(text) })
    ).result
    expect(notes).toEqual([])
  })

  test('is not taken without somebody who has worked, under another name, or with mistakes', async () => {
    const { dir, how, notes, file } = await interrupted()
    changed(file, { bo })
    await expect(resumeTeam(dir, { ...how, reload: true })).rejects.toThrow(/has no ana any more: put that back/)
    changed(file, { ana }, { name: 'trio' })
    await expect(resumeTeam(dir, { ...how, reload: true })).rejects.toThrow(/names another team or coordinator/)
    writeFileSync(file, 'name: duo\nworkers: 3\n')
    await expect(resumeTeam(dir, { ...how, reload: true })).rejects.toThrow(/workers/)
    expect((await (await resumeTeam(dir, how)).result).status).toBe('completed')
    expect(notes).toEqual([`${file} has mistakes by now; the run goes on with the team that it began with`])
  })
})

test('teamDifferences names members by what they have otherwise, and no hash', () => {
  const card = { name: 'ana', model: 'a/b', prompt: 'x' }
  const team = { name: 't', hash: '1', file: 'f', budget: {}, members: [card, { ...card, name: 'bo' }] }
  const other = { ...team, hash: '2', file: 'g', scope: ['.'], members: [{ ...card, model: 'c/d', prompt: 'y' }] }
  expect(teamDifferences(team as unknown as ResolvedTeam, other as unknown as ResolvedTeam)).toEqual([
    'scope',
    'bo is gone',
    'ana: model (c/d, was a/b), prompt',
  ])
})
