import { createHook } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../../src/adapters/tools/define/define-tool.ts'
import type { Model } from '../../../src/protocol/models/model.ts'
import type { AgentOptions } from '../../../src/runtime/agent/agent-options.ts'
import { createAgent } from '../../../src/runtime/agent/create-agent.ts'
import type { RunTeamOptions } from '../../../src/runtime/run/run-team.ts'
import { systemClock } from '../../../src/runtime/actors/clock.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { factsOf, play, tempDir } from '../support/stage.ts'

/** An agent for which no hook and no middleware is configured pays nothing for them. */

function model(): Model {
  let turns = 0
  return {
    name: 'test/model',
    async *stream() {
      turns += 1
      const base = {
        role: 'assistant',
        model: 'test/model',
        usage: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
      }
      const call = { type: 'tool_use', id: 'c1', name: 'Look', input: {} }
      const content = turns === 1 ? [call] : [{ type: 'text', text: 'done' }]
      yield { type: 'settled', message: { ...base, content, stop: turns === 1 ? 'tools' : 'end' } as never }
    },
  }
}

type Around = Pick<AgentOptions, 'hooks' | 'middleware'>

/** The timers, programs and facts of one run of an agent. */
async function spent(more: Around = {}) {
  const cwd = tempDir()
  const look = defineTool({
    name: 'Look',
    description: 'Looks.',
    input: z.strictObject({}),
    effect: 'none',
    isReadOnly: () => true,
    run: async () => ({ content: [{ type: 'text', text: 'seen' }] }),
  })
  const clock = systemClock()
  const own = { model: model(), tools: [look], cwd, home: cwd, env: bareEnv, clock, permissions: { allow: ['Look'] } }
  const agent = createAgent({ ...own, ...more })
  const counts = { timers: 0, programs: 0 }
  const watch = createHook({
    init(_, type) {
      if (type === 'Timeout') counts.timers += 1
      if (type === 'PROCESSWRAP') counts.programs += 1
    },
  }).enable()
  const events: string[] = []
  const work = agent.run('Look.')
  for await (const event of work) events.push(event.type)
  watch.disable()
  return { ...counts, events }
}

/** The least of some runs: what the test runner does meanwhile is counted, too. */
async function least(more?: Around) {
  const runs: Awaited<ReturnType<typeof spent>>[] = []
  for (let n = 0; n < 8; n += 1) runs.push(await spent(more))
  return runs.toSorted((a, b) => a.timers - b.timers)[0]
}

test('an agent without hooks has as many timers, programs and events as one whose tables are empty', async () => {
  const bare = await least()
  expect(await least({ hooks: {}, middleware: [] })).toEqual(bare)
  expect(await least({ hooks: { PreToolUse: [] } })).toEqual(bare)
  expect(bare?.programs).toBe(0)
  // A hook is seen by the same count.
  const hooked = await least({ hooks: { PreToolUse: [{ hooks: [{ type: 'function', run: () => undefined }] }] } })
  expect(hooked?.timers).toBeGreaterThan(bare?.timers ?? 0)
})

/** What the code of hooks and of middleware began in a run of a team, by the kind of the resource, and the facts of each member. */
async function begun(more: Pick<RunTeamOptions, 'hooks' | 'middleware'> = {}) {
  const began: string[] = []
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 50
  const watch = createHook({
    init(_, type) {
      if (type === 'PROMISE' || type === 'TickObject') return
      if (/src\/(runtime|adapters)\/(hooks|middleware)\//.test(new Error().stack ?? '')) began.push(type)
    },
  }).enable()
  const ana = { description: 'Works.', prompt: 'You work.', tools: ['Bash'] }
  const delegation = { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Look.' }] } }] }
  try {
    const { recorded, result } = await play(
      { name: 'duo', coordinator: { prompt: 'You lead.' }, workers: { ana } },
      {
        lead: { steps: [delegation, { say: 'Done.' }] },
        ana: { steps: [{ calls: [{ tool: 'Bash', input: { command: 'true' } }] }, { say: 'Seen.' }] },
      },
      { rules: { allow: ['Bash(true)'] }, ...more },
    )
    expect(await result).toMatchObject({ status: 'completed', result: 'Done.' })
    return { began, facts: Object.fromEntries(['lead', 'ana'].map((name) => [name, factsOf(recorded, name)])) }
  } finally {
    watch.disable()
    Error.stackTraceLimit = stackTraceLimit
  }
}

test('a team without hooks begins nothing for them, and its members have the same facts', async () => {
  const bare = await begun()
  expect(bare.began).toEqual([])
  expect(await begun({ hooks: {}, middleware: [] })).toEqual(bare)
  expect(await begun({ hooks: { PreToolUse: [] } })).toEqual(bare)
  // A hook is seen by the same count.
  const hooked = await begun({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'true' }] }] } })
  expect(hooked.facts['ana']).toContain('hook.ran')
  expect(hooked.began).toEqual(expect.arrayContaining(['Timeout', 'PROCESSWRAP']))
})
