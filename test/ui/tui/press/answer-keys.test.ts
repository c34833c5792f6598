import { fc, test as check } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import type { ApprovalFile } from '../../../../src/protocol/permissions/approval-file.ts'
import { changedInput } from '../../../../src/projections/screen/changed-call.ts'
import { keysFor } from '../../../../src/ui/tui/state/keys.ts'
import { draftText } from '../../../../src/ui/tui/state/input-line.ts'
import { graceMs, pastedAt, shownQuestion, withQuestions } from '../../../../src/ui/tui/press/question-keys.ts'
import { pressed } from '../../../../src/ui/tui/press/ui-state.ts'
import { draftOf, firstUi, type Moment, type Order, type Ui } from '../../../../src/ui/tui/state/ui.ts'

const bash = (id: string, input: unknown = { command: 'git push' }, tool = 'Bash'): ApprovalFile => ({
  v: 1,
  id,
  member: 'ana@demo',
  call_id: 'c',
  tool,
  input,
  task: null,
  decision: { behavior: 'ask', source: 'mode', reason: 'default asks' },
  near: [],
  grants: { session: [], save: [] },
  asked_at: 1,
  deadline: null,
})

const own = bash('ana-2-1', { question: 'Which?', options: ['red', 'blue'] }, 'AskUser')

const at = (pending: readonly ApprovalFile[], now: number): Moment => ({
  pending,
  page: 10,
  questionPage: 5,
  blocks: 0,
  rows: [],
  now,
  commands: () => [],
  transcript: () => {
    throw new Error('nothing is read here')
  },
})

/** The screen with the first question in front, read to its end. */
function reading(pending: readonly ApprovalFile[]): Ui {
  const start = { ...firstUi(['lead', 'ana'], 'lead', 'lead'), zoomed: false }
  const { ui } = pressed(start, { name: 'Ctrl+P', text: '' }, at(pending, 0))
  return shownQuestion(ui, { lines: 1, rows: 5 }, 0)
}

function type(keys: readonly string[], start: Ui, moment: Moment) {
  const orders: Order[] = []
  let ui = start
  for (const key of keys) {
    const next = pressed(ui, { name: key, text: key.length === 1 ? key : '' }, moment)
    ui = next.ui
    if (next.order) orders.push(next.order)
  }
  return { ui, orders }
}

describe('a call that is changed', () => {
  const pending = [bash('ana-1-1', { command: 'git push --force', timeout: 5 })]

  test('is allowed as it was typed, with the rest of its input', () => {
    const erase = Array.from({ length: 8 }, () => 'Backspace')
    const { ui, orders } = type(['e', ...erase, 'Enter'], reading(pending), at(pending, 1_000))
    const input = { command: 'git push', timeout: 5 }
    expect(orders).toEqual([{ type: 'answer', id: 'ana-1-1', act: 'allow', advice: '', input }])
    expect(ui.overlay).toBe('questions')
  })

  test('can be changed by whom it was shown to its end, and not by a key that came too soon', () => {
    const unread: Ui = { ...reading(pending), question: { id: 'ana-1-1', since: 0, top: 0, read: null, also: [] } }
    expect(type(['e'], unread, at(pending, 1_000)).ui.overlay).toBe('questions')
    expect(type(['e'], reading(pending), at(pending, graceMs - 1)).ui.overlay).toBe('questions')
  })

  test('is gone through by lines', () => {
    const plan = [bash('ana-1-1', { plan: 'one\ntwo\nthree' }, 'ExitPlanMode')]
    const { orders } = type(
      ['e', 'Up', 'Backspace', 'Down', 'End', 'Backspace', 'Enter'],
      reading(plan),
      at(plan, 1_000),
    )
    expect(orders).toMatchObject([{ input: { plan: 'one\ntw\nthre' } }])
  })

  test('goes to an editor as a file of its kind', () => {
    const plan = [bash('ana-1-1', { plan: '# Do it' }, 'ExitPlanMode')]
    const { orders } = type(['e', 'Ctrl+O'], reading(plan), at(plan, 1_000))
    expect(orders).toEqual([{ type: 'change', name: 'plan.md', text: '# Do it' }])
  })

  test('is not allowed while it is no input', () => {
    expect(changedInput(bash('a-1-1', { a: 1 }), '{ "a": 2')).toHaveProperty('trouble', expect.stringContaining('JSON'))
    expect(changedInput(bash('a-1-1', { a: 1 }), '[]')).toHaveProperty('trouble', expect.stringContaining('object'))
    expect(changedInput(bash('a-1-1', { command: 'ls' }), ' ')).toEqual({ trouble: 'the command is empty' })
    expect(changedInput(bash('a-1-1', { a: 1 }), '{ "a": 2 }')).toEqual({ input: { a: 2 } })
  })
})

test('calls of one tool are judged together once all of them were shown, and no call that came later', () => {
  const pending = [bash('ana-1-1'), bash('bo-1-1'), bash('bo-1-2', { file_path: 'a' }, 'Edit'), own]
  const batch = type(['b'], reading(pending), at(pending, 1_000)).ui
  expect(batch.question).toMatchObject({ also: ['bo-1-1'], read: null })
  const later = [...pending, bash('cy-1-1')]
  expect(type(['a'], batch, at(later, 2_000)).orders).toEqual([])
  const shown = shownQuestion(batch, { lines: 9, rows: 9 }, 2_000)
  expect(type(['a'], shown, at(later, 3_000)).orders).toEqual([
    { type: 'answer', id: 'ana-1-1', act: 'allow', advice: '', also: ['bo-1-1'] },
  ])
  expect(type(['b'], shown, at(later, 3_000)).ui.question).toMatchObject({ also: [], read: null })
})

