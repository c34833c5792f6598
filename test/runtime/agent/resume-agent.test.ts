import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { createAgent, type AgentEvent, type AgentRun, type Entry } from '../../../src/index.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { tempDir } from '../support/stage.ts'
import { agentIn, cutBehind, journalIn, type Cast } from './cut-agent.ts'

const script = join(import.meta.dirname, 'agent-process.ts')

/** Kills a process whose agent is in the middle of a call. */
async function killedIn(dir: string, tool: string): Promise<void> {
  const child = spawn(process.execPath, [script, dir, tool], { env: bareEnv, stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  expect(await exit).toEqual([null, 'SIGKILL'])
}

/** A run that came to its end, cut off behind the first entry that fits; the returned tools note their calls. */
async function cutRun(fits: (entry: Entry) => boolean, more: Partial<Cast> = {}) {
  const dir = tempDir()
  const first = agentIn(dir, { run: async (name) => name.toLowerCase(), ...more })
  await first.run('Look, then change.').result
  first.close()
  cutBehind(dir, fits)
  const called: string[] = []
  const run = async (name: string): Promise<string> => {
    called.push(name)
    return `${name.toLowerCase()} again`
  }
  return { dir, called, agent: agentIn(dir, { run, ...more }) }
}

async function eventsOf(run: AgentRun | null): Promise<readonly AgentEvent[]> {
  if (run === null) throw new Error('nothing was left')
  const events: AgentEvent[] = []
  for await (const event of run) events.push(event)
  return events
}

const typesOf = (dir: string): readonly string[] => journalIn(dir).map(({ type }) => type)
const started =
  (tool: string) =>
  (entry: Entry): boolean =>
    entry.type === 'call.started' && entry.tool === tool
const answered = (entry: Entry): boolean => entry.type === 'message.appended' && entry.message.role === 'assistant'

test('a killed process leaves a call that changed something: the next one does not repeat it and tells the model', async () => {
  const dir = tempDir()
  await killedIn(dir, 'Change')
  const called: string[] = []
  const agent = agentIn(dir, {
    async run(name) {
      called.push(name)
      return name
    },
  })
  const run = agent.resume()
  const { text, reason } = (await run?.result) ?? {}
  expect(reason).toBe('completed')
  expect(text).toMatch(/^Look \| Interrupted: .*Whether it took effect is unknown/)
  expect(called).toEqual(['Look'])
  expect(typesOf(dir).filter((type) => type === 'agent.ended')).toHaveLength(1)
  expect(journalIn(dir).filter(started('Change'))).toHaveLength(1)
  agent.close()
})

test('a killed process leaves a call that only looks: it is made again, and what follows it for the first time', async () => {
  const dir = tempDir()
  await killedIn(dir, 'Look')
  const agent = agentIn(dir, { run: async (name) => `${name} done` })
  const events = await eventsOf(agent.resume())
  const { text } = await agent.run('Once more.').result
  expect(events.at(-1)).toMatchObject({ type: 'complete', text: 'Look done | Change done' })
  expect(text).toBe('And more.')
  agent.close()
})

test('a call that had not begun is made, and its events tell of it', async () => {
  const { agent, called } = await cutRun(answered)
  const events = await eventsOf(agent.resume())
  expect(called).toEqual(['Look', 'Change'])
  const told = events.filter(({ type }) => type.startsWith('tool.') || type === 'complete')
  expect(told).toMatchObject([
    { type: 'tool.dispatch', tool: 'Look', input: {} },
    { type: 'tool.dispatch', tool: 'Change', input: {} },
    { type: 'tool.result' },
    { type: 'tool.result' },
    { type: 'complete', text: 'look again | change again' },
  ])
})

test('a prompt that nobody answered is answered, and said once', async () => {
  const { agent, dir } = await cutRun(({ type }) => type === 'model.requested')
  expect((await agent.resume()?.result)?.text).toBe('look again | change again')
  const prompts = journalIn(dir).filter((entry) => entry.type === 'message.appended' && entry.message.role === 'user')
  expect(prompts).toHaveLength(1)
})

test('a new prompt comes behind the results of the calls that were left', async () => {
  const { agent, dir } = await cutRun(started('Change'))
  expect((await agent.run('And then?').result).text).toMatch(/^look again \| Interrupted/)
  const roles = journalIn(dir).flatMap((entry) => (entry.type === 'message.appended' ? [entry.message.role] : []))
  expect(roles).toEqual(['user', 'assistant', 'tool', 'user', 'assistant'])
  expect(agent.resume()).toBeNull()
})

test('there is nothing to go on with for a new agent, after an end, or without a run directory', async () => {
  const dir = tempDir()
  const first = agentIn(dir, { run: async (name) => name })
  expect(first.resume()).toBeNull()
  await first.run('Look, then change.').result
  first.close()
  expect(agentIn(dir, { run: async (name) => name }).resume()).toBeNull()
  expect(createAgent({ model: 'scripted/answers.yaml', cwd: dir, home: dir, env: {} }).resume()).toBeNull()
})

test('the work that is left is gone on with once', async () => {
  const { agent } = await cutRun(answered)
  const run = agent.resume()
  expect(agent.resume()).toBeNull()
  await run?.result
})

test('limits count the calls of the process that was killed', async () => {
  const toolLimits = { Look: 1 }
  const { agent } = await cutRun(started('Look'), { toolLimits })
  expect((await agent.resume()?.result)?.text).toBe('look again | change again')
  const later = await cutRun(({ type }) => type === 'model.settled', {
    toolLimits: { Look: 1, Change: 0 },
  })
  expect((await later.agent.resume()?.result)?.text).toMatch(/^look again \| Blocked/)
})

test('an abort while calls are settled ends the run', async () => {
  const { agent } = await cutRun(answered)
  const run = agent.resume()
  run?.abort()
  expect(await run?.result).toMatchObject({ reason: 'aborted_streaming' })
})

test('work that was never checked is said once more, and then checked', async () => {
  const fits = (entry: Entry): boolean =>
    entry.type === 'message.appended' && entry.message.role === 'assistant' && entry.message.stop === 'end'
  const permissions = { allow: ['Look', 'Change', 'Bash'] }
  const { agent, dir } = await cutRun(fits, { verify: 'true', permissions })
  expect(await agent.resume()?.result).toMatchObject({ reason: 'verified', text: 'And more.' })
  expect(JSON.stringify(journalIn(dir))).toContain('Interrupted: the process ended before this work was checked.')
})

test('the stronger model that had the work goes on with it', async () => {
  const dir = tempDir()
  const write = (name: string, steps: readonly object[]): void =>
    writeFileSync(join(dir, name), stringify({ agents: { agent: { steps } } }))
  write('weak.yaml', [{ say: 'STRONGER MODEL NEEDED: It is too hard.' }])
  write('strong.yaml', [{ say: 'Strong.' }, { say: 'Strong.' }])
  const options = { model: 'scripted/weak.yaml', escalate: 'scripted/strong.yaml', cwd: dir, home: dir, env: {} }
  const first = createAgent({ ...options, runDir: dir })
  await first.run('Try.').result
  first.close()
  cutBehind(dir, ({ type }) => type === 'model.escalated')
  const run = createAgent({ ...options, runDir: dir }).resume()
  expect((await run?.result)?.text).toBe('Strong.')
  const asked = journalIn(dir).flatMap((entry) => (entry.type === 'model.requested' ? [entry.model] : []))
  expect(asked.at(-1)).toBe('scripted/strong.yaml')
})

test('what recovery does reaches the journal and the events', async () => {
  const dir = tempDir()
  const steps = [{ say: 'Answered.' }]
  writeFileSync(join(dir, 'other.yaml'), stringify({ agents: { agent: { steps } } }))
  writeFileSync(join(dir, 'busy.yaml'), stringify({ agents: { agent: { steps: [{ fail: 'overloaded' }] } } }))
  const agent = createAgent({
    model: 'scripted/busy.yaml',
    fallback: ['scripted/other.yaml'],
    cwd: dir,
    home: dir,
    env: {},
    runDir: dir,
  })
  const events = await eventsOf(agent.run('Hello.'))
  agent.close()
  expect(typesOf(dir)).toContain('model.fell_back')
  const told = events.filter(({ type }) => type !== 'fact')
  expect(told.map(({ type, ...event }) => ('reason' in event ? `${type} ${event.reason}` : type))).toEqual([
    'request.start',
    'text.reset',
    'turn.continued model_fallback',
    'request.start',
    'text.delta',
    'complete completed',
  ])
})

test('a torn last line is set aside and said in the journal', async () => {
  const { agent, dir } = await cutRun(answered)
  agent.close()
  appendFileSync(join(dir, 'agent.jsonl'), '{"v":1,"type":"message.app')
  const next = agentIn(dir, { run: async (name) => name })
  expect((await next.resume()?.result)?.text).toBe('Look | Change')
  expect(journalIn(dir)).toContainEqual(expect.objectContaining({ type: 'warning.raised', code: 'journal_torn' }))
})
