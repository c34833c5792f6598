import { describe, expect, test } from 'vitest'
import { createActor, fromPromise, waitFor } from 'xstate'
import { agentMachine } from '../../../machines/agent/agent.ts'
import type { AgentInput } from '../../../machines/agent/agent-state.ts'
import { permissionMachine } from '../../../machines/call/permission.ts'
import { approvalMachine } from '../../../machines/call/approval.ts'
import { toolCallMachine } from '../../../machines/call/tool-call.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { callsOf, textOf, type Message } from '../../../src/protocol/conversation/message.ts'
import type { Answer, Decision } from '../../../src/protocol/permissions/permission.ts'
import type {
  AnswerInput,
  AskOutput,
  CallInput,
  RunInput,
  IntakeOutput,
  RegisterOutput,
  RequestPlan,
  RunOutput,
  WaitInput,
} from '../../../src/protocol/port.ts'
import {
  agentInput,
  answers,
  assistant,
  calling,
  commands,
  description,
  intakes,
  settled,
  use,
} from '../support/agent-samples.ts'
import { messagesOf } from '../support/conversation.ts'

/** A promise that the test settles. */
interface Gate<Output> {
  readonly promise: Promise<Output>
  open(output: Output): void
}

function gate<Output>(): Gate<Output> {
  const { promise, resolve } = Promise.withResolvers<Output>()
  return { promise, open: resolve }
}

interface Live {
  readonly ask: readonly (AskOutput | Promise<AskOutput>)[]
  readonly run?: (call: CallInput['call'], signal: AbortSignal) => Promise<RunOutput>
  readonly intake?: () => IntakeOutput | Promise<IntakeOutput>
  readonly input?: Partial<AgentInput>
  readonly judge?: Decision
  readonly answer?: (signal: AbortSignal) => Promise<Answer>
}

const allow: Decision = { behavior: 'allow', source: 'mode', reason: 'reads' }
const says = (words: string): RunOutput => ({ output: { content: [{ type: 'text', text: words }] }, duration_ms: 1 })

/** An agent that really runs; `log` holds facts and port starts in the order in which they happened. */
function live({ ask, input, judge = allow, ...ports }: Live) {
  const log: string[] = []
  const facts: Fact[] = []
  const signals: Record<string, AbortSignal> = {}
  let asked = 0
  const permission = permissionMachine.provide({
    actors: {
      judge: fromPromise(() => Promise.resolve(judge)),
      answer: approvalMachine.provide({
        actors: {
          plan: fromPromise<RequestPlan, AnswerInput>(async () => ({
            order: 'sequence',
            hooked: false,
            classifies: false,
          })),
          register: fromPromise<RegisterOutput, AnswerInput>(async () => ({
            request: null,
            deadline: null,
            wait_ms: null,
          })),
          wait: fromPromise<Answer, WaitInput>(
            ({ signal }) => ports.answer?.(signal) ?? Promise.reject(new Error('nobody')),
          ),
        },
      }),
    },
  })
  const toolCall = toolCallMachine.provide({
    actors: {
      permission,
      run: fromPromise<RunOutput, RunInput>(({ input: { call }, signal }) => {
        log.push(`run ${call.id}`)
        signals[call.id] = signal
        return ports.run?.(call, signal) ?? Promise.resolve(says(`${call.id} done`))
      }),
    },
  })
  const machine = agentMachine.provide({
    actors: {
      toolCall,
      intake: fromPromise(() => Promise.resolve(ports.intake?.() ?? intakes.go)),
      ask: fromPromise(({ signal }) => {
        log.push('ask')
        signals['ask'] = signal
        const next = ask[asked]
        asked += 1
        return Promise.resolve(next ?? answers.text)
      }),
    },
  })
  const actor = createActor(machine, {
    input: agentInput(input),
    inspect: (event) => {
      if (event.type !== '@xstate.actor') return
      const { actorRef } = event as unknown as { actorRef: { on(type: '*', listener: (fact: Fact) => void): unknown } }
      actorRef.on('*', (fact) => {
        facts.push(fact)
        log.push(fact.type === 'message.appended' ? `${fact.type} ${fact.message.role}` : fact.type)
      })
    },
  })
  actor.start()
  const end = async () => (await waitFor(actor, (snapshot) => snapshot.status === 'done')).output
  return { actor, log, facts, signals, end }
}

function results(facts: readonly Fact[]): readonly string[] {
  const tool = messagesOf(facts).findLast(
    (message): message is Extract<Message, { role: 'tool' }> => message.role === 'tool',
  )
  return (tool?.results ?? []).map((result) => `${result.call_id}${result.is_error ? '!' : ''} ${textOf(result)}`)
}

describe('a turn that really runs', () => {
  test('states every fact before the work that follows from it', async () => {
    const { log, end } = live({ ask: [calling(['a', 'Read'], ['c', 'Bash']), answers.text] })
    expect(await end()).toEqual({ reason: 'completed', turn: 2 })
    expect(log).toEqual([
      'agent.started',
      'message.appended user',
      'model.requested',
      'ask',
      'message.appended assistant',
      'model.settled',
      'permission.decided',
      'call.started',
      'run a',
      'call.finished',
      'permission.decided',
      'call.started',
      'run c',
      'call.finished',
      'message.appended tool',
      'turn.continued',
      'model.requested',
      'ask',
      'message.appended assistant',
      'model.settled',
      'agent.ended',
    ])
  })

  test('runs neighbouring safe calls side by side and answers in their order', async () => {
    const first = gate<RunOutput>()
    const run = (call: CallInput['call']) => {
      if (call.id === 'a') return first.promise
      first.open(says('a done'))
      return Promise.resolve(says(`${call.id} done`))
    }
    const { facts, end } = live({ ask: [answers.calls], run })
    await end()
    expect(results(facts)).toEqual(['a a done', 'b b done', 'c c done'])
  })

  test('names a port that was not provided', async () => {
    const actor = createActor(agentMachine, { input: agentInput() }).start()
    const { output } = await waitFor(actor, (snapshot) => snapshot.status === 'done')
    expect(output).toMatchObject({ reason: 'failed', failure: { message: 'intake: port "intake" was not provided' } })
  })
})

