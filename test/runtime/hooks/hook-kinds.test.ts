import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../../src/adapters/tools/define/define-tool.ts'
import type { AgentEvent } from '../../../src/protocol/facts/run-event.ts'
import type { HookInput, HookTable } from '../../../src/protocol/hooks/hook.ts'
import type { Model, ModelRequest } from '../../../src/protocol/models/model.ts'
import { createAgent } from '../../../src/runtime/agent/create-agent.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { tempDir } from '../support/stage.ts'

/** Every kind of hook at an agent of the library. */

const noUsage = { input: 0, output: 0, cache_read: 0, cache_write: 0 }

/** A model that answers the agent with one call and then with words, and hooks with the texts that are given. */
function model(verdicts: readonly (string | object)[], asked: ModelRequest[] = []): Model {
  let [turns, hooks] = [0, 0]
  return {
    name: 'test/model',
    async *stream(request) {
      asked.push(request)
      const said = request.agent === 'hook' ? (verdicts[hooks++] ?? 'nothing') : null
      const calls =
        said === null && turns++ === 0 ? [{ type: 'tool_use', id: 'c1', name: 'Mark', input: { text: 'a' } }] : []
      const own = typeof said === 'object' && said !== null ? [{ type: 'tool_use', id: `h${hooks}`, ...said }] : []
      const uses = [...calls, ...own] as { type: 'tool_use'; id: string; name: string; input: unknown }[]
      const text = typeof said === 'string' ? said : 'done'
      const content = uses.length > 0 ? uses : [{ type: 'text' as const, text }]
      const stop = uses.length > 0 ? 'tools' : 'end'
      const message = { role: 'assistant', model: 'test/model', content, stop, usage: noUsage } as const
      yield { type: 'settled', message }
    },
  }
}

async function played(hooks: HookTable, verdicts: readonly (string | object)[] = []) {
  const cwd = tempDir()
  writeFileSync(join(cwd, 'notes.txt'), 'all tests pass\n')
  const marks: string[] = []
  const mark = defineTool({
    name: 'Mark',
    description: 'Marks.',
    input: z.strictObject({ text: z.string() }),
    effect: 'none',
    isReadOnly: () => true,
    async run({ text }) {
      marks.push(text)
      return { content: [{ type: 'text', text: `marked ${text}` }] }
    },
  })
  const asked: ModelRequest[] = []
  const own = { model: model(verdicts, asked), tools: [mark], hooks, cwd, home: cwd, env: bareEnv }
  const agent = createAgent({ ...own, permissions: { allow: ['Mark'] } })
  const run = agent.run('Mark a.')
  const events: AgentEvent[] = []
  for await (const event of run) events.push(event)
  const told = JSON.stringify(asked.findLast(({ agent: who }) => who === 'agent')?.messages)
  return { marks, told, asked, events, result: await run.result }
}

const beforeMark = (
  hook: HookTable['Stop'] extends readonly (infer Group)[] | undefined ? Group : never,
): HookTable => ({
  PreToolUse: [{ matcher: 'Mark', ...hook }],
})

test('a function sees the event of Claude Code, and its answer counts like any other', async () => {
  const seen: HookInput[] = []
  const deny = {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'not that',
    },
  }
  const run = (input: HookInput): object => {
    seen.push(input)
    return deny
  }
  const { marks, told } = await played(beforeMark({ hooks: [{ type: 'function', run }] }))
  expect(marks).toEqual([])
  expect(told).toContain('not that')
  expect(seen).toMatchObject([
    { hook_event_name: 'PreToolUse', tool_name: 'Mark', tool_input: { text: 'a' }, tool_use_id: 'c1' },
  ])
})

test('a function that throws, or changes what it was given, changes nothing', async () => {
  const spoil = (input: HookInput): void => {
    Object.assign(input['tool_input'] as object, { text: 'spoiled' })
    throw new Error('broken')
  }
  const { marks } = await played(beforeMark({ hooks: [{ type: 'function', run: spoil }] }))
  expect(marks).toEqual(['a'])
})

test('a function that ignores its time is left behind, and says no where it has to answer', async () => {
  const run = () => new Promise<never>(() => undefined)
  const hook = { type: 'function', run, timeout: 0.05, on_failure: 'deny' } as const
  const { marks, told } = await played(beforeMark({ hooks: [hook] }))
  expect(marks).toEqual([])
  expect(told).toContain('took longer than 0.05 s')
})

