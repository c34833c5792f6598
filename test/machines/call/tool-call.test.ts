import { describe, expect, test } from 'vitest'
import type { ToolCallCommand } from '../../../machines/call/call-setup.ts'
import { toolCallMachine } from '../../../machines/call/tool-call.ts'
import { errorResult, type ToolResult } from '../../../src/protocol/conversation/message.ts'
import type { Decision } from '../../../src/protocol/permissions/permission.ts'
import type { PermissionOutput } from '../../../src/protocol/port.ts'
import type { CallDescription } from '../../../src/protocol/tools/tool.ts'
import { refusalText } from '../../../src/rules/permissions/refusal-text.ts'
import { description } from '../support/agent-samples.ts'
import { explore, isFinal, restingStates } from '../support/explore.ts'
import {
  added,
  answer,
  begin,
  childrenOf,
  doneEvent,
  errorEvent,
  factsOf,
  reject,
  stateName,
  take,
  type Walk,
} from '../support/walk.ts'

type CallWalk = Walk<typeof toolCallMachine>

const input = { file_path: 'a.ts' }
const allowed: PermissionOutput = { decision: { behavior: 'allow', source: 'mode', reason: 'reads' }, stop: false }
const denial: Decision = { behavior: 'deny', source: 'policy', rule: 'Read(./secrets/**)', reason: 'a rule denies it' }
const denied: PermissionOutput = { decision: denial, stop: false }
const text = (words: string) => ({ type: 'text' as const, text: words })
const ran = { output: { content: [text('1 line')] }, duration_ms: 12 }
const abort: ToolCallCommand = { type: 'abort', at: 1, reason: 'Interrupted by user' }
const interrupt: ToolCallCommand = { type: 'interrupt', at: 1 }
const skip: ToolCallCommand = { type: 'skip', at: 1 }
const skippedText = 'Skipped: a new message arrived before this call began.'
const good: ToolResult = { call_id: 'a', tool: 'Read', content: [text('1 line')], is_error: false }

function opened(more: Partial<CallDescription> = {}, hooked = false): CallWalk {
  return begin(toolCallMachine, { call: description('a', 'Read', { input, ...more }), hooked })
}

function running(more: Partial<CallDescription> = {}): CallWalk {
  return answer(opened(more), 'permission', allowed)
}

function preHooked(): CallWalk {
  return opened({}, true)
}

/** A call that hooks had nothing against. */
function passed(): CallWalk {
  return answer(preHooked(), 'preHooks', { verdict: 'none' })
}

function postHooked(): CallWalk {
  return answer(answer(passed(), 'permission', allowed), 'run', ran)
}

function finished(is_error: boolean, duration_ms = 0) {
  return { type: 'call.finished', call_id: 'a', tool: 'Read', is_error, duration_ms }
}

function endOf(walk: CallWalk): unknown {
  return [walk.snapshot.output, factsOf(walk.effects).at(-1)]
}

/** The end of a call that was answered with an error it never got from its tool. */
function refused(words: string, more: { stop?: boolean; broke?: boolean } = {}): unknown {
  return [{ result: errorResult('a', 'Read', words), stop: false, broke: false, ...more }, finished(true)]
}

