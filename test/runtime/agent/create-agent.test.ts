import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createAgent, defineTool, type AgentEvent, type AgentOptions, type Model } from '../../../src/index.ts'
import { bash } from '../../../src/adapters/tools/shell/bash.ts'
import { grep } from '../../../src/adapters/tools/search/grep.ts'
import { read } from '../../../src/adapters/tools/files/read.ts'
import { readJournal } from '../../../src/adapters/sessions/read-journal.ts'
import { tempDir } from '../support/stage.ts'

const weather = defineTool({
  name: 'Weather',
  description: 'Says the weather of a town.',
  input: z.strictObject({ town: z.string() }),
  effect: 'none',
  isReadOnly: () => true,
  run: async ({ town }) => ({ content: [{ type: 'text', text: `${town}: dry` }] }),
})

function scripted(steps: string, more: Partial<AgentOptions> = {}) {
  const cwd = tempDir()
  writeFileSync(join(cwd, 'answers.yaml'), `agents:\n  agent:\n    steps:\n${steps}`)
  return createAgent({ model: 'scripted/answers.yaml', cwd, home: cwd, env: {}, ...more })
}

const asksOnce = `
      - calls: [{ tool: Weather, input: { town: Bern }, as: w }]
      - say: "It is {{w.text}}."
      - say: "Still dry."
`

async function eventsOf(run: AsyncIterable<AgentEvent>): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = []
  for await (const event of run) events.push(event)
  return events
}

test('a run tells its story in order and ends with its text', async () => {
  const agent = scripted(asksOnce, { tools: [weather] })
  const run = agent.run('How is Bern?')
  const events = await eventsOf(run)
  const story = events
    .filter(({ type }) => type !== 'text.delta' && type !== 'fact')
    .map(({ type, turn }) => `${turn} ${type}`)
  expect(story).toEqual([
    '1 request.start',
    '1 tool.dispatch',
    '1 tool.result',
    '1 turn.continued',
    '2 request.start',
    '2 complete',
  ])
  const said = events.flatMap((event) => (event.type === 'text.delta' ? [event.text] : []))
  expect(said.join('')).toBe('It is Bern: dry.')
  const dispatched = { type: 'tool.dispatch', call_id: 'agent-1-1', tool: 'Weather', input: { town: 'Bern' } }
  expect(events).toContainEqual(expect.objectContaining({ ...dispatched, turn: 1, run: 'agent-1', depth: 0 }))
  expect(await run.result).toEqual({
    text: 'It is Bern: dry.',
    reason: 'completed',
    turns: 2,
    usage: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
  })
})

test('usage is that of all its answers, what went into reasoning included', async () => {
  const usage = { input: 3, output: 20, cache_read: 1, cache_write: 0, reasoning: 12 }
  const calls = [{ type: 'tool_use', id: 'w', name: 'Weather', input: { town: 'Bern' } }] as const
  const model: Model = {
    name: 'test/thoughtful',
    async *stream({ messages }) {
      const content = messages.length === 1 ? [...calls] : [{ type: 'text' as const, text: 'Dry.' }]
      yield { type: 'settled', message: { role: 'assistant', model: 'test/thoughtful', content, stop: 'end', usage } }
    },
  }
  const run = createAgent({ model, tools: [weather], home: tempDir(), env: {} }).run('How is Bern?')
  const total = { input: 6, output: 40, cache_read: 2, cache_write: 0, reasoning: 24 }
  const ended = { type: 'complete', turn: 2, reason: 'completed', text: 'Dry.', usage: total }
  expect(await eventsOf(run)).toContainEqual(expect.objectContaining(ended))
  expect((await run.result).usage).toEqual(total)
})

test('a second run goes on in the same conversation, and waits for the first', async () => {
  const agent = scripted(asksOnce, { tools: [weather] })
  const first = agent.run('How is Bern?')
  const second = agent.run('And now?')
  expect((await second.result).text).toBe('Still dry.')
  expect((await first.result).text).toBe('It is Bern: dry.')
})

test('with a run directory the conversation is on disk and taken up again', async () => {
  const runDir = tempDir()
  const first = scripted(asksOnce, { tools: [weather], runDir })
  await first.run('How is Bern?').result
  first.close()
  const { entries, problems } = readJournal(join(runDir, 'agent.jsonl'))
  expect(problems).toEqual([])
  expect(entries.at(-1)?.type).toBe('agent.ended')
  const later = scripted(asksOnce, { tools: [weather], runDir })
  expect((await later.run('And now?').result).text).toBe('Still dry.')
  later.close()
})

