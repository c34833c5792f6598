import { describe, expect, test } from 'vitest'
import type { AnyStateNode } from 'xstate'
import { agentMachine } from '../../../machines/agent/agent.ts'
import { toolCallMachine } from '../../../machines/call/tool-call.ts'
import { coordinatorMachine } from '../../../machines/coordinator/coordinator.ts'
import { memberMachine } from '../../../machines/member/member.ts'
import {
  chartStates,
  chartText,
  coordinatorChart,
  type ChartState,
} from '../../../src/projections/screen/chart-states.ts'
import { applyCoordinator, firstCoordinatorView } from '../../../src/projections/screen/coordinator-view.ts'
import { applyRoster, emptyRoster } from '../../../src/projections/screen/roster.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { appended, recordedOf, says } from '../journal-of.ts'

const machines = {
  member: memberMachine.root,
  agent: agentMachine.root,
  'tool-call': toolCallMachine.root,
  coordinator: coordinatorMachine.root,
} as const satisfies Record<ChartState['chart'], AnyStateNode>

function chartsAfter(...facts: readonly Fact[]): readonly ChartState[] {
  const roster = emptyRoster(['historian'])
  for (const recorded of recordedOf(...facts.map((fact) => ['historian', fact] as const))) applyRoster(roster, recorded)
  const view = roster.get('historian')
  return view ? chartStates(view) : []
}

const woke: Fact = { type: 'member.woke' }
const asks: Fact = { type: 'model.requested', turn: 2, model: 'scripted/demo.script.yaml' }
const calls = appended(
  says(
    '',
    { id: 'c1', name: 'Bash', input: { command: 'git log' } },
    { id: 'c2', name: 'Read', input: { file_path: '/a' } },
  ),
)
const starts: Fact = { type: 'call.started', call_id: 'c1', tool: 'Bash' }
const decision = { behavior: 'ask', source: 'mode', reason: 'it asks' } as const
const waits: Fact = {
  type: 'permission.requested',
  call_id: 'c2',
  tool: 'Read',
  request: 'r',
  decision,
  deadline: null,
}

const lives: readonly (readonly Fact[])[] = [
  [],
  [{ type: 'member.started', incarnation: 'i', executor: 'process', pid: 1 }],
  [woke, asks],
  [
    woke,
    asks,
    { type: 'model.paused', until: 5, turn: 2, failure: { code: 'rate_limit', message: '' } } as unknown as Fact,
  ],
  [woke, asks, { type: 'agent.parked', turn: 2 }],
  [woke, asks, calls, starts, waits],
  [woke, { type: 'member.idled', reason: 'waiting_for_answer', waiting_for: ['ana'] }],
  [{ type: 'member.drained' }],
  [{ type: 'member.gone', reason: 'done' }],
  [woke, { type: 'member.crashed', member: 'historian', error: 'exit 137' }],
]

describe('the charts of a member in words', () => {
  test.each(lives)('names states that its charts have: %j', (...facts) => {
    const charts = chartsAfter(...facts)
    for (const { chart, path } of charts) {
      let node: AnyStateNode | undefined = machines[chart]
      for (const name of path) node = node?.states[name]
      expect(node, `${chart} ${path.join(' ')}`).toBeDefined()
    }
  })

  test('are its life, its loop and each call that has not ended', () => {
    expect(chartsAfter(woke, asks, calls, starts, waits).map(chartText)).toEqual([
      'member living › busy: its agent works',
      'agent acting › running: turn 2: its calls are carried out',
      'tool-call permitting: Read(/a) waits for a person',
      'tool-call running: Bash(git log)',
    ])
  })

  test('say for whom it waits', () => {
    expect(
      chartsAfter(woke, { type: 'member.idled', reason: 'waiting_for_answer', waiting_for: ['ana'] }).map(chartText),
    ).toEqual(['member living › idle: waits for its bell or for a person · waiting for ana'])
  })
})

test('every state of the coordinator has words, and its requests are named', () => {
  for (const state of Object.keys(coordinatorMachine.root.states)) {
    const coordinator = firstCoordinatorView()
    for (const recorded of recordedOf(['team', { type: 'coordinator.moved', state, tools: [] }]))
      applyCoordinator(coordinator, recorded)
    expect(coordinatorChart(coordinator).words).not.toContain('has not begun')
  }
  const coordinator = firstCoordinatorView()
  const request = { task: 'Go.', mail_id: 'm', attempt: 1, deadline: null } as const
  const facts: readonly Fact[] = [
    { type: 'coordinator.moved', state: 'gathering', tools: [] },
    { type: 'request.opened', request: 'r1', worker: 'ana', ...request },
    { type: 'request.opened', request: 'r2', worker: 'bo', ...request },
    { type: 'request.held', request: 'r3', worker: 'cy', task: 'Go.', depends_on: ['r2'], limit_ms: null },
    { type: 'request.settled', request: 'r1', worker: 'ana', status: 'done' },
  ]
  for (const recorded of recordedOf(...facts.map((fact) => ['team', fact] as const)))
    applyCoordinator(coordinator, recorded)
  expect(chartText(coordinatorChart(coordinator))).toBe(
    'coordinator gathering: a round of requests is out · out: bo · held back: cy',
  )
})