describe('a tool call', () => {
  test('that cannot run is answered at once, without asking anybody', () => {
    const walk = opened({ refusal: 'No such tool: Reed. Did you mean Read?', checked: true })
    expect(endOf(walk)).toEqual(refused('No such tool: Reed. Did you mean Read?'))
    expect(factsOf(walk.effects).map(({ type }) => type)).toEqual(['call.refused', 'call.finished'])
    expect(walk.effects).toHaveLength(2)
  })

  test('is an error as long as nothing answered it', () => {
    expect(opened().snapshot.context).toMatchObject({
      outcome: { result: errorResult('a', 'Read', 'The call did not settle.'), stop: false, broke: false },
      output: { content: [] },
    })
  })

  test('is permitted, run, and answered with what the tool said', () => {
    const before = opened()
    expect(stateName(before.snapshot)).toBe('permitting')
    expect(before.effects).toEqual([
      {
        kind: 'start',
        src: 'permission',
        id: '0.toolCall.permitting',
        input: { call: description('a', 'Read', { input }) },
      },
    ])
    const run = answer(before, 'permission', allowed)
    expect(added(before, run).slice(1)).toEqual([
      { kind: 'fact', fact: { type: 'call.started', call_id: 'a', tool: 'Read' } },
      {
        kind: 'start',
        src: 'run',
        id: '0.toolCall.running',
        input: { call: description('a', 'Read', { input }), attempt: 1 },
      },
    ])
    const walk = answer(run, 'run', ran)
    expect(walk.snapshot.output).toEqual({ result: good, stop: false, broke: false })
    expect(factsOf(added(run, walk))).toEqual([finished(false, 12)])
  })

  test('passes on an error that the tool answered with, and whether it broke off', () => {
    const output = { content: [text('No such file.')], isError: true }
    const error = { ...good, content: [text('No such file.')], is_error: true }
    const walk = answer(running(), 'run', { output, duration_ms: 3 })
    expect(walk.snapshot.output).toEqual({ result: error, stop: false, broke: false })
    expect(factsOf(walk.effects).at(-1)).toEqual(finished(true, 3))
    const broke = answer(running(), 'run', { output: { ...output, broke: true }, duration_ms: 3 })
    expect(broke.snapshot.output).toEqual({ result: error, stop: false, broke: true })
  })

  test('whose tool throws has broken off', () => {
    expect(endOf(reject(running(), 'run', 'ENOSPC'))).toEqual(refused('The tool failed: ENOSPC', { broke: true }))
  })

  test('says what was thrown though it was no error', () => {
    const walk = running()
    expect(
      endOf(take(walk, { type: 'xstate.error.actor.0.toolCall.running', actorId: '0.toolCall.running', error: 'odd' })),
    ).toEqual(refused('The tool failed: odd', { broke: true }))
  })
})

describe('the check of meaning', () => {
  test('comes before permission, when the tool has one', () => {
    const walk = opened({ checked: true })
    expect(stateName(walk.snapshot)).toBe('validating')
    expect(walk.effects).toEqual([
      {
        kind: 'start',
        src: 'validate',
        id: '0.toolCall.validating',
        input: { call: description('a', 'Read', { input, checked: true }) },
      },
    ])
    expect(stateName(answer(walk, 'validate', { complaint: null }).snapshot)).toBe('permitting')
  })

  test('answers with the complaint, or with its own failure', () => {
    const walk = opened({ checked: true })
    expect(endOf(answer(walk, 'validate', { complaint: 'a.ts does not exist' }))).toEqual(
      refused('ValidationError: a.ts does not exist'),
    )
    expect(endOf(reject(walk, 'validate', 'EIO'))).toEqual(refused('ValidationError: the check itself failed: EIO'))
  })
})

describe('permission', () => {
  test('that is not given is explained to the model', () => {
    expect(endOf(answer(opened(), 'permission', denied))).toEqual(refused(refusalText(denial)))
    expect(endOf(answer(opened(), 'permission', { ...denied, stop: true }))).toEqual(
      refused(refusalText(denial), { stop: true }),
    )
  })

  test('that is still a question is not given', () => {
    const open = { behavior: 'ask', source: 'mode', reason: 'edits' } as const
    expect(stateName(answer(opened(), 'permission', { decision: open, stop: false }).snapshot)).toBe('settled')
  })

  test('that cannot be decided is not given', () => {
    expect(endOf(reject(opened(), 'permission', 'lost'))).toEqual(
      refused('Not permitted: the permission check failed: lost'),
    )
  })

  test('may change the input', () => {
    const run = answer(opened(), 'permission', { ...allowed, updated_input: { file_path: 'b.ts' } })
    expect(run.effects.at(-1)).toMatchObject({ src: 'run', input: { call: { input: { file_path: 'b.ts' } } } })
  })

  test('may come with the wish to end the run after this call', () => {
    const run = answer(opened(), 'permission', { ...allowed, stop: true })
    expect(answer(run, 'run', ran).snapshot.output).toEqual({ result: good, stop: true, broke: false })
    expect(endOf(reject(run, 'run', 'gone'))).toEqual(refused('The tool failed: gone', { stop: true, broke: true }))
  })
})