test('an abort while the model speaks ends the run as aborted_streaming', async () => {
  const agent = scripted('      - { say: "Thinking …", hang: true }\n')
  const run = agent.run('Think.')
  for await (const event of run) if (event.type === 'text.delta') run.abort()
  expect(await run.result).toMatchObject({ reason: 'aborted_streaming' })
})

test('leaving the iteration early aborts the run', async () => {
  const agent = scripted('      - { say: "Thinking …", hang: true }\n')
  const run = agent.run('Think.')
  for await (const event of run) if (event.type === 'text.delta') break
  expect(await run.result).toMatchObject({ reason: 'aborted_streaming' })
})

test('a signal that was aborted before ends the run before it speaks', async () => {
  const agent = scripted('      - say: "Never said."\n')
  const run = agent.run('Speak.', { signal: AbortSignal.abort() })
  expect(await run.result).toMatchObject({ reason: 'aborted_streaming', text: '' })
})

test('what is steered in comes before the next model call, a follow-up after the last', async () => {
  const agent = scripted(
    `
      - calls: [{ tool: Weather, input: { town: Bern } }]
      - { expect: "In Celsius, please.", say: "Eight degrees." }
      - { expect: "Thanks.", say: "You are welcome." }
`,
    { tools: [weather] },
  )
  const run = agent.run('How is Bern?')
  run.followUp('Thanks.')
  for await (const event of run) if (event.type === 'tool.dispatch') run.steer('In Celsius, please.')
  expect(await run.result).toMatchObject({ text: 'You are welcome.', reason: 'completed' })
})

test('a model that cannot be opened rejects the result with what to do', async () => {
  const agent = createAgent({ model: 'anthropic/any', env: {} })
  await expect(agent.run('Hello.').result).rejects.toThrow('ANTHROPIC_API_KEY')
})

test('the model hears its own failures as events, the caller as a reason', async () => {
  const agent = scripted('      - fail: overloaded\n')
  const run = agent.run('Hello.')
  const events = await eventsOf(run)
  const told = events.map(({ type }) => type).filter((type) => type !== 'fact')
  expect(told).toEqual(['request.start', 'error', 'complete'])
  expect(await run.result).toMatchObject({ reason: 'failed', failure: { code: 'overloaded' } })
})

test('safe calls run at the same time, as many as are allowed', async () => {
  let running = 0
  let most = 0
  const gate = Promise.withResolvers<void>()
  const slow = defineTool({
    name: 'Slow',
    description: 'Takes its time.',
    input: z.strictObject({}),
    effect: 'none',
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    async run() {
      running += 1
      most = Math.max(most, running)
      if (running === 2) gate.resolve()
      await gate.promise
      running -= 1
      return { content: [] }
    },
  })
  const calls = `[${'{ tool: Slow, input: {} }, '.repeat(4)}]`
  const agent = scripted(`      - calls: ${calls}\n      - say: done\n`, { tools: [slow], maxParallelCalls: 2 })
  expect(await agent.run('Go.').result).toMatchObject({ text: 'done' })
  expect(most).toBe(2)
})

test('a tool that was looked up is there at the next request', async () => {
  const later = { ...weather, name: 'Tide', defer: true }
  const agent = scripted(
    `
      - calls: [{ tool: ToolSearch, input: { names: [Tide] } }]
      - calls: [{ tool: Tide, input: { town: Brest }, as: t }]
      - say: "{{t.text}}"
`,
    { tools: [later] },
  )
  expect(await agent.run('How is the tide?').result).toMatchObject({ reason: 'completed', text: 'Brest: dry' })
})

