import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { snippetsOf } from './snippets.ts'
import { openWorkbench } from './workbench.ts'

const page = 'docs/how-to/wrap-agents.md'

/** Plays each example of the page with a model that says what it is told to, and prints what the model was asked. */
const player = `
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createAgent, defineTool, z } from 'troupe'
import { files, skills, memory, shortTail, steps, spans, evict, toolOutputBudget, toolBudgets, thinkingDecay, dedupReads, requireReadBeforeEdit, once, Large } from './examples.ts'

const usage = { input: 1, output: 1, cache_read: 0, cache_write: 0 }
const say = (text) => ({ role: 'assistant', model: 'own/m', content: [{ type: 'text', text }], stop: 'end', usage })
let made = 0
const call = (name, input = {}) => ({ role: 'assistant', model: 'own/m', content: [{ type: 'tool_use', id: 'c' + (made += 1), name, input }], stop: 'tools', usage })

async function play(options, answers) {
  const requests = []
  const model = { name: 'own/m', async *stream(request) {
    requests.push(structuredClone({ ...request, tools: request.tools.map(({ name }) => name) }))
    yield { type: 'settled', message: answers[requests.length - 1] ?? say('Done.') }
  } }
  const agent = createAgent({ model, env: {}, home: process.cwd(), ...options })
  const result = await agent.run('Begin.').result
  agent.close()
  const results = requests.at(-1).messages.flatMap((message) => message.role === 'tool' ? message.results.map((each) => each.content[0].text) : [])
  return { requests, result, results }
}
let probed = 0
const Probe = defineTool({ name: 'Probe', description: 'Probes.', input: z.strictObject({}), effect: 'none', run: async () => ({ content: [{ type: 'text', text: 'probe ' + (probed += 1) + ' '.repeat(60) }] }) })

{ const { results, requests } = await play({ middleware: [files(new Map([['a', 'text of a']]))] }, [call('ReadFile', { path: 'a' })])
  assert.deepEqual(results, ['text of a']); assert.deepEqual(requests[0].tools, ['ReadFile']) }
{ const { results, requests } = await play({ system: 'You work.', middleware: [skills({ pdf: 'How to.' })] }, [call('OpenSkill', { name: 'pdf' })])
  assert.deepEqual(results, ['How to.']); assert.equal(requests[0].system, 'You work.\\n\\nSkills: pdf') }
{ let text = 'one'; const { requests } = await play({ tools: [Probe], middleware: [memory(() => text + (text = 'two', ''))] }, [call('Probe')])
  assert.match(requests[0].system, /one/); assert.match(requests[1].system, /two/); assert.doesNotMatch(requests[1].system, /one/) }
{ const { requests } = await play({ tools: [Probe], middleware: [shortTail(1)] }, [call('Probe'), call('Probe')])
  const said = requests[2].messages.filter(({ role }) => role === 'tool').map((message) => message.results[0].content[0].text)
  assert.match(said[0], /left out/); assert.match(said[1], /^probe/) }
{ const list = []; const layer = steps(list); await play({ middleware: [layer] }, [call('Steps', { steps: ['a', 'b'] })])
  assert.deepEqual(list, ['a', 'b']); const { requests } = await play({ middleware: [layer] }, []); assert.match(requests[0].system, /Steps so far: a; b/) }
{ const seen = []; await play({ tools: [Probe], middleware: [spans((span) => seen.push(span))] }, [call('Probe')])
  assert.deepEqual(seen, ['llm.call 1 tools', 'tool.call Probe ok', 'llm.call 2 end']) }
{ const put = []; const { results } = await play({ tools: [Large], middleware: [evict(100, (text) => (put.push(text), 'a file'))] }, [call('Large')])
  assert.ok(results[0].length < 200); assert.match(results[0], /The whole is in a file/); assert.ok(put[0].length > 1000) }
{ const { results } = await play({ tools: [Probe], ...toolBudgets }, [call('Probe'), call('Probe')])
  assert.match(results[0], /^probe/); assert.doesNotMatch(results[1], /^probe/) }
{ const { requests } = await play({ tools: [Probe], ...thinkingDecay }, [call('Probe'), call('Probe')])
  assert.deepEqual(requests.map(({ thinking_budget }) => thinking_budget), [8000, 4000, 2000]) }
{ const { requests } = await play({ tools: [Probe], ...toolOutputBudget, turnOutput: 20 }, [call('Probe')])
  assert.notEqual(requests[1].messages.at(-1).role, 'tool'); assert.equal(toolOutputBudget.turnOutput, 40000) }
{ const before = probed; const { results } = await play({ tools: [Probe], middleware: [once()] }, [call('Probe'), call('Probe')])
  assert.equal(probed, before + 1); assert.equal(results[0], results[1]) }
{ const { results } = await play({ tools: [Large], runDir: 'kept' }, [call('Large')])
  assert.ok(results[0].length < 10000); assert.match(results[0], /kept/) }
const text = (text) => ({ content: [{ type: 'text', text }] })
const Look = defineTool({ name: 'Look', description: 'Reads.', input: z.strictObject({ path: z.string() }), effect: 'none', run: async ({ path }) => text(readFileSync(path, 'utf8')) })
const Change = defineTool({ name: 'Change', description: 'Writes.', input: z.strictObject({ path: z.string(), to: z.string() }), effect: 'none', run: async ({ path, to }) => (writeFileSync(path, to), text('Changed to ' + to)) })
const path = process.cwd() + '/a.txt'
{ writeFileSync(path, 'one'); const { results } = await play({ tools: [Look, Change], middleware: [dedupReads('Look')] },
    [call('Look', { path }), call('Look', { path }), call('Change', { path, to: 'two' }), call('Look', { path })])
  assert.deepEqual(results, ['one', 'The file is as you read it.', 'Changed to two', 'two']) }
{ writeFileSync(path, 'one'); const guard = requireReadBeforeEdit('Look', 'Change')
  const behind = { name: 'behind', gateToolCall: ({ input }) => { if (input.to === 'four') writeFileSync(path, 'by another') } }
  const { results } = await play({ tools: [Look, Change], middleware: [behind, guard] },
    [call('Change', { path, to: 'zero' }), call('Look', { path }), call('Change', { path, to: 'two' }), call('Change', { path, to: 'three' }), call('Change', { path, to: 'four' })])
  assert.match(results[0], /Read the file as it is now/); assert.deepEqual(results.slice(1, 4), ['one', 'Changed to two', 'Changed to three'])
  assert.match(results[4], /Read the file as it is now/); assert.equal(readFileSync(path, 'utf8'), 'by another') }
console.log('all played')
`

test('each example of the page does what the page says', async () => {
  const bench = openWorkbench()
  const dir = join(bench.dir, 'examples')
  mkdirSync(dir)
  const examples = snippetsOf(page, readFileSync(page, 'utf8')).filter(({ note }) => note === 'example')
  expect(examples).toHaveLength(10)
  const withPath = (text: string): string => text.replaceAll(`'troupe'`, `'${resolve('src/index.ts')}'`)
  const body = examples.map(({ text }) => text.replace(/^import .* 'troupe'$/gm, '')).join('\n')
  const head = `import { defineTool, z, type AgentOptions, type Middleware, type ToolOutput } from 'troupe'\n`
  writeFileSync(join(dir, 'examples.ts'), withPath(head + body))
  writeFileSync(join(dir, 'player.ts'), withPath(player))
  try {
    const ran = await execa(process.execPath, ['player.ts'], { cwd: dir, all: true, reject: false })
    expect({ exitCode: ran.exitCode, all: ran.all }).toEqual({ exitCode: 0, all: 'all played' })
  } finally {
    bench.remove()
  }
})
