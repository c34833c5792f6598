import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool, type ToolDefinition } from '../../src/adapters/tools/define/define-tool.ts'
import { edit } from '../../src/adapters/tools/files/edit.ts'
import { read } from '../../src/adapters/tools/files/read.ts'
import { readJournal } from '../../src/adapters/sessions/read-journal.ts'
import type { Entry } from '../../src/protocol/facts/entry.ts'
import { textOf } from '../../src/protocol/conversation/message.ts'
import type { Tool } from '../../src/protocol/tools/tool.ts'
import type { AgentOptions } from '../../src/runtime/agent/agent-options.ts'
import { createAgent } from '../../src/runtime/agent/create-agent.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'troupe-lifecycle-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] })

function lookup(more: Partial<ToolDefinition<{ n: number }>> = {}): Tool<{ n: number }> {
  return defineTool({
    name: 'Lookup',
    description: 'Looks something up.',
    input: z.strictObject({ n: z.number() }),
    effect: 'none',
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    run: async ({ n }) => text(`found ${n}`),
    ...more,
  })
}

/** Runs an agent whose model makes the calls of each step, then says done. */
async function live(steps: readonly string[], more: Partial<AgentOptions>) {
  const model = join(home, 'answers.yaml')
  const lines = steps.map((calls) => `      - calls: ${calls}\n`).join('')
  writeFileSync(model, `agents:\n  agent:\n    steps:\n${lines}      - say: done\n`)
  const runDir = join(home, 'run')
  const agent = createAgent({ model: `scripted/${model}`, cwd: home, home, env: {}, runDir, ...more })
  const { reason } = await agent.run('Go.').result
  agent.close()
  const { entries, problems } = readJournal(join(runDir, 'agent.jsonl'))
  expect([reason, problems]).toEqual(['completed', []])
  return { entries, results: resultsOf(entries) }
}

function resultsOf(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap((entry) =>
    entry.type === 'message.appended' && entry.message.role === 'tool' ? entry.message.results.map(textOf) : [],
  )
}

function factsOf<Type extends Entry['type']>(entries: readonly Entry[], type: Type) {
  return entries.filter((entry): entry is Extract<Entry, { type: Type }> => entry.type === type)
}

const call = (n: unknown) => `{ tool: Lookup, input: { n: ${JSON.stringify(n)} } }`

describe('arguments', () => {
  test('of another type are read as the declared one, which is said', async () => {
    const { entries, results } = await live([`[${call('4')}]`], { tools: [lookup()] })
    expect(results).toEqual(['found 4'])
    expect(factsOf(entries, 'call.coerced')).toMatchObject([
      { tool: 'Lookup', changes: [{ field: 'n', from: 'string', to: 'number' }] },
    ])
  })

  test('that are wrong in shape or in meaning are refused in different words', async () => {
    const check = async ({ n }: { n: number }) => (n > 9 ? 'n is too large' : null)
    const { entries, results } = await live([`[${call('four')}, ${call(10)}]`], { tools: [lookup({ check })] })
    expect(results).toEqual([
      expect.stringMatching(/^InputValidationError: .*\n- n: /),
      'ValidationError: n is too large',
    ])
    expect(factsOf(entries, 'call.refused').map(({ why }) => why)).toEqual(['shape', 'meaning'])
    expect(factsOf(entries, 'call.finished')).toHaveLength(2)
  })
})

describe('a limit', () => {
  test('holds for calls side by side, and refused calls do not start', async () => {
    const { entries, results } = await live([`[${call(1)}, ${call(2)}, ${call(3)}]`, `[${call(4)}]`], {
      tools: [lookup()],
      toolLimits: { Lookup: 2 },
    })
    const refusal = 'Blocked: Lookup may be called 2 times in a run, and that is used up. Go on without it.'
    expect(results).toEqual(['found 1', 'found 2', refusal, refusal])
    expect(factsOf(entries, 'call.started')).toHaveLength(2)
    expect(factsOf(entries, 'call.limited')).toHaveLength(2)
  })

  test('that steers lets calls run and tells the model once', async () => {
    const { entries, results } = await live([`[${call(1)}, ${call(2)}]`, `[${call(3)}]`], {
      tools: [lookup()],
      toolLimits: { Lookup: { calls: 1, then: 'steer' } },
    })
    expect(results).toEqual(['found 1', 'found 2', 'found 3'])
    const told = factsOf(entries, 'message.appended').flatMap(({ message }) =>
      message.role === 'user' && message.origin === 'runtime' ? [textOf(message)] : [],
    )
    expect(told).toEqual([
      'Lookup is meant to be called at most once in a run, and that is passed. Come to an end without calling it again.',
    ])
  })
})