describe('hooks', () => {
  test('before the call see it, and may change its input', () => {
    const before = preHooked()
    expect(before.effects.at(-1)).toMatchObject({ src: 'preHooks', input: { call: { input } } })
    const changed = answer(before, 'preHooks', { verdict: 'none', updated_input: { file_path: 'c.ts' } })
    expect(stateName(changed.snapshot)).toBe('validating')
    const judged = answer(changed, 'validate', { complaint: null })
    expect(stateName(judged.snapshot)).toBe('permitting')
    const run = answer(judged, 'permission', allowed)
    expect(run.effects.at(-1)).toMatchObject({ src: 'run', input: { call: { input: { file_path: 'c.ts' } } } })
    expect(stateName(answer(judged, 'permission', denied).snapshot)).toBe('denied_hooks')
    expect(passed().effects.at(-1)).toMatchObject({ src: 'permission', input: { call: { input } } })
  })

  test('come before the rules, which weigh what they think', () => {
    const opinion = { behavior: 'allow', reason: 'safe' } as const
    const walk = answer(preHooked(), 'preHooks', { verdict: 'none', opinion })
    expect(walk.effects.at(-1)).toMatchObject({ src: 'permission', input: { call: { input, opinion } } })
    expect(stateName(answer(opened({ checked: true }, true), 'validate', { complaint: null }).snapshot)).toBe(
      'pre_hooks',
    )
  })

  test('may end the run, before the call and after it', () => {
    const before = answer(preHooked(), 'preHooks', { verdict: 'block', message: 'enough', stop: true })
    expect(before.snapshot.output).toMatchObject({ stop: true })
    const after = answer(postHooked(), 'postHooks', { note: null, instead: 'hidden', stop: true })
    expect(after.snapshot.output).toMatchObject({ stop: true, result: { content: [text('hidden')] } })
  })

  test('may block it, also by failing', () => {
    expect(endOf(answer(preHooked(), 'preHooks', { verdict: 'block', message: 'not on main' }))).toEqual(
      refused('Blocked by a hook: not on main'),
    )
    expect(endOf(reject(preHooked(), 'preHooks', 'hook gone'))).toEqual(
      refused('Blocked: a hook before this call failed: hook gone'),
    )
  })

  test('after it may add a note, and cannot take the answer away', () => {
    const before = postHooked()
    expect(before.effects.at(-1)).toEqual({
      kind: 'start',
      src: 'postHooks',
      id: '0.toolCall.post_hooks',
      input: { call: description('a', 'Read', { input }), output: ran.output, duration_ms: 12 },
    })
    const silent = answer(before, 'postHooks', { note: null })
    expect(silent.snapshot.output).toEqual({ result: good, stop: false, broke: false })
    expect(factsOf(silent.effects).at(-1)).toEqual(finished(false, 12))
    const noted = answer(before, 'postHooks', { note: 'formatted' })
    expect(noted.snapshot.output?.result).toEqual({ ...good, content: [text('1 line'), text('formatted')] })
    const failing = reject(before, 'postHooks', 'gone')
    expect(failing.snapshot.output?.result).toEqual({
      ...good,
      content: [text('1 line'), text('A hook after this call failed: gone')],
    })
  })
})