describe('abort', () => {
  test('reaches the model call', async () => {
    const { actor, signals, log, end, facts } = live({ ask: [gate<AskOutput>().promise] })
    await waitFor(actor, (snapshot) => snapshot.matches({ thinking: 'asking' }))
    actor.send(commands.abort)
    expect(await end()).toMatchObject({ reason: 'aborted_streaming' })
    expect(signals['ask']?.aborted).toBe(true)
    expect(log.at(-1)).toBe('agent.ended')
    expect(messagesOf(facts)).toHaveLength(1)
  })

  test('reaches the tools that run and answers every call', async () => {
    const both = gate<null>()
    const { actor, signals, end, facts } = live({
      ask: [answers.calls],
      run: (call) => {
        if (call.id === 'b') both.open(null)
        return gate<RunOutput>().promise
      },
    })
    await both.promise
    actor.send(commands.abort)
    expect(await end()).toMatchObject({ reason: 'aborted_tools', turn: 1 })
    expect(results(facts)).toEqual(['a! Interrupted by user', 'b! Interrupted by user', 'c! Interrupted by user'])
    expect([signals['a']?.aborted, signals['b']?.aborted, signals['c']]).toEqual([true, true, undefined])
    const finished = facts.flatMap((fact) => (fact.type === 'call.finished' ? [fact.call_id] : []))
    expect(finished.toSorted()).toEqual(['a', 'b', 'c'])
  })

  test('reaches whoever is being asked', async () => {
    let asked: AbortSignal | undefined
    const waiting = gate<AbortSignal>()
    const { actor, end, facts } = live({
      ask: [answers.call],
      judge: { behavior: 'ask', source: 'mode', reason: 'edits' },
      answer: (signal) => {
        asked = signal
        waiting.open(signal)
        return gate<Answer>().promise
      },
    })
    await waiting.promise
    actor.send(commands.abort)
    expect(await end()).toMatchObject({ reason: 'aborted_tools' })
    expect(asked?.aborted).toBe(true)
    expect(results(facts)).toEqual(['a! Interrupted by user'])
    expect(facts.map((fact) => fact.type)).not.toContain('call.started')
  })
})

describe('calls side by side', () => {
  test('are cancelled when one of them throws, and the next batch still runs', async () => {
    const cancelled: string[] = []
    const run = (call: CallInput['call'], signal: AbortSignal) => {
      signal.addEventListener('abort', () => cancelled.push(call.id))
      if (call.id === 'b') return Promise.reject(new Error('ENOSPC'))
      return call.id === 'a' ? gate<RunOutput>().promise : Promise.resolve(says('c done'))
    }
    const { facts, end } = live({ ask: [answers.calls], run })
    expect(await end()).toMatchObject({ reason: 'completed' })
    expect(results(facts)).toEqual(['a! Cancelled: a parallel call failed', 'b! The tool failed: ENOSPC', 'c c done'])
    expect(cancelled).toEqual(['a'])
  })

  test('stop for an interrupt only where the tool says so', async () => {
    const running = gate<RunOutput>()
    const calls = [
      description('a', 'Read', { safe: true, interrupt: 'cancel' }),
      description('b', 'Grep', { safe: true, interrupt: 'block' }),
    ]
    const message = assistant({ content: [use('a', 'Read'), use('b', 'Grep')] })
    const started = gate<null>()
    const run = (call: CallInput['call']) => {
      if (call.id === 'b') started.open(null)
      return call.id === 'b' ? running.promise : gate<RunOutput>().promise
    }
    const { actor, facts, end } = live({ ask: [settled(message, calls)], run })
    await started.promise
    actor.send(commands.interrupt)
    running.open(says('b done'))
    expect(await end()).toMatchObject({ reason: 'completed' })
    expect(results(facts)).toEqual(['a! Stopped: a new message arrived while it ran.', 'b b done'])
  })
})

describe('a conversation', () => {
  test('has one result per call, also when a person stops the agent at one of them', async () => {
    const { facts, end } = live({
      ask: [answers.calls],
      judge: { behavior: 'ask', source: 'mode', reason: 'edits' },
      answer: () => Promise.resolve({ behavior: 'deny', source: 'human', reason: 'no', scope: 'stop' }),
    })
    expect(await end()).toMatchObject({ reason: 'aborted_tools' })
    const [, message, tool] = messagesOf(facts)
    const calls = message?.role === 'assistant' ? callsOf(message).map((call) => call.id) : []
    const answered = tool?.role === 'tool' ? tool.results.map((result) => result.call_id) : []
    expect(answered).toEqual(calls)
    expect(facts.map((fact) => fact.type)).not.toContain('call.started')
  })

  test('goes on with what a person said meanwhile', async () => {
    const first = gate<AskOutput>()
    const { actor, facts, end } = live({ ask: [first.promise, answers.text] })
    await waitFor(actor, (snapshot) => snapshot.matches({ thinking: 'asking' }))
    actor.send(commands.steer)
    first.open(answers.text)
    expect(await end()).toMatchObject({ reason: 'completed', turn: 2 })
    expect(messagesOf(facts).map((message) => message.role)).toEqual(['user', 'assistant', 'user', 'assistant'])
  })
})