test('the whole of a long output may be read and searched where the result says it is', async () => {
  const runDir = tempDir()
  const whole = `${Array.from({ length: 20_000 }, (_, index) => `n${index + 1}`).join('\n')}\n`
  const path = join(runDir, 'artifacts', createHash('sha256').update(whole).digest('hex'))
  const steps = `
      - calls: [{ tool: Bash, input: { command: "seq -f 'n%.0f' 1 20000" } }]
      - expect: "characters are in ${path}"
        calls: [{ tool: Read, input: { file_path: ${path}, offset: 9000, limit: 1 }, as: r }]
      - calls: [{ tool: Grep, input: { pattern: 'n12345$', path: ${path}, output_mode: content }, as: g }]
      - say: "{{r.text}} | {{g.text}}"
`
  const agent = scripted(steps, {
    tools: [bash, read, grep],
    runDir,
    permissions: { allow: ['Bash'] },
    env: process.env,
  })
  const { text } = await agent.run('Count.').result
  expect(text).toBe(`  9000\tn9000\n[lines 9000-9000 of 20,000; go on with offset=9001] | ${path}:12345:n12345`)
})

test('what was looked up stays so in later runs, and in an agent that takes its journal up', async () => {
  const tools = [{ ...weather, name: 'Tide', defer: true }]
  const runDir = tempDir()
  const steps = `
      - calls: [{ tool: ToolSearch, input: { names: [Tide] } }]
      - say: "Found."
      - calls: [{ tool: Tide, input: { town: Brest }, as: t }]
      - say: "{{t.text}}"
      - calls: [{ tool: Tide, input: { town: Calais }, as: u }]
      - say: "{{u.text}}"
`
  const first = scripted(steps, { tools, runDir })
  expect((await first.run('Look.').result).text).toBe('Found.')
  expect((await first.run('Ask.').result).text).toBe('Brest: dry')
  first.close()
  expect((await scripted(steps, { tools, runDir }).run('Again.').result).text).toBe('Calais: dry')
})

test('a tool that was not looked up is not run, asked for, or counted; what else stands against it is said first', async () => {
  const later = { ...weather, name: 'Tide', defer: true }
  const steps = `
      - calls: [{ tool: Tide, input: { wrong: true }, as: t }]
      - say: "{{t.text}}"
`
  const told = async (more: object): Promise<string> =>
    (await scripted(steps, { tools: [later], ...more }).run('Go.').result).text
  expect(await told({})).toBe('Tide is not loaded yet: call ToolSearch with names ["Tide"] first.')
  expect(await told({ toolLimits: { Tide: { calls: 0, then: 'block' } } })).toBe(
    'Blocked: Tide may not be called in this run. Go on without it.',
  )
  expect(await told({ permissions: { deny: ['Tide'] } })).toMatch(/denied by/i)
})

test('agents made from the same options share what they can, and each sees the options as they stand when it runs', async () => {
  const cwd = tempDir()
  writeFileSync(join(cwd, 'answers.yaml'), `agents:\n  agent:\n    steps:\n${asksOnce}`)
  const tools = [] as (typeof weather)[]
  const permissions = { allow: ['Weather'], deny: [] as string[] }
  const options = { model: 'scripted/answers.yaml', cwd, home: cwd, env: {}, tools, permissions }
  const said = async (): Promise<string> => (await createAgent(options).run('How is Bern?').result).text
  expect(await said()).toContain('No such tool: Weather')
  tools.push(weather)
  expect(await said()).toBe('It is Bern: dry.')
  expect(await said()).toBe('It is Bern: dry.')
  permissions.deny.push('Weather')
  expect(await said()).toMatch(/denied|not permitted/i)
})

test('the conversation has a call under the name of its tool, whichever alias the model wrote', async () => {
  const agent = scripted(
    `
      - calls: [{ tool: read_file, input: { file_path: answers.yaml } }]
      - say: "Read."
`,
    { tools: [read] },
  )
  const run = agent.run('Read it.')
  const events = await eventsOf(run)
  expect(events.find(({ type }) => type === 'tool.dispatch')).toMatchObject({ tool: 'Read' })
  const dir = tempDir()
  const kept = scripted(
    '      - calls: [{ tool: read_file, input: { file_path: answers.yaml } }]\n      - say: "Read."\n',
    {
      tools: [read],
      runDir: dir,
    },
  )
  await kept.run('Read it.').result
  kept.close()
  const { entries } = readJournal(join(dir, 'agent.jsonl'))
  const named = entries.flatMap((entry) =>
    entry.type === 'message.appended' && entry.message.role === 'assistant'
      ? entry.message.content.flatMap((block) => (block.type === 'tool_use' ? [block.name] : []))
      : [],
  )
  expect(named).toEqual(['Read'])
})