describe('a call of a tool that was not looked up', () => {
  const deferred = { why: 'Look it up first.', denied: false }
  const later = (more: object = {}, hooked = false) =>
    opened({ deferred: { ...deferred, ...more }, gated: true }, hooked)
  const turnedBack = { verdict: 'block', message: deferred.why, why: 'deferred' } as const

  test('asks nobody, and is turned back by the last gate in its own words', () => {
    const walk = later()
    expect(stateName(walk.snapshot)).toBe('gating')
    const back = answer(walk, 'gate', turnedBack)
    expect(endOf(back)).toEqual(refused('Look it up first.'))
    const reason = 'Look it up first.'
    expect(factsOf(back.effects)).toEqual([
      { type: 'call.refused', call_id: 'a', tool: 'Read', why: 'deferred', reason },
      finished(true),
    ])
  })

  test('is told of its limit instead, when that is reached', () => {
    const limited = { limit: 1, then: 'block' } as const
    const back = answer(later(), 'gate', { verdict: 'block', message: 'Used up.', limited })
    expect(endOf(back)).toEqual(refused('Blocked: Used up.'))
    expect(factsOf(back.effects).map(({ type }) => type)).toEqual(['call.limited', 'call.finished'])
  })

  test('is shown to hooks first, which may block it or answer it, and whose change of its input is of no use', () => {
    const walk = later({}, true)
    expect(stateName(walk.snapshot)).toBe('pre_hooks')
    expect(endOf(answer(walk, 'preHooks', { verdict: 'block', message: 'no' }))).toEqual(
      refused('Blocked by a hook: no'),
    )
    expect(stateName(answer(walk, 'preHooks', { verdict: 'answer', output: ran.output }).snapshot)).toBe('post_hooks')
    expect(stateName(answer(walk, 'preHooks', { verdict: 'none', updated_input: {} }).snapshot)).toBe('gating')
  })

  test('that is denied anyway is told that, and does not run even when the denial is lifted meanwhile', () => {
    const walk = later({ denied: true })
    expect(stateName(walk.snapshot)).toBe('permitting')
    expect(endOf(answer(walk, 'permission', denied))).toEqual(refused(refusalText(denial)))
    expect(stateName(answer(walk, 'permission', allowed).snapshot)).toBe('gating')
  })
})

/** What a call does with a command, in each state that can be rested in. */
const table: Record<
  string,
  readonly [place: () => CallWalk, abort: string | null, interrupt: string | null, skip?: string]
> = {
  validating: [() => opened({ checked: true }), 'Interrupted by user', skippedText, skippedText],
  permitting: [() => opened(), 'Interrupted by user', skippedText, skippedText],
  denied_hooks: [() => answer(passed(), 'permission', denied), refusalText(denial), null],
  gating: [
    () => answer(opened({ gated: true }), 'permission', allowed),
    'Interrupted by user',
    skippedText,
    skippedText,
  ],
  pausing: [
    () => answer(running({ interrupt: 'cancel' }), 'run', { ...ran, again_ms: 500 }),
    'Interrupted by user',
    'Stopped: a new message arrived before it ran again.',
  ],
  pre_hooks: [() => preHooked(), 'Interrupted by user', skippedText, skippedText],
  running: [
    () => running({ interrupt: 'cancel' }),
    'Interrupted by user',
    'Stopped: a new message arrived while it ran.',
  ],
  post_hooks: [() => postHooked(), '1 line', null],
}

describe('what a tool call does with a command', () => {
  test('is said for every state', () => {
    expect([...Object.keys(table), 'settled'].toSorted()).toEqual([...restingStates(toolCallMachine)].toSorted())
  })

  test.each(Object.entries(table))('%s', (name, [place, aborted, interrupted, skipped = null]) => {
    const walk = place()
    expect(stateName(walk.snapshot)).toBe(name)
    for (const [command, words] of [
      [abort, aborted],
      [interrupt, interrupted],
      [skip, skipped],
    ] as const) {
      const after = take(walk, command)
      expect(stateName(after.snapshot)).toBe(words === null ? name : 'settled')
      expect(added(walk, after).map((effect) => effect.kind)).toEqual(
        words === null ? [] : ['stop', 'fact'].slice(name === 'pausing' ? 1 : 0),
      )
      expect(after.snapshot.output?.result.content).toEqual(words === null ? undefined : [text(words)])
    }
  })

  test('one that never began says so in its result and in its end', () => {
    const walk = take(opened(), skip)
    expect(walk.snapshot.output).toMatchObject({ result: { is_error: true, skipped: true }, stop: false, broke: false })
    expect(factsOf(walk.effects).at(-1)).toMatchObject({ type: 'call.finished', is_error: true, skipped: true })
  })

  test('a running tool that blocks is not interrupted', () => {
    const walk = take(running({ interrupt: 'block' }), interrupt)
    expect(stateName(walk.snapshot)).toBe('running')
  })
})

