import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/runtime/actors/clock.ts'
import { openMailbox } from '../../src/runtime/mail/open-mailbox.ts'
import { continueTeam } from '../../src/runtime/run/continue-team.ts'
import { forkRun } from '../../src/runtime/run/fork-run.ts'
import { resumeTeam } from '../../src/runtime/run/resume-team.ts'
import { endOf, recordOfRun, summariseRuns } from '../../src/runtime/runs/read-runs.ts'
import { stopRun } from '../../src/runtime/upkeep/stop-run.ts'
import { bareEnv } from '../support/bare-env.ts'
import { play } from './support/stage.ts'

const look = { description: 'Looks.', prompt: 'You look.' }
const solo = { name: 'solo', coordinator: { prompt: 'You work alone.' }, workers: { ana: look } }
const talk = { lead: { steps: [{ say: 'One.' }] } }

/** A run that can be led on, and what it takes. */
async function interrupted() {
  const { cwd, run, result } = await play(solo, talk)
  await result
  const home = join(cwd, 'home')
  const [start] = recordOfRun(run.dir).recorded.filter(({ entry }) => entry.type === 'team.started')
  const dir = forkRun(run.dir, { at: start?.entry.id ?? '', home, clock: systemClock() })
  return { cwd, dir, how: { home, env: bareEnv } }
}

describe.each([['0'], ['3'], ['"one"'], [undefined]])('a run with spec %s', (spec) => {
  test('is refused in words that name it, by everybody who would write', async () => {
    const { cwd, dir, how } = await interrupted()
    const file = join(dir, 'run.json')
    const text = readFileSync(file, 'utf8')
    expect(text).toContain('"spec": 2,')
    writeFileSync(file, text.replace('"spec": 2,', spec === undefined ? '' : `"spec": ${spec},`))
    const words = `its run.json has ${spec === undefined ? 'no spec' : `spec ${spec}`}, and this version reads spec 1 and 2`
    await expect(resumeTeam(dir, how)).rejects.toThrow(words)
    await expect(continueTeam(dir, { ...how, text: 'Go on.' })).rejects.toThrow(words)
    await expect(stopRun({ run: dir, env: {}, reason: 'enough' })).rejects.toThrow(words)
    expect(() => openMailbox(dir, 'user', how)).toThrow(words)
    expect(summariseRuns(cwd).find((run) => run.dir === dir)?.problems).toEqual([expect.stringContaining(' spec')])
    expect(existsSync(join(dir, 'stopped.json'))).toBe(false)
  })
})

test('a run with spec 1 is read, and not led on', async () => {
  const { cwd, dir, how } = await interrupted()
  const file = join(dir, 'run.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace('"spec": 2,', '"spec": 1,'))
  expect(summariseRuns(cwd).find((run) => run.dir === dir)).toMatchObject({ state: 'interrupted', problems: [] })
  const words = 'has spec 1, and this version leads on spec 2'
  await expect(resumeTeam(dir, how)).rejects.toThrow(words)
  await expect(continueTeam(dir, { ...how, text: 'Go on.' })).rejects.toThrow(words)
  expect(endOf(dir)).toBeNull()
})

describe('a run whose surroundings are gone', () => {
  test('is refused while its folder is elsewhere, and led on when that is back', async () => {
    const { cwd, dir, how } = await interrupted()
    const away = `${cwd}-moved`
    renameSync(cwd, away)
    const moved = dir.replace(cwd, away)
    await expect(resumeTeam(moved, how)).rejects.toThrow(`works in ${cwd}, which is not there`)
    expect(endOf(moved)).toBeNull()
    renameSync(away, cwd)
    expect(await (await resumeTeam(dir, how)).result).toMatchObject({ status: 'completed', result: 'One.' })
  })

  test.each(['members', 'journal', 'mail'])('is refused without %s/', async (name) => {
    const { dir, how } = await interrupted()
    renameSync(join(dir, name), join(dir, 'away'))
    await expect(resumeTeam(dir, how)).rejects.toThrow(`has no ${name}/ any more`)
    renameSync(join(dir, 'away'), join(dir, name))
    expect(await (await resumeTeam(dir, how)).result).toMatchObject({ status: 'completed' })
  })
})
