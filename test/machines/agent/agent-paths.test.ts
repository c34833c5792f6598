import { describe, expect, test } from 'vitest'
import type { AnyEventObject, SnapshotFrom } from 'xstate'
import { agentMachine } from '../../../machines/agent/agent.ts'
import type { AgentInput, LoopState } from '../../../machines/agent/agent-state.ts'
import { continueReasons, terminalReasons } from '../../../src/protocol/conversation/agent-event.ts'
import { factSchema } from '../../../src/protocol/facts/fact.ts'
import type { AskOutput, IntakeOutput } from '../../../src/protocol/port.ts'
import {
  agentInput,
  answers,
  commands,
  errorOutcome,
  intakes,
  outcome,
  settled,
  assistant,
  escalate,
  verify,
} from '../support/agent-samples.ts'
import { faultsOf } from '../support/conversation.ts'
import { explore, isFinal, restingStates, type Explored } from '../support/explore.ts'
import { childrenOf, doneEvent, errorEvent, factsOf, stateName } from '../support/walk.ts'

type Snapshot = SnapshotFrom<typeof agentMachine>
type Named = readonly (readonly [string, AnyEventObject])[]

interface World {
  readonly input: Partial<AgentInput>
  readonly intake: Record<string, IntakeOutput>
  readonly ask: Record<string, AskOutput>
  readonly calls: readonly ('ok' | 'error' | 'broke' | 'stop' | 'crash')[]
  readonly commands: readonly (keyof typeof commands)[]
  /** Ports may also reject. */
  readonly rejects: boolean
  readonly limit: number
}

const others: Record<string, Record<string, unknown>> = {
  compact: { compacted: { compacted: true }, full: { compacted: false } },
  stopHooks: {
    none: { verdict: 'none' },
    prevent: { verdict: 'prevent' },
    block: { verdict: 'block', messages: ['Not yet.'] },
  },
  verify: {
    none: { verdict: 'none', stop: false },
    stop: { verdict: 'none', stop: true },
    passed: { verdict: 'passed' },
    failed: { verdict: 'failed', report: 'Two tests are red.' },
  },
  stopFailure: { told: undefined },
}

function callEvents(id: string, call: string, ends: World['calls']): Named {
  return ends.map((end) => {
    if (end === 'crash') return [`${id} crashes`, errorEvent(id, 'no such state')]
    if (end === 'ok') return [`${id} ok`, doneEvent(id, outcome(call, 'Read'))]
    const more = { stop: end === 'stop', broke: end === 'broke' }
    return [`${id} ${end}`, doneEvent(id, errorOutcome(call, 'Read', more))]
  })
}

function portEvents(src: string, id: string, world: World): Named {
  const outputs: Record<string, Record<string, unknown>> = { intake: world.intake, ask: world.ask, ...others }
  const answered: Named = Object.entries(outputs[src] ?? {}).map(([name, output]) => [
    `${src}:${name}`,
    doneEvent(id, output),
  ])
  return world.rejects ? [...answered, [`${src} rejects`, errorEvent(id, 'disk full')]] : answered
}

function eventsOf(snapshot: Snapshot, world: World): Named {
  const { steers, followUps } = snapshot.context.state
  const allowed = world.commands.filter(
    (name) => (name !== 'steer' || steers.length === 0) && (name !== 'follow_up' || followUps.length === 0),
  )
  const answered = childrenOf(snapshot).flatMap(({ id, src }) => {
    if (src !== 'toolCall') return portEvents(src, id, world)
    const { calls, results } = snapshot.context.state
    const index = Number(id.slice(id.indexOf('#') + 1))
    return results[index] === undefined ? callEvents(id, calls[index]?.id ?? '', world.calls) : []
  })
  return [...answered, ...allowed.map((name) => [name, commands[name]] as const)]
}

/** What of an agent's state, beside its calls, the next steps can depend on. */
const decisive = [
  'turn',
  'recoveries',
  'shrunk',
  'fitted',
  'verified',
  'refutals',
  'risen',
  'clumsy',
  'rung',
  'parkable',
  'tracker',
] as const satisfies readonly (keyof LoopState)[]