describe("a member's own question", () => {
  test('is answered with the words that are typed, the first letter among them', () => {
    const { orders } = type(['a', 'p', 'p', 'l', 'e', 's', 'Enter'], reading([own]), at([own], 1_000))
    expect(orders).toEqual([{ type: 'answer', id: own.id, act: 'deny', advice: 'apples' }])
  })

  test('takes text that is pasted, and none that came too soon', () => {
    const ui = pastedAt(reading([own]), 'two\nlines', at([own], 1_000))
    expect([ui.overlay, draftText(draftOf(ui))]).toEqual(['advice', 'two\nlines'])
    expect(pastedAt(reading([own]), 'too soon', at([own], graceMs - 1)).overlay).toBe('questions')
    const call = [bash('ana-1-1')]
    expect(pastedAt(reading(call), 'a', at(call, 1_000))).toEqual(reading(call))
  })
})

const asks = [
  bash('ana-1-1'),
  bash('ana-1-2'),
  bash('bo-1-1'),
  bash('bo-1-2', { question: 'Which?', options: ['red', 'blue'] }, 'AskUser'),
  bash('bo-1-2.2', { question: 'Which of them?', options: ['red', 'blue'], several: true }, 'AskUser'),
] as const
const keys = ['a', 's', 'w', 'b', 'e', 'd', 'x', 'Enter', 'Esc', 'Down', 'Up', 'Ctrl+P', '1'] as const
const step = fc.oneof(
  fc.record({ key: fc.constantFrom(...keys) }),
  fc.record({ asks: fc.constantFrom(...asks) }),
  fc.record({ withdraws: fc.constantFrom(...asks) }),
  fc.record({ draws: fc.boolean() }),
  fc.record({ waits: fc.constantFrom(1, 50, 150, 250) }),
)

/** Since when a person sees each question: something of it, and its end. */
interface Sight {
  readonly begun: Map<string, number>
  readonly whole: Map<string, number>
}

check.prop([fc.array(step, { minLength: 20, maxLength: 120 })], { numRuns: 200 })(
  'no key decides a question that was not on the screen before, nor allows one whose end was not, however questions come and go',
  (steps) => {
    let now = 1_000
    let pending: readonly ApprovalFile[] = []
    let ui: Ui = { ...firstUi(['lead', 'ana', 'bo'], 'lead', 'lead'), zoomed: false }
    const sight: Sight = { begun: new Map(), whole: new Map() }
    const leave = (gone: readonly string[]): void => {
      pending = pending.filter(({ id }) => !gone.includes(id))
      for (const id of gone) for (const map of [sight.begun, sight.whole]) map.delete(id)
      ui = withQuestions(ui, pending)
    }
    for (const each of steps) {
      if ('waits' in each) now += each.waits
      else if ('asks' in each) {
        if (!pending.includes(each.asks)) pending = [...pending, each.asks]
        ui = withQuestions(ui, pending)
      } else if ('withdraws' in each) leave([each.withdraws.id])
      else if ('draws' in each) {
        if (ui.overlay !== 'questions' || ui.question === null) continue
        const { id, also } = ui.question
        ui = shownQuestion(ui, { lines: 9, rows: each.draws ? 9 : 3 }, now)
        for (const one of [id, ...also]) {
          if (!sight.begun.has(one)) sight.begun.set(one, now)
          if (each.draws && !sight.whole.has(one)) sight.whole.set(one, now)
        }
      } else {
        const stroke = { name: each.key, text: each.key.length === 1 ? each.key : '' }
        const { ui: next, order } = pressed(ui, stroke, at(pending, now))
        ui = next
        if (order?.type !== 'answer') continue
        const decided = [order.id, ...(order.also ?? [])]
        const seen = order.act === 'deny' || order.act === 'deny_stop' ? sight.begun : sight.whole
        for (const id of decided) expect(now - (seen.get(id) ?? Infinity)).toBeGreaterThanOrEqual(graceMs)
        leave(decided)
      }
    }
  },
)

test('numbers begin an answer where several options may be chosen, and each option is named by its number', () => {
  const several = asks[4]
  expect(keysFor('questions', several).flatMap((each) => each.keys)).not.toContain('1')
  const { orders } = type(['1', ',', '2', 'Enter'], reading([several]), at([several], 1_000))
  expect(orders).toEqual([{ type: 'answer', id: several.id, act: 'deny', advice: '1,2' }])
})

test('the digits of the options are keys, no others; without options a digit begins the answer', () => {
  const keys = (options: readonly string[]) =>
    keysFor('questions', bash('ana-2-1', { question: 'Which?', options }, 'AskUser')).flatMap((each) => each.keys)
  expect(keys(['red', 'blue']).filter((key) => /\d/.test(key))).toEqual(['1', '2'])
  expect(keys([]).filter((key) => /\d/.test(key))).toEqual([])
  expect(type(['3'], reading([own]), at([own], 1_000)).ui.note).toBe('there is no option 3')
  const open = bash('ana-2-1', { question: 'How many?' }, 'AskUser')
  const { ui } = type(['3'], reading([open]), at([open], 1_000))
  expect([ui.overlay, draftText(draftOf(ui))]).toEqual(['advice', '3'])
})
