import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import type { Middleware } from '../../../src/protocol/middleware.ts'
import { textOf } from '../../../src/protocol/conversation/message.ts'
import { defineTool, z } from '../../../src/adapters/tools/define/define-tool.ts'
import { replayRun } from '../../../src/runtime/replay/replay-run.ts'
import { play } from '../support/stage.ts'

const probe = (ran: string[]) =>
  defineTool({
    name: 'Probe',
    description: 'Probes.',
    input: z.strictObject({ n: z.number() }),
    effect: 'none',
    run: async ({ n }) => {
      ran.push(String(n))
      return { content: [{ type: 'text', text: `probed ${n} ${'x'.repeat(40)}` }] }
    },
  })
const calls = (...inputs: readonly number[]) => inputs.map((n) => ({ tool: 'Probe', input: { n } }))
const delegation = { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Look.' }] } }] }
const lead = { steps: [delegation, { say: 'Done.' }] }

function team(more: object, ofTeam: object = {}) {
  const ana = { description: 'Looks.', prompt: 'You look.', tools: ['Probe', 'Write', 'Bash'], ...more }
  return { name: 'duo', coordinator: { prompt: 'You lead.' }, workers: { ana }, ...ofTeam }
}

function resultsOf(recorded: readonly Recorded[], owner = 'ana'): readonly string[] {
  return recorded.flatMap(({ owner: whose, entry }) =>
    whose === owner && entry.type === 'message.appended' && entry.message.role === 'tool'
      ? entry.message.results.map(textOf)
      : [],
  )
}

test('a team file names it, that of a member outside of that of the team', async () => {
  const ran: string[] = []
  const card = { middleware: [{ persist_results: { above: 20 } }] }
  const whole = team(card, { middleware: [{ dedup_tools: { tools: ['Probe'] } }] })
  const ana = { steps: [{ calls: calls(1) }, { calls: calls(1) }, { calls: calls(2) }, { say: 'Seen.' }] }
  const { run, recorded, result } = await play(
    whole,
    { lead, ana },
    { tools: [probe(ran)], rules: { allow: ['Probe'] } },
  )
  expect(await result).toMatchObject({ status: 'completed' })
  expect(ran).toEqual(['1', '2'])
  const [first = '', second] = resultsOf(recorded)
  expect(first).toContain('probed 1')
  expect(readFileSync(/is in (.*)\.\]/.exec(first)?.[1] ?? '', 'utf8')).toMatch(/^probed 1 x+$/)
  expect(second).toBe(first)
  expect((await replayRun(run.dir)).lives.flatMap(({ difference }) => difference ?? [])).toEqual([])
})

test('a program is told which workers its own does not reach: those in processes of their own', async () => {
  const own: Middleware = {
    name: 'own',
    modifyRequest: (request) => ({ ...request, system: `${request.system} Mine.` }),
  }
  const here = { description: 'Looks.', prompt: 'You look.', executor: 'in-process' }
  const both = { ...team({ tools: [], executor: 'process' }) }
  const whole = { ...both, workers: { ...both.workers, bo: here } }
  const script = { lead, ana: { steps: [{ say: 'Seen.' }] }, bo: { steps: [] } }
  const told = async (middleware: readonly Middleware[]) => {
    const { recorded, result } = await play(whole, script, { middleware })
    expect(await result).toMatchObject({ result: 'Done.' })
    return recorded.flatMap(({ entry }) => (entry.type === 'warning.raised' ? [entry.message] : []))
  }
  expect(await told([own])).toEqual([
    expect.stringMatching(/^the middleware own of the program does not run around ana: /),
  ])
  expect(await told([])).toEqual([])
})

test('a program puts its own around all members: words, tools, gates, ends', async () => {
  const [ran, said]: [string[], string[]] = [[], []]
  const own: Middleware = {
    name: 'own',
    beforeAgent: ({ agent }) => ({ tools: [probe(ran)], system: `Be brief, ${agent}.` }),
    modifyRequest(request) {
      said.push(`${request.agent}: ${request.system.includes(`Be brief, ${request.agent}.`)}`)
      return request
    },
    gateToolCall: ({ input }) => (JSON.stringify(input) === '{"n":2}' ? { block: 'Two is taken.' } : undefined),
    afterAgent: ({ agent, reason, text }) => void said.push(`${agent} ${reason}: ${text}`),
  }
  const ana = { steps: [{ calls: calls(1) }, { calls: calls(2) }, { say: 'Seen.' }] }
  const whole = team({ tools: ['Write'] })
  const { run, recorded, result } = await play(whole, { lead, ana }, { middleware: [own], rules: { allow: ['Probe'] } })
  expect(await result).toMatchObject({ status: 'completed', result: 'Done.' })
  expect(ran).toEqual(['1'])
  expect(resultsOf(recorded)[1]).toBe('Blocked by the middleware own: Two is taken.')
  expect(said).toContain('ana: true')
  expect(said).toContain('ana completed: Seen.')
  expect(said.some((each) => each.startsWith('lead completed'))).toBe(true)
  expect((await replayRun(run.dir)).lives.flatMap(({ difference }) => difference ?? [])).toEqual([])
})

