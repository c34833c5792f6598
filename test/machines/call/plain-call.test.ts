import { describe, expect, test } from 'vitest'
import { createActor, fromPromise, type Actor, type AnyActorLogic } from 'xstate'
import { isPlainCall, plainCall, plainStart } from '../../../machines/call/plain-call.ts'
import { toolCallMachine } from '../../../machines/call/tool-call.ts'
import type { Decision } from '../../../src/protocol/permissions/permission.ts'
import type { RunInput, RunOutput } from '../../../src/protocol/port.ts'
import type { CallDescription } from '../../../src/protocol/tools/tool.ts'
import { description } from '../support/agent-samples.ts'

const allowed: Decision = { behavior: 'allow', source: 'mode', reason: 'reads' }
const call = description('a', 'Read', { allowed })
const file = { path: '/a', sha256: '0', wrote: false }

/** A tool whose end is in the test's hands. */
function tool() {
  const { promise, resolve, reject } = Promise.withResolvers<RunOutput>()
  const heard: { readonly signals: AbortSignal[]; readonly inputs: RunInput[] } = { signals: [], inputs: [] }
  const run = fromPromise<RunOutput, RunInput>(({ input, signal }) => {
    heard.inputs.push(input)
    heard.signals.push(signal)
    return promise
  })
  return { run, resolve, reject, ...heard }
}

function listened(logic: AnyActorLogic, input: unknown) {
  const facts: unknown[] = []
  const actor: Actor<AnyActorLogic> = createActor(logic, { input })
  actor.on('*', (fact) => facts.push(fact))
  return { facts, actor: actor.start() }
}

/** The same call both ways: the machine's facts begin with those that the agent states of a plain call. */
function bothWays() {
  const [one, other] = [tool(), tool()]
  const plain = listened(plainCall(one.run), { call, attempt: 1 })
  const whole = listened(toolCallMachine.provide({ actors: { run: other.run } }), { call, hooked: false })
  return { tools: [one, other], ways: [plain, whole] as const }
}

async function ends({ actor }: { readonly actor: Actor<AnyActorLogic> }): Promise<unknown> {
  await new Promise<void>((end) => void actor.subscribe({ complete: end }))
  return (actor.getSnapshot() as { output: unknown }).output
}

const endings: Record<string, (made: ReturnType<typeof bothWays>) => void> = {
  'when the tool has answered': ({ tools }) => {
    const output = { content: [{ type: 'text' as const, text: '1 line' }], file }
    for (const { resolve } of tools) resolve({ output, duration_ms: 12 })
  },
  'when it answered with an error': ({ tools }) => {
    const output = { content: [{ type: 'text' as const, text: 'no such file' }], isError: true, broke: true }
    for (const { resolve } of tools) resolve({ output, duration_ms: 12 })
  },
  'when the tool failed': ({ tools }) => {
    for (const { reject } of tools) reject(new Error('it is broken'))
  },
  'when it is aborted': ({ ways }) => {
    for (const { actor } of ways) actor.send({ type: 'abort', at: 1, reason: 'Interrupted by user' })
  },
  'when mail came meanwhile': (made) => {
    for (const { actor } of made.ways) actor.send({ type: 'interrupt', at: 1 })
    endings['when the tool has answered']?.(made)
  },
}

describe('a plain call ends as it would with the whole machine', () => {
  test.each(Object.entries(endings))('%s', async (_, end) => {
    const made = bothWays()
    const [plain, whole] = made.ways
    const outcomes = Promise.all(made.ways.map(ends))
    end(made)
    const [short, long] = await outcomes
    expect(short).toEqual(long)
    expect([...plainStart(call), ...plain.facts]).toEqual(whole.facts)
    expect(made.tools.map(({ inputs }) => inputs)).toEqual([[{ call, attempt: 1 }], [{ call, attempt: 1 }]])
  })

  test('and stops its tool when it is aborted, of which nothing is heard any more', async () => {
    const { tools, ways } = bothWays()
    endings['when it is aborted']?.({ tools, ways })
    expect(tools.map(({ signals }) => signals[0]?.aborted)).toEqual([true, true])
    const before = ways.map(({ facts }) => facts.length)
    endings['when the tool has answered']?.({ tools, ways })
    await Promise.resolve()
    expect(ways.map(({ facts }) => facts.length)).toEqual(before)
  })
})

test('a plain call that is stopped from outside says nothing', () => {
  const { run, signals } = tool()
  const { actor, facts } = listened(plainCall(run), { call, attempt: 1 })
  actor.stop()
  expect([signals[0]?.aborted, facts]).toEqual([true, []])
})

const held: Record<string, Partial<CallDescription>> = {
  'nobody allowed it yet': { allowed: undefined } as never,
  'it is refused': { refusal: 'No such tool.' },
  'its meaning is checked': { checked: true },
  'it is limited': { gated: true },
  'its tool was not looked up': { deferred: { why: 'not loaded', denied: false } },
  'mail may stop it': { interrupt: 'cancel' },
  'it may run again': { repeats: true },
}

describe('a call is plain', () => {
  test('when nothing stands between it and its tool', () => {
    expect(isPlainCall(call, false)).toBe(true)
    expect(isPlainCall(call, true)).toBe(false)
  })

  test.each(Object.entries(held))('but not when %s', (_, more) => {
    expect(isPlainCall({ ...call, ...more }, false)).toBe(false)
  })
})
