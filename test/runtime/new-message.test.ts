import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as passes } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createAgent, defineTool, openMailbox, type AgentEvent, type AgentRun, type Model } from '../../src/index.ts'
import type { ToolResult } from '../../src/protocol/conversation/message.ts'
import { cutBehind } from './agent/cut-agent.ts'
import { play, tempDir } from './support/stage.ts'

test('mail that does not wait lets no call begin that had not', async () => {
  const command = (word: string) => ({ tool: 'Bash', input: { command: `touch begun; sleep 30; touch ${word}` } })
  const { cwd, run, recorded, result } = await play(
    {
      name: 'solo',
      coordinator: { prompt: 'You work.', tools: ['Bash'] },
      partition: 'relaxed',
      workers: { ana: { description: 'Looks.', prompt: 'You look.' } },
    },
    {
      ana: { steps: [] },
      lead: {
        steps: [
          { calls: [command('one'), command('two'), command('three')] },
          { expect: ['STOP', 'Skipped: a new message arrived'], say: 'I stopped.' },
        ],
      },
    },
    { mode: 'bypassPermissions', allowBypass: true },
  )
  const box = openMailbox(run.dir, 'user', { home: join(cwd, 'home') })
  onTestFinished(() => box.close())
  run.subscribe(({ entry }) => {
    if (entry.type === 'call.started')
      box.send({ to: 'lead@solo', kind: 'text', body: 'STOP', key: 'stop', priority: 'interrupt' })
  })
  expect(await result).toMatchObject({ status: 'completed', result: 'I stopped.' })
  const begun = recorded.filter(({ entry }) => entry.type === 'call.started')
  const skipped = recorded.filter(({ entry }) => entry.type === 'call.finished' && entry.skipped === true)
  expect([begun.length, skipped.length]).toEqual([1, 2])
  expect(['one', 'two', 'three'].filter((word) => existsSync(join(cwd, word)))).toEqual([])
})

/** A tool that says its word; the one that waits can be cancelled. */
function noting(calls: string[]) {
  return defineTool({
    name: 'Note',
    description: 'Notes a word.',
    input: z.strictObject({ word: z.string() }),
    effect: 'none',
    interrupt: 'cancel',
    async run({ word }, { signal }) {
      calls.push(word)
      if (word === 'waits') await passes(30_000, undefined, { signal })
      return { content: [{ type: 'text', text: word }] }
    },
  })
}

/** Asks for a call with each word, and then repeats what it heard last. */
function asking(words: readonly string[]): Model {
  const usage = { input: 0, output: 0, cache_read: 0, cache_write: 0 }
  return {
    name: 'test/asking',
    async *stream({ messages }) {
      const last = messages.at(-1)
      const heard = last?.role === 'user' ? last.content : []
      const isFirst = messages.length === 1
      const calls = words.map((word, n) => ({ type: 'tool_use' as const, id: `c${n}`, name: 'Note', input: { word } }))
      const said = heard.flatMap((block) => (block.type === 'text' ? [block] : []))
      const message = { role: 'assistant' as const, model: 'test/asking', usage }
      yield {
        type: 'settled',
        message: isFirst ? { ...message, content: calls, stop: 'tools' } : { ...message, content: said, stop: 'end' },
      }
    },
  }
}

async function playedOut(run: AgentRun, act: (event: AgentEvent) => void): Promise<readonly ToolResult[]> {
  const results: ToolResult[] = []
  for await (const event of run) {
    if (event.type === 'tool.result') results.push(event.result)
    act(event)
  }
  return results
}

test.each([
  ['a steer lets the running call end', ['first', 'second'], 'steer'],
  ['an interrupt cancels it', ['waits', 'second'], 'interrupt'],
] as const)('%s and skips the others of a lone agent', async (_, words, act) => {
  const calls: string[] = []
  const agent = createAgent({ model: asking(words), tools: [noting(calls)], cwd: tempDir(), env: {} })
  const run = agent.run('Note.')
  const results = await playedOut(run, (event) => {
    if (event.type === 'tool.dispatch') run[act]('Enough.')
  })
  expect(calls).toEqual([words[0]])
  expect(results.map(({ is_error, skipped = false }) => [is_error, skipped])).toEqual([
    [act === 'interrupt', false],
    [true, true],
  ])
  expect(await run.result).toMatchObject({ text: 'Enough.', reason: 'completed' })
})

test('an interrupt gives up the answer of a lone agent that nobody wants any more', async () => {
  const asked = Promise.withResolvers<void>()
  let requests = 0
  const rest = asking([])
  const model: Model = {
    name: 'test/slow',
    async *stream(request, signal) {
      requests += 1
      if (requests === 1) {
        asked.resolve()
        await passes(30_000, undefined, { signal })
      }
      yield* rest.stream(request, signal)
    },
  }
  const agent = createAgent({ model, cwd: tempDir(), env: {} })
  const run = agent.run('Speak.')
  await asked.promise
  run.interrupt('Shorter.')
  expect(await run.result).toMatchObject({ text: 'Shorter.', reason: 'completed', turns: 1 })
})

test('a call that was skipped stays so in the next life', async () => {
  const runDir = tempDir()
  const calls: string[] = []
  const options = { model: asking(['first', 'second', 'third']), tools: [noting(calls)], cwd: runDir, runDir, env: {} }
  const first = createAgent(options)
  const run = first.run('Note.')
  await playedOut(run, (event) => {
    if (event.type === 'tool.dispatch') run.steer('Enough.')
  })
  first.close()
  cutBehind(runDir, (entry) => entry.type === 'call.finished' && entry.skipped === true)
  const again = createAgent(options)
  const taken = again.resume()
  const results = taken === null ? [] : await playedOut(taken, () => undefined)
  again.close()
  // The first one changes nothing, and is made again.
  expect(calls).toEqual(['first', 'first'])
  expect(results.slice(1).map(({ skipped }) => skipped)).toEqual([true, true])
})
