import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool, type ToolDefinition } from '../../../src/adapters/tools/define/define-tool.ts'
import { failure } from '../../../src/protocol/conversation/failure.ts'
import { failedAnswer, noUsage, textOf, type AssistantMessage } from '../../../src/protocol/conversation/message.ts'
import type { Middleware } from '../../../src/protocol/middleware.ts'
import type { Model, ModelRequest } from '../../../src/protocol/models/model.ts'
import { createAgent } from '../../../src/runtime/agent/create-agent.ts'
import type { AgentOptions } from '../../../src/runtime/agent/agent-options.ts'
import { tempDir } from '../support/stage.ts'
import { readJournal } from '../../../src/adapters/sessions/read-journal.ts'
import { join } from 'node:path'

const say = (text: string): AssistantMessage => ({
  role: 'assistant',
  model: 'own/m',
  content: [{ type: 'text', text }],
  stop: 'end',
  usage: noUsage,
})
let made = 0
const call = (name: string, input: Record<string, unknown> = {}): AssistantMessage => ({
  ...say(''),
  content: [{ type: 'tool_use', id: `c${(made += 1)}`, name, input }],
  stop: 'tools',
})

const probe = (more: Partial<ToolDefinition<object>> = {}) =>
  defineTool({
    name: 'Probe',
    description: 'Probes.',
    input: z.strictObject({}),
    effect: 'none',
    run: async () => ({ content: [{ type: 'text', text: 'probed' }] }),
    ...more,
  })

async function play(
  answers: readonly AssistantMessage[],
  options: Partial<AgentOptions>,
  ofRun: readonly Middleware[] = [],
) {
  const requests: ModelRequest[] = []
  const model: Model = {
    name: 'own/m',
    async *stream(request) {
      requests.push(request)
      yield { type: 'settled', message: answers[requests.length - 1] ?? say('Done.') }
    },
  }
  const runDir = tempDir()
  const agent = createAgent({ model, env: {}, home: runDir, cwd: runDir, runDir, ...options })
  const result = await agent.run('Begin.', { middleware: ofRun }).result
  agent.close()
  const { entries } = readJournal(join(runDir, 'agent.jsonl'))
  const results = entries.flatMap((entry) =>
    entry.type === 'message.appended' && entry.message.role === 'tool' ? entry.message.results.map(textOf) : [],
  )
  const offered = requests.map(({ tools }) => tools.map(({ name }) => name))
  return { requests, result, entries, results, offered }
}

/** Middleware that says when each of its parts is called. */
function telling(name: string, said: string[]): Middleware {
  const tell = (what: string): undefined => {
    said.push(`${name} ${what}`)
  }
  return {
    name,
    beforeAgent: () => tell('before'),
    modifyRequest(request) {
      tell('modify')
      return request
    },
    async wrapModelCall(request, next) {
      said.push(`${name} >model`)
      const message = await next(request)
      said.push(`${name} model<`)
      return message
    },
    postSampling(message) {
      tell('post')
      return message
    },
    gateToolCall: () => tell('gate'),
    async wrapToolCall(_, next) {
      said.push(`${name} >tool`)
      const output = await next()
      said.push(`${name} tool<`)
      return output
    },
    afterAgent: () => tell('after'),
  }
}

