import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/protocol/facts/run-event.ts'
import type { Middleware } from '../../../src/protocol/middleware.ts'
import { createAgent } from '../../../src/runtime/agent/create-agent.ts'
import type { AgentOptions } from '../../../src/runtime/agent/agent-options.ts'
import { bash } from '../../../src/adapters/tools/shell/bash.ts'
import { delegate as delegateTool } from '../../../src/adapters/tools/team/delegate.ts'
import { write } from '../../../src/adapters/tools/files/write.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { tempDir } from '../support/stage.ts'

const say = (text: string, more: object = {}) => ({ say: text, ...more })
const call = (tool: string, input: object, more: object = {}) => ({ calls: [{ tool, input }], ...more })
const delegate = (...subtasks: readonly object[]) => call('Delegate', { subtasks })

/** An agent with two workers, each with a script of its own. */
function agentWith(scripts: Readonly<Record<string, readonly object[]>>, more: Partial<AgentOptions> = {}) {
  const cwd = tempDir()
  for (const [name, steps] of Object.entries(scripts))
    writeFileSync(join(cwd, `${name}.yaml`), JSON.stringify({ agents: { [name]: { steps } } }))
  const workers = Object.fromEntries(
    Object.keys(scripts)
      .filter((name) => name !== 'agent')
      .map((name) => [name, { description: `Does ${name}.`, model: `scripted/${name}.yaml` }]),
  )
  const options: AgentOptions = {
    model: 'scripted/agent.yaml',
    tools: [delegateTool, bash, write],
    workers,
    permissions: { mode: 'acceptEdits', allow: ['Bash(touch:*)'], deny: ['Bash(touch secret:*)'] },
    cwd,
    home: join(cwd, 'home'),
    env: bareEnv,
    ...more,
  }
  return { cwd, options }
}

test('a lone agent hands pieces to workers, in their order, and reads their results', async () => {
  const { options } = agentWith({
    agent: [
      delegate(
        { worker: 'find', task: 'Find it.', name: 'found' },
        { worker: 'tell', task: 'Tell.', depends_on: ['found'] },
      ),
      say('All: done.', { expect: ['Sub-agent result from find@agent, status done', 'it is red', 'told'] }),
    ],
    find: [say('it is red', { expect: 'Find it.' })],
    tell: [say('told', { expect: ['Tell.', '| it is red'] })],
  })
  const run = createAgent(options).run('Begin.')
  const events: AgentEvent[] = []
  for await (const event of run) events.push(event)
  expect(await run.result).toMatchObject({ reason: 'completed', text: 'All: done.' })
  const children = new Set(events.filter(({ depth }) => depth === 1).map(({ member }) => member))
  expect([...children]).toEqual(['find', 'tell'])
})

test('a worker has no more than its agent: tools, rules, mode, and the code around the run', async () => {
  const seen: string[] = []
  const watch: Middleware = {
    name: 'watch',
    wrapToolCall: (asked, next) => {
      seen.push(asked.tool)
      return next()
    },
  }
  const { cwd, options } = agentWith(
    {
      agent: [delegate({ worker: 'hand', task: 'Do it.' }), say('So it is.')],
      hand: [
        {
          calls: [call('Bash', { command: 'touch secret' }).calls[0], call('Bash', { command: 'touch open' }).calls[0]],
        },
        call('Write', { file_path: 'w', content: 'x' }),
        delegate({ worker: 'hand', task: 'Again.' }),
        say('I tried.'),
      ],
    },
    {},
  )
  const workers = {
    hand: {
      ...options.workers?.['hand'],
      description: 'Does it.',
      tools: ['Bash'],
      permissions: { mode: 'bypassPermissions' as const },
    },
  }
  const { text } = await createAgent({ ...options, workers }).run('Begin.', { middleware: [watch] }).result
  expect(text).toBe('So it is.')
  expect(['secret', 'open', 'w'].map((file) => existsSync(join(cwd, file)))).toEqual([false, true, false])
  expect(seen).toEqual(expect.arrayContaining(['Delegate', 'Bash']))
})