const pauseEnds = { type: 'xstate.after.pause.toolCall.pausing' }

describe('every path of a tool call', () => {
  const outputs: Record<string, readonly unknown[]> = {
    validate: [{ complaint: null }, { complaint: 'no' }],
    permission: [allowed, denied, { ...denied, stop: true }],
    preHooks: [
      { verdict: 'none' },
      { verdict: 'none', updated_input: {} },
      { verdict: 'block', message: 'no' },
      { verdict: 'answer', output: ran.output },
    ],
    deniedHooks: [{ note: null }, { note: 'noted' }],
    gate: [
      { verdict: 'run' },
      { verdict: 'run', limited: { limit: 2, then: 'steer', steer: 'enough' } },
      { verdict: 'block', message: 'no', limited: { limit: 2, then: 'block' } },
      { verdict: 'block', message: 'no', why: 'deferred' },
      { verdict: 'answer', output: ran.output, of: 'z' },
    ],
    run: [ran, { output: { content: [], isError: true, broke: true }, duration_ms: 1 }, { ...ran, again_ms: 500 }],
    postHooks: [{ note: null }, { note: 'noted' }],
  }
  const explored = [true, false].map((hooked) =>
    explore(toolCallMachine, {
      input: { call: description('a', 'Read', { checked: true, interrupt: 'cancel', gated: true }), hooked },
      events: (snapshot) => [
        ...childrenOf(snapshot).flatMap(({ id, src }) => [
          ...(outputs[src] ?? []).map((output, index) => [`${src} ${index}`, doneEvent(id, output)] as const),
          [`${src} rejects`, errorEvent(id, 'gone')] as const,
        ]),
        ...(stateName(snapshot) === 'pausing' ? [['the pause ends', pauseEnds] as const] : []),
        ['abort', abort],
        ['interrupt', interrupt],
        ['skip', skip],
      ],
      key: ({ value, output, context: { shown, attempt, limited } }) =>
        JSON.stringify([value, output, shown, Math.min(attempt, 2), limited]),
      limit: 400,
    }),
  )
  const edges = explored.flatMap((walked) => walked.edges)

  test('reaches every state and can end', () => {
    expect(new Set(explored.flatMap(({ states }) => [...states]))).toEqual(restingStates(toolCallMachine))
    expect(explored.flatMap(({ dead }) => dead)).toEqual([])
  })

  test('ends with one result, stated once, and is started at most once before', () => {
    for (const walk of edges) {
      const types = factsOf(walk.effects).map((fact) => fact.type)
      const starts = walk.effects.filter((effect) => effect.kind === 'start' && effect.src === 'run').length
      const expected = [...(starts > 0 ? ['call.started'] : []), ...(isFinal(walk) ? ['call.finished'] : [])]
      const borders = types.filter((type) => type === 'call.started' || type === 'call.finished')
      expect([walk.path.join(), ...borders]).toEqual([walk.path.join(), ...expected])
      const retried = types.filter((type) => type === 'call.retried').length
      expect(starts === 0 || starts === retried + 1 || starts === retried).toBe(true)
      expect(walk.snapshot.output?.result.call_id).toBe(isFinal(walk) ? 'a' : undefined)
    }
  })
})