describe('middleware', () => {
  test('lies around other middleware, that of the run outside of that of the agent', async () => {
    const said: string[] = []
    const options = { middleware: [telling('agent', said)], tools: [probe()] }
    await play([call('Probe'), say('Done.')], options, [telling('run', said)])
    const asked = [
      'run modify',
      'agent modify',
      'run >model',
      'agent >model',
      'agent model<',
      'run model<',
      'agent post',
      'run post',
    ]
    expect(said).toEqual([
      'run before',
      'agent before',
      ...asked,
      'run gate',
      'agent gate',
      'run >tool',
      'agent >tool',
      'agent tool<',
      'run tool<',
      ...asked,
      'agent after',
      'run after',
    ])
  })

  test('changes what is asked and what is kept, and answers without a model', async () => {
    const shout: Middleware = {
      name: 'shout',
      modifyRequest: (request) => ({ ...request, system: `${request.system}!` }),
      postSampling: (message) => ({ ...message, content: [{ type: 'text', text: 'changed' }] }),
    }
    const { requests, result } = await play([say('said')], { system: 'You work', middleware: [shout] })
    expect(requests[0]?.system).toBe('You work!')
    expect(result.text).toBe('changed')
    const cached: Middleware = { name: 'cached', wrapModelCall: async () => say('from the cache') }
    const none = await play([], { middleware: [cached] })
    expect([none.requests.length, none.result.text]).toEqual([0, 'from the cache'])
  })

  test('lets a fallback answer where the model was given up, and ends the run, named, where it breaks', async () => {
    const said: string[] = []
    const lost = failedAnswer('own/m', failure('overloaded', 'gone', { retry: false }))
    const other: Model = {
      name: 'own/other',
      async *stream() {
        yield { type: 'settled', message: { ...say('other'), model: 'own/other' } }
      },
    }
    const { result } = await play([lost, lost, lost], {
      fallbackAfter: 1,
      middleware: [telling('a', said)],
      fallback: [other],
    })
    expect(result.text).toBe('other')
    const broken: Middleware = { name: 'broken', modifyRequest: () => Promise.reject(new Error('no way')) }
    const { result: failed } = await play([], { middleware: [broken] })
    expect(failed).toMatchObject({ reason: 'failed' })
    expect(failed.failure?.message).toContain('middleware broken broke in modifyRequest: no way')
  })

  test('gates calls: a block goes before a result, and neither before a permission', async () => {
    const gate = (word: ReturnType<NonNullable<Middleware['gateToolCall']>>): Middleware => ({
      name: 'gate',
      gateToolCall: () => word,
    })
    const text = (said: string) => ({ result: { content: [{ type: 'text' as const, text: said }] } })
    const ran: string[] = []
    const run: ToolDefinition<object>['run'] = async () => {
      ran.push('ran')
      return { content: [] }
    }
    const tools = [probe({ run })]
    const given = await play([call('Probe')], { tools, middleware: [gate(text('first')), gate(text('second'))] })
    expect(given.results).toEqual(['first'])
    const blocked = await play([call('Probe')], {
      tools,
      middleware: [gate(text('first')), gate({ block: 'not now' })],
    })
    expect(blocked.results[0]).toBe('Blocked by the middleware gate: not now')
    const refused = blocked.entries.find(({ type }) => type === 'call.refused')
    expect(refused).toMatchObject({ why: 'middleware', by: 'gate', reason: 'not now' })
    const denied = await play([call('Probe')], {
      tools,
      middleware: [gate(text('first'))],
      permissions: { deny: ['Probe'] },
    })
    expect(denied.results[0]).not.toContain('first')
    expect(
      denied.entries.some((entry) => entry.type === 'permission.decided' && entry.decision.behavior === 'deny'),
    ).toBe(true)
    expect(ran).toEqual([])
  })

  test("is named where it breaks a call; what the tool throws is nobody else's", async () => {
    const around: Middleware = { name: 'around', wrapToolCall: (_, next) => next() }
    const breaks = (part: 'wrapToolCall' | 'gateToolCall'): Middleware => ({
      name: 'brittle',
      [part]: () => Promise.reject(new Error('no ink')),
    })
    const { results } = await play([call('Probe')], { tools: [probe()], middleware: [around, breaks('wrapToolCall')] })
    expect(results[0]).toContain('middleware brittle broke in wrapToolCall: no ink')
    const gated = await play([call('Probe')], { tools: [probe()], middleware: [breaks('gateToolCall')] })
    expect(gated.results[0]).toContain('middleware brittle broke in gateToolCall: no ink')
    const tools = [probe({ run: () => Promise.reject(new Error('no paper')) })]
    expect((await play([call('Probe')], { tools, middleware: [around] })).results).toEqual(['Probe failed: no paper'])
  })

  test('speaks before rules, rules before limits, limits before equal calls, these before a look-up', async () => {
    const block: Middleware = { name: 'first', gateToolCall: () => ({ block: 'no' }) }
    const once = { toolLimits: { Probe: 1 } }
    const denying = { permissions: { deny: ['Probe(x)', 'Probe'] } }
    const same = probe({ isReadOnly: () => true, isConcurrencySafe: () => true, reuse: 'turn' })
    const twice: AssistantMessage = { ...call('Probe'), content: [...call('Probe').content, ...call('Probe').content] }
    const said = async (options: Partial<AgentOptions>): Promise<string> =>
      (await play([twice], { tools: [same], ...options })).results.at(-1) ?? ''
    expect(await said({ middleware: [block], ...once, ...denying })).toContain('Blocked by the middleware first')
    expect(await said({ ...once, ...denying })).toMatch(/denied/i)
    expect(await said(once)).toContain('is used up')
    expect(await said({})).toContain('The same call stands beside this one')
    const deferred = { deferTools: ['Probe'] }
    expect(await said({ ...deferred, toolLimits: { Probe: 0 } })).toContain('may not be called')
    expect(await said(deferred)).toContain('is not loaded yet')
  })

  test('tells a model of tools that are not there', async () => {
    const unknown: Middleware = { name: 'u', unknownTool: (name) => (name === 'Gone' ? 'Use Probe.' : undefined) }
    const { results } = await play([call('Gone'), call('Other')], { tools: [probe()], middleware: [unknown] })
    expect(results[0]).toContain('Use Probe.')
    expect(results[1]).toContain('Other')
    expect(results[1]).not.toContain('Use Probe.')
  })

  test('that is none adds no fact, and no second tool has the name of another', async () => {
    const types = async (middleware?: readonly Middleware[]) => {
      const { entries } = await play([call('Probe')], { tools: [probe()], ...(middleware && { middleware }) })
      return entries.map(({ type }) => type)
    }
    expect(await types([])).toEqual(await types())
    const twice = play([], { tools: [probe()], middleware: [{ name: 't', beforeAgent: () => ({ tools: [probe()] }) }] })
    await expect(twice).rejects.toThrow('two tools of the agent are called Probe')
  })
})