/** What the next steps can depend on, and no more: the calls matter while they run, reasons and names never. */
function keyOf(snapshot: Snapshot): string {
  const { state } = snapshot.context
  const acting = stateName(snapshot).startsWith('acting')
  return JSON.stringify([
    snapshot.value,
    decisive.map((key) => state[key]),
    [state.steers.length, state.followUps.length, state.calls.length, state.end.reason],
    acting
      ? [state.calls.length, state.batch, Object.keys(state.results), state.received, state.skips, state.stopped]
      : [],
  ])
}

function walkAll(world: World): Explored<typeof agentMachine> {
  return explore(agentMachine, {
    input: agentInput(world.input),
    events: (snapshot) => eventsOf(snapshot, world),
    key: keyOf,
    limit: world.limit,
  })
}

const big = settled(assistant({ usage: { input: 1, output: 600, cache_read: 0, cache_write: 0 } }))
const small = settled(assistant({ usage: { input: 1, output: 40, cache_read: 0, cache_write: 0 } }))

const worlds: Record<string, World> = {
  answers: {
    input: { limits: { max_turns: 2 } },
    intake: { go: intakes.go, nothing: intakes.nothing },
    ask: answers,
    calls: ['ok'],
    commands: ['abort'],
    rejects: true,
    limit: 2_000,
  },
  calls: {
    input: { limits: { max_turns: 2 } },
    intake: { go: intakes.go, mail: intakes.mail },
    ask: { calls: answers.calls },
    calls: ['ok', 'error', 'broke', 'stop', 'crash'],
    commands: ['abort', 'interrupt', 'steer'],
    rejects: true,
    limit: 300,
  },
  commands: {
    input: { limits: { max_turns: 2 } },
    intake: intakes,
    ask: { text: answers.text, delegates: answers.delegates },
    calls: ['ok'],
    commands: ['abort', 'wake', 'interrupt', 'steer', 'follow_up'],
    rejects: false,
    limit: 600,
  },
  compacting: {
    input: { limits: { max_turns: 2 } },
    intake: { go: intakes.go },
    ask: { text: answers.text, calls: answers.calls, crowded: { kind: 'crowded' }, overlong: answers.overlong },
    calls: ['ok', 'stop', 'crash'],
    commands: ['abort', 'steer', 'follow_up'],
    rejects: true,
    limit: 2_000,
  },
  full: {
    input: { limits: { max_turns: 2 }, hooked: true, verify },
    intake: { go: intakes.go },
    ask: { text: answers.text, overlong: answers.overlong, broken: answers.broken },
    calls: [],
    commands: ['abort', 'interrupt', 'steer', 'follow_up'],
    rejects: true,
    limit: 2_000,
  },
  budgeted: {
    input: { limits: { max_turns: 9, token_goal: 2_000 } },
    intake: { go: intakes.go },
    ask: { big, small },
    calls: [],
    commands: [],
    rejects: false,
    limit: 200,
  },
  checked: {
    input: { limits: { max_turns: 3 }, verify },
    intake: { go: intakes.go },
    ask: { text: answers.text, change: answers.change },
    calls: ['ok', 'error', 'stop'],
    commands: ['abort', 'steer'],
    rejects: true,
    limit: 2_000,
  },
  rising: {
    input: { limits: { max_turns: 4 }, escalate, verify },
    intake: { go: intakes.go },
    ask: { beyond: answers.beyond, clumsy: answers.clumsy, change: answers.change, fallback: answers.fallback },
    calls: ['ok', 'error'],
    commands: ['abort', 'steer'],
    rejects: false,
    limit: 2_000,
  },
  poor: {
    input: { limits: { max_turns: 3 }, verify },
    intake: { go: intakes.go },
    ask: { lastTurn: answers.lastTurn, lastMoney: answers.lastMoney, text: answers.text, call: answers.call },
    calls: ['ok'],
    commands: ['abort', 'steer'],
    rejects: false,
    limit: 600,
  },
  circling: {
    input: { limits: { max_turns: 9 } },
    intake: { go: intakes.go },
    ask: { call: answers.call },
    calls: ['ok'],
    commands: ['abort'],
    rejects: false,
    limit: 100,
  },
  silent: {
    input: { limits: { max_turns: 9 } },
    intake: { go: intakes.go, owes: intakes.owes },
    ask: { text: answers.text },
    calls: ['ok'],
    commands: ['abort'],
    rejects: false,
    limit: 100,
  },
}