test('a prompt of a hook is answered by the model, beside the conversation', async () => {
  const hook = { type: 'prompt', prompt: 'Is ${tool_input.text} a secret? $ARGUMENTS' } as const
  const { marks, told, asked } = await played(beforeMark({ hooks: [hook] }), ['{"ok": false, "reason": "a secret"}'])
  expect(marks).toEqual([])
  expect(told).toContain('a secret')
  const question = asked.find(({ agent }) => agent === 'hook')
  expect(JSON.stringify(question?.messages)).toMatch(/Is a a secret\?.*PreToolUse/)
  expect(question?.tools).toEqual([])
})

test.each([
  ['consent', '{"ok": true}'],
  ['no verdict', 'I think so.'],
])('a prompt that gets %s stops nothing', async (_, verdict) => {
  const { marks } = await played(beforeMark({ hooks: [{ type: 'prompt', prompt: 'Safe?' }] }), [verdict])
  expect(marks).toEqual(['a'])
})

test('the end can be held up by a model, and an end that can never be allowed is not', async () => {
  const stop: HookTable = { Stop: [{ hooks: [{ type: 'prompt', prompt: 'Done?' }] }] }
  const held = await played(stop, ['{"ok": false, "reason": "go on"}', '{"ok": true}'])
  expect(held.told).toContain('go on')
  expect(held.result).toMatchObject({ reason: 'completed', turns: 2 })
  const never = await played(stop, ['{"ok": false, "reason": "no way", "impossible": true}'])
  expect(never.told).not.toContain('no way')
})

test('an agent of a hook reads files, starts nobody, and gives a verdict', async () => {
  const look = { name: 'Read', input: { file_path: 'notes.txt' } }
  const hook = { type: 'agent', prompt: 'Do all tests pass?' } as const
  const { marks, told, asked, events } = await played(beforeMark({ hooks: [hook] }), [
    look,
    '{"ok": false, "reason": "two fail"}',
  ])
  expect(marks).toEqual([])
  expect(told).toContain('two fail')
  const own = asked.filter(({ agent }) => agent === 'hook')
  expect(own[0]?.tools.map(({ name }) => name)).toEqual(['Read', 'Grep', 'Glob'])
  expect(JSON.stringify(own[1]?.messages)).toContain('all tests pass')
  const below = events.filter(({ depth }) => depth === 1)
  expect(new Set(below.map(({ member }) => member))).toEqual(new Set(['hook']))
  expect(below.map(({ type }) => type)).toEqual(expect.arrayContaining(['request.start', 'tool.result', 'complete']))
  const numbers = events.map(({ seq }) => seq)
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
})

test('an agent of a hook that never comes to a verdict is given up after fifty turns, and stops nothing', async () => {
  const look = (at: number): object => ({ name: 'Read', input: { file_path: 'notes.txt', offset: at + 1 } })
  const looks = Array.from({ length: 60 }, (_, at) => look(at))
  const { marks, asked } = await played(beforeMark({ hooks: [{ type: 'agent', prompt: 'Look.' }] }), looks)
  expect(marks).toEqual(['a'])
  expect(asked.filter(({ agent }) => agent === 'hook').length).toBeLessThanOrEqual(50)
})

test('words of a person pass hooks before a model reads them', async () => {
  const hooks: HookTable = {
    UserPromptSubmit: [{ hooks: [{ type: 'function', run: () => ({ decision: 'block', reason: 'no secrets' }) }] }],
  }
  const { asked, result } = await played(hooks)
  expect(asked).toEqual([])
  expect(result).toMatchObject({ reason: 'failed', failure: { code: 'refused' } })
  expect(result.failure?.message).toContain('no secrets')
})

test('hooks add to the prompt, to the beginning of a session, and after a batch of calls', async () => {
  const say = (text: string) => [{ hooks: [{ type: 'function', run: () => text } as const] }]
  const batch = { hookSpecificOutput: { hookEventName: 'PostToolBatch', additionalContext: 'batch seen' } }
  const { told, asked } = await played({
    UserPromptSubmit: say('on branch main'),
    SessionStart: say('be brief'),
    PostToolBatch: [{ hooks: [{ type: 'function', run: () => batch }] }],
  })
  expect(told).toContain('on branch main')
  expect(told).toContain('batch seen')
  expect(asked[0]?.system).toContain('be brief')
})

test('a table that is wrong is refused at once', () => {
  const hooks = { PreToolUse: [{ hooks: [{ type: 'function' }] }] } as unknown as HookTable
  expect(() => createAgent({ model: model([]), hooks, env: bareEnv })).toThrow(/hooks\.PreToolUse\.0\.hooks\.0/)
})