describe('an offer of tools', () => {
  test('leaves out what is denied as a whole and what is switched off', async () => {
    let on = false
    const switched = probe({ name: 'Switched', isEnabled: () => on })
    const run: ToolDefinition<object>['run'] = async () => {
      on = true
      return { content: [] }
    }
    const tools = [probe({ run }), probe({ name: 'Denied' }), switched]
    const permissions = { deny: ['Denied', 'Probe(x)'] }
    const { offered } = await play([call('Probe')], { tools, permissions })
    expect(offered).toEqual([['Probe'], ['Probe', 'Switched']])
  })

  test('follows tools that come and go, and defers them', async () => {
    const late = probe({ name: 'Late' })
    let more: readonly ReturnType<typeof probe>[] = []
    const run: ToolDefinition<object>['run'] = async () => {
      more = [late]
      return { content: [] }
    }
    const { offered } = await play([call('Probe')], { tools: [probe({ run })], refreshTools: () => more })
    expect(offered).toEqual([['Probe'], ['Probe', 'Late']])
    const tools = [probe(), probe({ name: 'Always', alwaysLoad: true })]
    expect((await play([], { tools, deferTools: true })).offered).toEqual([['Always', 'ToolSearch']])
    expect((await play([], { tools, deferTools: ['Always'] })).offered).toEqual([['Probe', 'ToolSearch']])
  })
})

describe('a tool that breaks off', () => {
  const broken: ToolDefinition<object>['run'] = () => Promise.reject(new Error('no disk'))

  test('has a fallback, and is done without where it is optional', async () => {
    const fallback: ToolDefinition<object>['fallback'] = async (_, __, { content: [first] }) => ({
      content: [{ type: 'text', text: `instead of ${first?.type === 'text' ? first.text : ''}` }],
    })
    const results = async (more: Partial<ToolDefinition<object>>) => {
      const { entries } = await play([call('Probe')], { tools: [probe({ run: broken, ...more })] })
      return entries.flatMap((entry) =>
        entry.type === 'message.appended' && entry.message.role === 'tool'
          ? entry.message.results.map((result) => [result.is_error, textOf(result)])
          : [],
      )
    }
    expect(await results({})).toEqual([[true, 'Probe failed: no disk']])
    expect(await results({ fallback })).toEqual([[false, 'instead of Probe failed: no disk']])
    expect(await results({ optional: true })).toEqual([
      [false, '[Probe is not there: Probe failed: no disk Go on without it.]'],
    ])
    const both = await results({ optional: true, fallback: () => Promise.reject(new Error('no net')) })
    expect(both).toEqual([[false, '[Probe is not there: Probe failed: no net Go on without it.]']])
  })
})
