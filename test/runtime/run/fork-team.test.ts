import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { noUsage } from '../../../src/protocol/conversation/message.ts'
import type { Model } from '../../../src/protocol/models/model.ts'
import { forkTeam, type ForkTeamOptions } from '../../../src/runtime/run/fork-team.ts'
import { forkWishes } from '../../../src/runtime/run/fork-wishes.ts'
import { resumeTeam } from '../../../src/runtime/run/resume-team.ts'
import { diffRuns } from '../../../src/runtime/reports/diff-runs.ts'
import { replayRun } from '../../../src/runtime/replay/replay-run.ts'
import { recordOfRun } from '../../../src/runtime/runs/read-runs.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { play } from '../support/stage.ts'

const team = {
  name: 'duo',
  model: 'acme/first',
  coordinator: { prompt: 'You lead.' },
  workers: { ana: { description: 'Looks.', prompt: 'Tell all.', tools: ['LS'] } },
}

/** Asks ana for the task as its lead, and says as ana how it was prompted. */
const asked = (name: string): Model => ({
  name: `acme/${name}`,
  async *stream({ agent, system, messages, tools }) {
    const isFirst = !messages.some(({ role }) => role === 'assistant')
    const input = { subtasks: [{ worker: 'ana', task: 'Look.' }] }
    const told = `${name}: ${/Tell all\.|Be brief: yes\./.exec(system)?.[0]} ${tools.map((tool) => tool.name).join()}`
    const content =
      agent === 'lead' && isFirst
        ? [{ type: 'tool_use' as const, id: 'call-1', name: 'Delegate', input }]
        : [{ type: 'text' as const, text: agent === 'ana' ? told : JSON.stringify(messages) }]
    const stop = content[0]?.type === 'text' ? ('end' as const) : ('tools' as const)
    yield { type: 'settled', message: { role: 'assistant', content, model: `acme/${name}`, stop, usage: noUsage } }
  },
})

async function ran() {
  const providers = { acme: asked }
  const { cwd, run, result } = await play(team, {}, { providers })
  await result
  const how = { home: join(cwd, 'home'), env: bareEnv, providers }
  const { recorded } = recordOfRun(run.dir)
  const at = (type: string): string => recorded.find(({ entry }) => entry.type === type)?.entry.id ?? ''
  const fork = async (wishes: readonly string[], more: Partial<ForkTeamOptions> = {}) =>
    forkTeam(run.dir, { at: at('request.opened'), ...how, ...forkWishes(wishes), ...more })
  const answer = async (dir: string) => (await (await resumeTeam(dir, how)).result).result
  return { cwd, dir: run.dir, how, at, fork, answer, file: join(cwd, 'teams', 'team.yaml') }
}

const changesIn = (dir: string) =>
  recordOfRun(dir).recorded.flatMap(({ entry }) => (entry.type === 'team.changed' ? entry.changes : []))

test('a fork has another prompt, other tools and another model, and the run that it came from keeps its own', async () => {
  const { dir, fork, answer } = await ran()
  const other = await fork(['ana.prompt=Be brief: yes.', 'workers.ana.tools=[LS, Read]', 'ana.model=acme/second'])
  expect(changesIn(other)).toEqual(['ana: prompt, tools, model (acme/second, was acme/first)'])
  expect(await answer(other)).toMatch(/second: Be brief: yes\. LS,Read/)
  expect(diffRuns(dir, other).team).toEqual(changesIn(other))
  expect(changesIn(dir)).toEqual([])
  expect((await replayRun(other)).identical).toBe(true)
  const third = await forkTeam(other, {
    at: recordOfRun(other).recorded.find(({ entry }) => entry.type === 'request.opened')?.entry.id ?? '',
    home: join(dirname(dir), 'home'),
    env: bareEnv,
    providers: { acme: asked },
    ...forkWishes(['model=acme/third', 'ana.max_turns=3']),
  })
  expect(changesIn(third)).toEqual([
    'lead: model (acme/third, was acme/first)',
    'ana: model (acme/third, was acme/second), max_turns',
  ])
})

test('a fork lasts from its own beginning', async () => {
  const { dir, fork, how } = await ran()
  const other = await fork(['ana.max_turns=3'])
  const { created } = JSON.parse(readFileSync(join(other, 'run.json'), 'utf8')) as { created: number }
  const { duration_ms } = await (await resumeTeam(other, how)).result
  const most = Date.now() - created
  expect(duration_ms).toBeLessThanOrEqual(most)
  expect(diffRuns(dir, other).b.duration_ms).toBeLessThanOrEqual(most)
})

test('a fork from before the lead read its task can have another task', async () => {
  const { dir, fork, answer } = await ran()
  const told = /lead had its task by \S+: another one needs --at (\S+) or earlier/
  const refusal = await fork(['task=Look elsewhere.']).catch(String)
  expect(refusal).toMatch(told)
  const other = await fork(['task=Look elsewhere.'], { at: told.exec(refusal)?.[1] ?? '' })
  expect(changesIn(other)).toEqual(['task'])
  expect(await answer(other)).toContain('Look elsewhere.')
  expect((await replayRun(other)).identical).toBe(true)
  expect(recordOfRun(dir).recorded.some(({ entry }) => 'task' in entry && entry.task === 'Look elsewhere.')).toBe(false)
})

test('a wish that is wrong is named, and nothing is made', async () => {
  const { dir, fork, file } = await ran()
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['ana.promt=x', /--with ana\.promt.*unknown_key unknown key "promt" in workers\.ana.*did you mean "prompt"/s],
    ['anna.prompt=x', /--with anna\.prompt.*no member is called "anna".*did you mean "ana"/s],
    ['epi.prompt=x', /--with epi\.prompt.*no member is called "epi".*members: lead, ana/s],
    ['ana.tools=LS', /workers\.ana\.tools must be a list, not text/],
    ['ana.tools=[Raed]', /there is no tool "Raed".*did you mean Read/s],
    ['ana.max_turns=0', /workers\.ana\.max_turns must be/],
    ['ana.model=nobody/x', /nobody/],
    ['lead.gather.wait=al', /coordinator\.gather\.wait must be one of.*did you mean "all"/s],
    ['ana.prompt=Tell all.', /the team has ana\.prompt so already/],
    ['ana.prompt', /no KEY=VALUE/],
    ['model=3', /model needs a text/],
  ]
  for (const [wish, message] of wrong) {
    await expect(fork([wish])).rejects.toThrow(message)
  }
  const drifted = readFileSync(file, 'utf8').replace('Looks.', 'Looks around.')
  writeFileSync(file, drifted)
  await expect(fork(['ana.prompt=Be brief: yes.'])).rejects.toThrow(/differs .*ana: description.*--reload/)
  expect(readdirSync(dirname(dir))).toHaveLength(1)
  const both = await fork(['ana.prompt=Be brief: yes.'], { reload: true })
  expect(changesIn(both)).toEqual(['ana: description, prompt'])
})