test("a checker tells what it newly complains of after an edit, as the member's own Bash", async () => {
  const command = 'grep -Hn TODO *.txt || true'
  const writes = (file: string, content: string) => ({
    calls: [{ tool: 'Write', input: { file_path: file, content } }],
  })
  const ana = {
    steps: [writes('a.txt', 'one\nTODO two\n'), writes('b.txt', 'fine\n'), writes('c.md', 'TODO\n'), { say: 'Seen.' }],
  }
  const middleware = [{ diagnostics: { command, files: ['.txt'] } }]
  const scenery = {
    files: { 'old.txt': 'TODO old\n' },
    mode: 'acceptEdits' as const,
    rules: { allow: ['Bash(grep:*)', 'Bash(true)'] },
  }
  const { cwd, recorded, result } = await play(team({ middleware }), { lead, ana }, { ...scenery, tools: [probe([])] })
  expect(await result).toMatchObject({ status: 'completed' })
  const [first, second, third] = resultsOf(recorded)
  expect(first).toContain('complains since this edit:\na.txt:2:TODO two')
  expect(first).not.toContain('old.txt')
  expect(second).not.toContain('complains')
  expect(third).not.toContain('complains')
  expect(existsSync(join(cwd, 'c.md'))).toBe(true)
})

test('a checker is compared whole, whatever other middleware makes of a long or an equal call', async () => {
  const command = 'grep -Hn TODO *.txt || true'
  const write = { tool: 'Write', input: { file_path: 'p.txt', content: 'TODO new\n' } }
  const ana = { steps: [{ calls: [write] }, { say: 'Seen.' }] }
  const middleware = [
    { persist_results: { above: 2_000 } },
    { dedup_tools: { tools: ['Bash'] } },
    { diagnostics: { command } },
  ]
  const many = 'TODO old\n'.repeat(2_000)
  const { recorded, result } = await play(
    team({ middleware }),
    { lead, ana },
    {
      files: { 'old.txt': many, 'zold.txt': many },
      mode: 'acceptEdits',
      rules: { allow: ['Bash(grep:*)', 'Bash(true)'] },
      tools: [probe([])],
    },
  )
  expect(await result).toMatchObject({ status: 'completed' })
  expect(resultsOf(recorded)[0]).toMatch(/complains since this edit:\np\.txt:1:TODO new$/)
})

test('a checker that is content complains of nothing, and gates of a program hold for it', async () => {
  const writes = (content: string) => ({ calls: [{ tool: 'Write', input: { file_path: 'a.txt', content } }] })
  const ana = { steps: [writes('TODO\n'), writes('fine\n'), writes('TODO\n'), { say: 'Seen.' }] }
  const whole = team({ middleware: [{ diagnostics: { command: '! grep -Hn TODO *.txt' } }] })
  const scenery = { mode: 'acceptEdits' as const, rules: { allow: ['Bash(grep:*)'] }, tools: [probe([])] }
  const told = async (more: object): Promise<readonly string[]> => {
    const { recorded, result } = await play(whole, { lead, ana }, { ...scenery, ...more })
    expect(await result).toMatchObject({ status: 'completed' })
    return resultsOf(recorded).map((each) => each.split('\n').slice(1).join('\n'))
  }
  const [first, second, third] = await told({ files: { 'b.txt': 'fine\n' } })
  expect(first).toMatch(/complains since this edit:\na\.txt:1:TODO$/)
  expect(second).not.toContain('complains')
  expect(third).toMatch(/complains since this edit:\na\.txt:1:TODO$/)
  const gate: Middleware = {
    name: 'gate',
    gateToolCall: ({ tool }) => (tool === 'Bash' ? { block: 'No shell.' } : undefined),
  }
  const blocked = await told({ middleware: [gate] })
  expect(blocked[0]).toContain('did not run to its end: Blocked by the middleware gate: No shell.')
})

test('tools that a card defers are shown after a look-up, others from the beginning', async () => {
  const ana = {
    steps: [
      { calls: calls(1) },
      { calls: [{ tool: 'ToolSearch', input: { names: ['Probe'] } }] },
      { calls: calls(1) },
      { say: 'Seen.' },
    ],
  }
  const ran: string[] = []
  const card = { defer_tools: true, always_load: ['Write'] }
  const { recorded, result } = await play(
    team(card),
    { lead, ana },
    { tools: [probe(ran)], rules: { allow: ['Probe'] } },
  )
  await result
  const [first, , last] = resultsOf(recorded)
  expect(first).toContain('Probe is not loaded yet')
  expect(last).toContain('probed 1')
  expect(ran).toEqual(['1'])
})