describe('every path of an agent', () => {
  const explored = Object.entries(worlds).map(([name, world]) => ({ name, ...walkAll(world) }))
  const facts = explored.flatMap(({ edges }) => edges.flatMap((walk) => factsOf(walk.effects)))

  test('reaches every state', () => {
    const reached = new Set(explored.flatMap(({ states }) => [...states]))
    expect([...reached].toSorted()).toEqual([...restingStates(agentMachine)].toSorted())
  })

  test.each(explored)('can end ($name)', ({ dead }) => {
    expect(dead).toEqual([])
  })

  test.each(explored)('keeps a valid conversation ($name)', ({ edges }) => {
    const faults = edges.flatMap((walk) =>
      faultsOf(walk.effects, isFinal(walk)).map((fault) => `${walk.path.join(' → ')}: ${fault}`),
    )
    expect(faults.slice(0, 5)).toEqual([])
  })

  test('drives every continue reason and every terminal reason', () => {
    const continued = facts.flatMap((fact) => (fact.type === 'turn.continued' ? [fact.reason] : []))
    const ended = facts.flatMap((fact) => (fact.type === 'agent.ended' ? [fact.reason] : []))
    expect([...new Set(continued)].toSorted()).toEqual([...continueReasons].toSorted())
    expect([...new Set(ended)].toSorted()).toEqual([...terminalReasons].toSorted())
  })

  test('states only facts that the journal takes', () => {
    const distinct = new Map(facts.map((fact) => [JSON.stringify(fact), fact]))
    expect([...distinct.values()].filter((fact) => !factSchema.safeParse(fact).success)).toEqual([])
  })

  test('never counts more turns than it may', () => {
    const over = explored.flatMap(({ edges }) =>
      edges.filter(({ snapshot }) => snapshot.context.state.turn > snapshot.context.card.limits.max_turns),
    )
    expect(over).toEqual([])
  })

  test('ends with the output its last fact says', () => {
    const ends = explored.flatMap(({ edges }) => edges.filter(isFinal))
    for (const { snapshot, effects } of ends) {
      const last = factsOf(effects).at(-1)
      expect(last).toEqual({ type: 'agent.ended', ...snapshot.output })
    }
    expect(ends.length).toBeGreaterThan(0)
  })

  test('loses no word of a person', () => {
    const said = (walk: (typeof explored)[number]['edges'][number]) =>
      walk.path.filter((name) => name === 'steer' || name === 'follow_up').length + 1
    const heard = (walk: (typeof explored)[number]['edges'][number]) =>
      factsOf(walk.effects).filter(
        (fact) => fact.type === 'message.appended' && fact.message.role === 'user' && fact.message.origin === 'person',
      ).length
    for (const walk of explored.flatMap(({ edges }) => edges.filter(isFinal))) {
      expect(`${walk.path.join(' → ')}: ${heard(walk)}`).toBe(`${walk.path.join(' → ')}: ${said(walk)}`)
    }
  })

  test('leaves no child behind', () => {
    const left = explored.flatMap(({ edges }) => edges.filter(isFinal).flatMap(({ snapshot }) => childrenOf(snapshot)))
    expect(left).toEqual([])
  })

  test('rests nowhere without somebody who can answer', () => {
    const silent = explored.flatMap(({ places }) =>
      [...places.values()].filter((walk) => childrenOf(walk.snapshot).length === 0 && !isFinal(walk)),
    )
    expect(new Set(silent.map((walk) => stateName(walk.snapshot)))).toEqual(new Set(['thinking.parked.waiting']))
  })
})
