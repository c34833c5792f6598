import { expect, test } from 'vitest'
import type { ModelRequest } from '../../../src/protocol/models/model.ts'
import type { Message } from '../../../src/protocol/conversation/message.ts'
import { textOf, userMessage } from '../../../src/protocol/conversation/message.ts'
import type { SeenCall } from '../../../src/protocol/middleware.ts'
import type { ToolOutput } from '../../../src/protocol/tools/tool.ts'
import type { Packaged } from '../../../src/protocol/tools/around-work.ts'
import { packagedMiddleware, type PackagedParts } from '../../../src/runtime/middleware/packaged.ts'
import { newComplaints } from '../../../src/rules/tools/new-complaints.ts'

const { signal } = new AbortController()
const moment = { agent: 'ana', turn: 1, signal }
const kept: string[] = []
const parts: PackagedParts = {
  keep: (text: string) => `kept-${kept.push(text)}`,
  run: () => Promise.resolve({ report: '' }),
}

function opened(one: Packaged, more: Partial<PackagedParts> = {}) {
  const [middleware] = packagedMiddleware([one], { ...parts, ...more })
  if (middleware === undefined) throw new Error('nothing was opened')
  return middleware
}

function results(text: string): Message {
  const result = { call_id: 'c', tool: 'Read', is_error: false, content: [{ type: 'text' as const, text }] }
  return { role: 'tool', results: [result] }
}

const calling = (tool: string, input: unknown = {}): SeenCall => ({ id: 'c', tool, input, counts: {} })
const said = (text: string): ToolOutput => ({ content: [{ type: 'text', text }] })

test('a short tail keeps the latest results, once all are longer than it says', async () => {
  const request: ModelRequest = {
    agent: 'ana',
    system: '',
    tools: [],
    messages: [userMessage('Go.'), results('a'.repeat(60)), results('b'.repeat(60)), results('c'.repeat(60))],
  }
  const shown = async (options: NonNullable<Packaged['short_tail']>): Promise<readonly string[]> => {
    const changed = await opened({ short_tail: options }).modifyRequest?.(request, moment)
    return (changed?.messages ?? []).flatMap((each) => (each.role === 'tool' ? each.results.map(textOf) : []))
  }
  const [left, , last] = await shown({ keep: 1, above: 100 })
  expect([left, last]).toEqual(['[left out: call the tool again if you need this]', 'c'.repeat(60)])
  expect((await shown({ keep: 0, above: 100 })).at(-1)).toContain('left out')
  expect(await shown({ keep: 5, above: 100 })).toEqual(['a'.repeat(60), 'b'.repeat(60), 'c'.repeat(60)])
  expect(await shown({ keep: 1, above: 1_000 })).toEqual(['a'.repeat(60), 'b'.repeat(60), 'c'.repeat(60)])
})

test('a long result is put into a file, but not that of a tool that is excepted', async () => {
  const { wrapToolCall } = opened({ persist_results: { above: 3_000, except: ['Read'] } })
  const long = said('x'.repeat(4_000))
  const shown = async (tool: string) =>
    textOf((await wrapToolCall?.(calling(tool), async () => long, moment)) ?? said(''))
  expect(await shown('Grep')).toBe(`${'x'.repeat(2_000)}\n[The whole result, 4000 characters, is in kept-1.]`)
  expect(kept).toEqual(['x'.repeat(4_000)])
  expect(await shown('Read')).toHaveLength(4_000)
})

test('an equal call has the latest result again, unless that was an error', async () => {
  const { gateToolCall, wrapToolCall } = opened({ dedup_tools: { tools: ['Probe'] } })
  const given = (tool: string, input: unknown) => gateToolCall?.(calling(tool, input), moment)
  const make = (input: unknown, output: ToolOutput, tool = 'Probe') =>
    wrapToolCall?.(calling(tool, input), async () => output, moment)
  await make({ n: 1 }, said('one'))
  expect(given('Probe', { n: 1 })).toEqual({ result: said('one') })
  expect([given('Probe', { n: 2 }), given('Other', { n: 1 })]).toEqual([undefined, undefined])
  await make({ n: 2 }, { ...said('broken'), isError: true })
  expect(given('Probe', { n: 2 })).toBeUndefined()
})

test('what was answered before another tool ran, or while it ran, is not the answer after it', async () => {
  const { gateToolCall, wrapToolCall } = opened({ dedup_tools: { tools: ['Probe'] } })
  const given = () => gateToolCall?.(calling('Probe'), moment)
  const make = (tool: string, output: Promise<ToolOutput>) => wrapToolCall?.(calling(tool), () => output, moment)
  await make('Probe', Promise.resolve(said('one')))
  await make('Edit', Promise.resolve(said('edited')))
  expect(given()).toBeUndefined()
  await make('Probe', Promise.resolve(said('two')))
  await expect(make('Bash', Promise.reject(new Error('broke half-way')))).rejects.toThrow('half-way')
  expect(given()).toBeUndefined()
  const [slow, shell] = [Promise.withResolvers<ToolOutput>(), Promise.withResolvers<ToolOutput>()]
  const both = [make('Probe', slow.promise), make('Bash', shell.promise)]
  shell.resolve(said('changed'))
  await both[1]
  slow.resolve(said('from before the change'))
  await both[0]
  expect(given()).toBeUndefined()
})

test('a checker that fails gives no measure: the edit is told that, and old complaints are not told as new', async () => {
  const old = 'a.ts(1,1): old'
  const runs = [
    { trouble: '[stopped after 30 s]' },
    { report: old },
    { trouble: 'Not permitted.' },
    { report: `${old}\nb.ts(1,1): new` },
  ]
  const run = () => Promise.resolve(runs.shift() ?? { report: '' })
  const { wrapToolCall } = opened({ diagnostics: { command: 'check' } }, { run })
  const file = { path: '/a.ts', sha256: '', wrote: true }
  const edited = async () =>
    textOf((await wrapToolCall?.(calling('Edit'), async () => ({ ...said('Edited.'), file }), moment)) ?? said(''))
  expect(await edited()).toBe('Edited.')
  expect(await edited()).toBe('Edited.\n`check` did not run to its end: Not permitted.')
  expect(await edited()).toBe('Edited.\n`check` complains since this edit:\nb.ts(1,1): new')
  expect(runs).toEqual([])
})

test('a complaint is new when it was not there before, wherever it stands now', () => {
  const before = 'a.ts(1,1): error TS1: old\nb.ts(4,2): error TS2: twice'
  const after =
    'a.ts(9,1): error TS1: old\nb.ts(4,2): error TS2: twice\nb.ts(8,2): error TS2: twice\n\nc.ts(1,1): error TS3: new'
  expect(newComplaints(before, after)).toEqual(['b.ts(8,2): error TS2: twice', 'c.ts(1,1): error TS3: new'])
  expect(newComplaints(after, before)).toEqual([])
})