test('an aborted agent takes its workers with it', async () => {
  const { cwd, options } = agentWith({
    agent: [delegate({ worker: 'hand', task: 'Sleep.' }), say('never')],
    hand: [call('Bash', { command: 'touch begun && exec sleep 600' }), say('never')],
  })
  const run = createAgent({ ...options, permissions: { mode: 'bypassPermissions' } }).run('Begin.')
  const ended: unknown[] = []
  for await (const event of run) {
    if (event.depth === 1 && event.type === 'tool.dispatch') run.abort()
    if (event.depth === 1 && event.type === 'complete') ended.push(event.reason)
  }
  expect((await run.result).reason).toBe('aborted_tools')
  expect(ended).toEqual([expect.stringMatching(/^aborted/)])
  expect(existsSync(join(cwd, 'awake'))).toBe(false)
})

test('an agent that goes on after its death has no piece done twice', async () => {
  const { cwd, options } = agentWith({
    agent: [
      delegate({ worker: 'first', task: 'One.' }, { worker: 'then', task: 'Two.' }),
      say('Both.', { expect: ['one is done', 'two is done'] }),
    ],
    first: [call('Bash', { command: 'echo ran >> first.log' }), say('one is done')],
    then: [call('Bash', { command: 'echo ran >> then.log' }), say('two is done')],
  })
  const runDir = join(cwd, 'run')
  const kept = { ...options, runDir, permissions: { mode: 'bypassPermissions' as const } }
  expect((await createAgent(kept).run('Begin.').result).text).toBe('Both.')
  // As a kill between the second piece and the result of the call leaves it.
  const file = join(runDir, 'agent.jsonl')
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const end = lines.findIndex((line) => line.includes('"type":"call.finished"'))
  writeFileSync(file, `${lines.slice(0, end).join('\n')}\n`)
  const then = join(runDir, readdirSync(runDir).find((name) => name.startsWith('then-')) ?? '', 'then.jsonl')
  const piece = readFileSync(then, 'utf8').trim().split('\n')
  const ran = piece.findIndex((line) => line.includes('"role":"tool"'))
  writeFileSync(then, `${piece.slice(0, ran + 1).join('\n')}\n`)
  const run = createAgent(kept).resume()
  expect(await run?.result).toMatchObject({ text: 'Both.', reason: 'completed' })
  expect(['first.log', 'then.log'].map((log) => readFileSync(join(cwd, log), 'utf8'))).toEqual(['ran\n', 'ran\n'])
})

test('a piece that fails, is late or unknown is told, and the shape of a result is kept', async () => {
  const returns = {
    type: 'object',
    properties: { n: { type: 'number' } },
    required: ['n'],
    additionalProperties: false,
  }
  const { options } = agentWith({
    agent: [
      delegate({ worker: 'cuont', task: 'Count.' }),
      delegate({ worker: 'count', task: 'Count.', returns }, { worker: 'late', task: 'Sleep.', deadline: '1s' }),
      say('Known.', { expect: ['{"n":3}', 'status failed', 'Not done in time'] }),
    ],
    count: [say('{"n": 3}')],
    late: [call('Bash', { command: 'sleep 600' }), say('never')],
  })
  const permissions = { mode: 'bypassPermissions' } as const
  const run = createAgent({ ...options, permissions }).run('Begin.')
  const told: string[] = []
  for await (const event of run)
    if (event.depth === 0 && event.type === 'tool.result') told.push(JSON.stringify(event.result.content))
  expect((await run.result).text).toBe('Known.')
  expect(told[0]).toContain('Did you mean count?')
})

test('workers of workers end somewhere', async () => {
  const { options } = agentWith({
    agent: [delegate({ worker: 'deep', task: 'Dig.' }), say('{{mail.deep}}', { expect: 'dug' })],
    deep: [delegate({ worker: 'deep', task: 'Dig.' }), say('dug')],
  })
  const workers = { deep: { description: 'Digs.', model: 'scripted/deep.yaml', tools: ['Delegate'] } }
  const run = createAgent({ ...options, workers }).run('Begin.')
  const depths = new Set<number>()
  for await (const event of run) depths.add(event.depth)
  await run.result
  expect(Math.max(...depths)).toBeLessThanOrEqual(5)
  expect(Math.max(...depths)).toBeGreaterThan(2)
})