describe('an equal call', () => {
  test('beside another one runs once, where the tool says that it may', async () => {
    let runs = 0
    const run = async ({ n }: { n: number }) => text(`run ${(runs += 1)} for ${n}`)
    const twice = [`[${call(1)}, ${call(1)}, ${call(2)}]`, `[${call(1)}]`]
    const { entries, results } = await live(twice, { tools: [lookup({ reuse: 'turn', run })] })
    expect(runs).toBe(3)
    expect(results).toEqual(['run 1 for 1', expect.stringContaining('same call'), 'run 2 for 2', 'run 3 for 1'])
    const [reused] = factsOf(entries, 'call.reused')
    expect(reused?.of).toBe(factsOf(entries, 'call.started')[0]?.call_id)
  })

  test('runs again where the tool does not say so, or the first one failed', async () => {
    let runs = 0
    const run = async () => ({ ...text('no'), isError: (runs += 1) > 0 })
    await live([`[${call(1)}, ${call(1)}]`], { tools: [lookup({ run })] })
    expect(runs).toBe(2)
    rmSync(join(home, 'run'), { recursive: true })
    await live([`[${call(1)}, ${call(1)}]`], { tools: [lookup({ reuse: 'turn', run })] })
    expect(runs).toBe(4)
  })

  test('of Read is answered until the file changes, whoever changes it', async () => {
    const file = join(home, 'a.txt')
    writeFileSync(file, 'one\n')
    const again = '{ tool: Read, input: { file_path: a.txt } }'
    const change = '{ tool: Edit, input: { file_path: a.txt, old_string: one, new_string: two } }'
    const outside = lookup({
      run: async () => {
        writeFileSync(file, 'three\n')
        return text('changed')
      },
    })
    const { results } = await live(
      [`[${again}]`, `[${again}]`, `[${change}]`, `[${again}]`, `[${call(1)}]`, `[${again}]`],
      {
        tools: [read, edit, outside],
        permissions: { mode: 'acceptEdits' },
      },
    )
    const held = 'Nothing has changed since'
    expect([results[0], results[1], results[3], results[5]]).toEqual([
      expect.stringContaining('one'),
      expect.stringContaining(held),
      expect.stringContaining('two'),
      expect.stringContaining('three'),
    ])
  })
})

describe('a failure that passes', () => {
  test('is tried again as often as the tool declares, as one call', async () => {
    let runs = 0
    const run = async () => ({ ...text(`try ${(runs += 1)}`), ...(runs < 3 ? { isError: true, transient: true } : {}) })
    const { entries, results } = await live([`[${call(1)}]`], {
      tools: [lookup({ run, retry: { times: 2, pauseMs: 1 } })],
    })
    expect(results).toEqual(['try 3'])
    expect(factsOf(entries, 'call.retried').map(({ attempt, delay_ms }) => [attempt, delay_ms])).toEqual([
      [1, 1],
      [2, 2],
    ])
    expect(factsOf(entries, 'call.started')).toHaveLength(1)
  })

  test('is the result of a tool that declares nothing', async () => {
    const run = async () => ({ ...text('busy'), isError: true, transient: true })
    const { entries, results } = await live([`[${call(1)}]`], { tools: [lookup({ run })] })
    expect([results, factsOf(entries, 'call.retried')]).toEqual([['busy'], []])
  })
})

describe('long results', () => {
  test('are put aside whole, shown in part, and can be read on', async () => {
    const long = Array.from({ length: 4_000 }, (_, n) => `line ${n}`).join('\n')
    const { entries, results } = await live([`[${call(1)}]`], {
      tools: [lookup({ run: async () => text(long), maxResultChars: 10_000 })],
    })
    const [file = ''] = readdirSync(join(home, 'run/artifacts'))
    expect(readFileSync(join(home, 'run/artifacts', file), 'utf8')).toBe(long)
    expect(factsOf(entries, 'call.finished')[0]?.stored).toEqual({ sha256: file, chars: long.length })
    expect(results[0]).toMatch(/^line 0\n/)
    expect(results[0]).toContain('line 3999')
    expect(results[0]?.length).toBeLessThan(10_000)
    expect(results[0]).toContain(join(home, 'run/artifacts', file))
  })

  test('may be read by the agent they were put aside for, wherever they are', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'troupe-elsewhere-'))
    try {
      const long = 'x\n'.repeat(9_000)
      const model = join(home, 'answers.yaml')
      writeFileSync(
        model,
        `agents:\n  agent:\n    steps:\n      - calls: [${call(1)}]\n      - calls: [{ tool: Read, input: { file_path: ${join(elsewhere, 'artifacts')}/${hashOf(long)}, limit: 1 } }]\n      - say: done\n`,
      )
      const tools = [lookup({ run: async () => text(long), maxResultChars: 10_000 }), read]
      const agent = createAgent({ model: `scripted/${model}`, cwd: home, home, env: {}, runDir: elsewhere, tools })
      await agent.run('Go.').result
      agent.close()
      expect(resultsOf(readJournal(join(elsewhere, 'agent.jsonl')).entries)[1]).toContain('1\tx')
    } finally {
      rmSync(elsewhere, { recursive: true })
    }
  })

  test('of one turn together have the model told to digest them', async () => {
    const { entries } = await live([`[${call(1)}, ${call(2)}]`], {
      tools: [lookup({ run: async () => text('x'.repeat(600)) })],
      turnOutput: 1_000,
    })
    expect(factsOf(entries, 'turn.overflowed')).toMatchObject([{ turn: 1, chars: 1_200, limit: 1_000 }])
    const told = factsOf(entries, 'message.appended')
      .filter(({ message }) => message.role === 'user')
      .at(-1)
    expect(told?.message && textOf(told.message as never)).toContain('1,200 characters')
  })
})

function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}
