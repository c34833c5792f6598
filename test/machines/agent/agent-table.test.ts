import { describe, expect, test } from 'vitest'
import { agentMachine } from '../../../machines/agent/agent.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { textOf } from '../../../src/protocol/conversation/message.ts'
import { answers, commands, outcome } from '../support/agent-samples.ts'
import { asked, ends, everything, parkedLead, said, started, type AgentWalk } from '../support/agent-walk.ts'
import { restingStates } from '../support/explore.ts'
import { added, answer, stateName, take, type Effect } from '../support/walk.ts'

/** One way into each state that can be rested in. */
const places: Record<string, () => AgentWalk> = {
  'thinking.taking_in': () => started(),
  'thinking.parked.waiting': parkedLead,
  'thinking.parked.looking': () => take(parkedLead(), commands.wake),
  'thinking.fitting': () => said(asked(), { kind: 'crowded' }),
  'thinking.asking': () => asked(),
  'thinking.shrinking': () => said(asked(everything), answers.overlong),
  'thinking.telling': () => said(asked(everything), answers.broken),
  'thinking.concluding': () => said(asked(everything), answers.text),
  'thinking.verifying': () => answer(said(asked(everything), answers.text), 'stopHooks', { verdict: 'none' }),
  'thinking.closing': () => said(asked(), answers.text),
  'acting.running': () => said(asked(), answers.calls),
  'acting.checking': () => ends(said(asked(everything), answers.change), '0', outcome('a', 'Write')),
  'acting.between': () =>
    ends(ends(said(asked(), answers.calls), '0', outcome('a', 'Read')), '1', outcome('b', 'Grep')),
}

function shortFact(fact: Fact): string {
  if (fact.type === 'turn.continued') return `${fact.reason} ${fact.turn}`
  if (fact.type === 'agent.ended') return `ended ${fact.reason}`
  if (fact.type !== 'message.appended') return fact.type
  const { message } = fact
  return message.role === 'tool' ? `results ${message.results.map(textOf).join('|')}` : `says "${textOf(message)}"`
}

function shortEffect(effect: Effect): string {
  switch (effect.kind) {
    case 'fact':
      return shortFact(effect.fact)
    case 'start':
      return `+${effect.src}`
    case 'stop':
      return '-child'
    case 'send':
      return `${effect.event.type} to ${effect.to}`
    default:
      return 'unknown'
  }
}

function reaction(before: AgentWalk, command: keyof typeof commands): string {
  const after = take(before, commands[command])
  const [from, to] = [stateName(before.snapshot), stateName(after.snapshot)]
  const what = added(before, after).map(shortEffect)
  const { steers, followUps, rung } = after.snapshot.context.state
  const { steers: oldSteers, followUps: oldFollowUps, rung: oldRung } = before.snapshot.context.state
  const kept = [
    ...(steers.length > oldSteers.length ? ['keeps it'] : []),
    ...(followUps.length > oldFollowUps.length ? ['keeps it for the end'] : []),
    ...(rung === oldRung ? [] : [`rung ${String(rung)}`]),
  ]
  return [from === to ? 'stays' : to, ...what, ...kept].join(', ')
}

/** Kept for a later moment: the bell for the next look into the inbox, the words for the next drain point. */
const kept = {
  wake: 'stays, rung normal',
  interrupt: 'stays, rung interrupt',
  steer: 'stays, keeps it',
  follow_up: 'stays, keeps it for the end',
}
const cut = { ...kept, abort: 'done, -child, ended aborted_streaming' }

const table: Record<string, Record<keyof typeof commands, string>> = {
  'thinking.taking_in': cut,
  'thinking.parked.waiting': {
    ...kept,
    abort: 'done, ended aborted_tools',
    wake: 'thinking.parked.looking, +intake',
    interrupt: 'thinking.parked.looking, +intake',
    steer: 'thinking.taking_in, steered 2, says "Look at the tests.", +intake',
  },
  'thinking.parked.looking': {
    ...kept,
    abort: 'done, -child, ended aborted_tools',
    steer: 'thinking.taking_in, -child, steered 2, says "Look at the tests.", +intake',
  },
  'thinking.fitting': cut,
  'thinking.asking': { ...cut, interrupt: 'thinking.taking_in, -child, mail 1, +intake' },
  'thinking.shrinking': cut,
  'thinking.telling': { ...kept, abort: 'done, -child, ended failed' },
  'thinking.concluding': cut,
  'thinking.verifying': { ...kept, abort: 'done, -child, verify.settled, ended aborted_streaming' },
  'thinking.closing': cut,
  'acting.running': {
    ...kept,
    abort: 'stays, abort to 0, abort to 1',
    interrupt: 'stays, interrupt to 0, interrupt to 1, rung interrupt',
    steer: 'stays, skip to 0, skip to 1, keeps it',
  },
  'acting.checking': { ...kept, abort: 'done, -child, verify.settled, ended aborted_tools' },
  'acting.between': {
    ...kept,
    abort: 'done, -child, call.finished, results a done|b done|Interrupted by user, ended aborted_tools',
  },
}

describe('what an agent does with a command', () => {
  test('is said for every state', () => {
    expect([...Object.keys(places), 'done'].toSorted()).toEqual([...restingStates(agentMachine)].toSorted())
    expect(Object.entries(places).map(([name, walk]) => [name, stateName(walk().snapshot)])).toEqual(
      Object.keys(places).map((name) => [name, name]),
    )
  })

  test.each(Object.keys(places))('%s', (place) => {
    const walk = places[place]?.() ?? started()
    const row = Object.fromEntries(
      (Object.keys(commands) as (keyof typeof commands)[]).map((name) => [name, reaction(walk, name)]),
    )
    expect(row).toEqual(table[place])
  })
})
