import { describe, expect, test } from 'vitest'
import type { ApprovalFile } from '../../../../src/protocol/permissions/approval-file.ts'
import {
  changeKeys,
  readKeys,
  adviceKeys,
  listKeys,
  mainKeys,
  questionKeys,
  textKeys,
  writeKeys,
} from '../../../../src/ui/tui/state/keys.ts'
import { draftText } from '../../../../src/ui/tui/state/input-line.ts'
import type { ShownCommand } from '../../../../src/ui/tui/state/screen-commands.ts'
import { graceMs, shownQuestion, withQuestions } from '../../../../src/ui/tui/press/question-keys.ts'
import { draftOf, firstUi, pasted, type Moment, type Order, type Ui } from '../../../../src/ui/tui/state/ui.ts'
import { pressed } from '../../../../src/ui/tui/press/ui-state.ts'
import { quietMoment } from '../support/moment.ts'

const names = ['lead', 'ana', 'bo']
const letters = (text: string): readonly string[] => text.split('')

const commands: readonly ShownCommand[] = [
  { name: 'cost', kind: 'local', does: 'shows the cost' },
  { name: 'help', kind: 'screen', does: 'shows help' },
  { name: 'attach', kind: 'screen', does: 'looks' },
  { name: 'review', kind: 'prompt', does: 'reviews' },
  { name: 'review-all', kind: 'prompt', does: 'reviews all' },
]

const moment: Moment = { ...quietMoment, commands: () => commands }

const request = (id: string): ApprovalFile => ({
  v: 1,
  id,
  member: 'ana@demo',
  call_id: 'c',
  tool: 'Bash',
  input: { command: 'make' },
  task: null,
  decision: { behavior: 'ask', source: 'mode', reason: 'default asks' },
  near: [],
  grants: { session: [], save: [] },
  asked_at: 1,
  deadline: null,
})

/** All panes side by side, the lead's in front. */
const panesUi: Ui = { ...firstUi(names, 'lead', 'lead'), zoomed: false }

/** What becomes of the screen under these keys, and what was ordered. */
function type(keys: readonly string[], start: Ui = panesUi, at: Moment = moment) {
  const orders: Order[] = []
  let ui = start
  for (const key of keys) {
    const text = key.length === 1 ? key : ''
    const next = pressed(ui, { name: key, text }, at)
    ui = next.ui
    if (next.order) orders.push(next.order)
  }
  return { ui, orders }
}

describe('what is typed', () => {
  test('goes to the member in front, as mail or at once', () => {
    expect(type([...letters('hi'), 'Enter', 'Tab', ...letters('yo'), 'Ctrl+S']).orders).toEqual([
      { type: 'mail', to: ['lead'], text: 'hi' },
      { type: 'steer', to: ['ana'], text: 'yo' },
    ])
  })

  test('stays with the member it was typed to', () => {
    const { ui, orders } = type([...letters('for lead'), 'Tab', ...letters('for ana'), 'Shift+Tab', 'Enter'])
    expect(orders).toEqual([{ type: 'mail', to: ['lead'], text: 'for lead' }])
    expect(draftText(draftOf({ ...ui, focus: 'ana' }))).toBe('for ana')
  })

  test('nothing is sent when nothing is typed', () => {
    expect(type(['Enter', ' ', 'Ctrl+S']).orders).toEqual([])
  })

  test('is edited by characters as a reader sees them', () => {
    const { ui } = type([...letters('ab'), 'Left', '日', 'Home', 'x', 'End', 'y', 'Backspace', 'Left', 'Backspace'])
    expect(draftOf(ui)).toEqual({ before: 'xa', after: 'b' })
    expect(draftText(draftOf(type(['Backspace'], pasted(ui, '👩‍👩‍👧')).ui))).toBe('xab')
    expect(draftText(draftOf(type([...letters('one two'), 'Ctrl+W']).ui))).toBe('one ')
    expect(draftText(draftOf(type([...letters('one two'), 'Ctrl+U']).ui))).toBe('')
  })

  test('a question mark asks for help only where nothing is typed', () => {
    expect(type(['?']).ui.overlay).toBe('help')
    expect(draftText(draftOf(type([...letters('why?')]).ui))).toBe('why?')
  })
})

describe('what is looked at', () => {
  test('members go round', () => {
    expect(type(['Shift+Tab']).ui.focus).toBe('bo')
    expect(type(['Tab', 'Tab', 'Tab']).ui.focus).toBe('lead')
  })

  test('a pane that is scrolled back stays where it is while more comes', () => {
    const { ui } = type(['PageUp', 'Up'])
    expect(ui.scrolls.get('lead')).toEqual({ back: 10, blocks: 5 })
    const later = type(['Up'], ui, { ...moment, blocks: 99 }).ui
    expect(later.scrolls.get('lead')).toEqual({ back: 11, blocks: 5 })
    expect(type(['PageDown', 'Down', 'Down'], later).ui.scrolls.has('lead')).toBe(false)
    expect(type(['End'], later).ui.scrolls.has('lead')).toBe(false)
  })
})

describe('questions', () => {
  const pending = [request('ana-1-1'), request('ana-1-2')]
  const asked = { ...moment, pending }
  const opened = (now: number): Ui => type(['Ctrl+P'], panesUi, { ...asked, now }).ui
  /** With all of it on the screen. */
  const open = (now: number): Ui => shownQuestion(opened(now), { lines: 3, rows: 5 }, now)

  test('nothing opens when nothing waits', () => {
    expect(type(['Ctrl+P']).ui.overlay).toBeNull()
  })

  test.each([
    ['a', 'allow'],
    ['x', 'deny_stop'],
  ])('%s is an answer', (key, act) => {
    expect(type([key], open(0), asked).orders).toEqual([{ type: 'answer', id: 'ana-1-1', act, advice: '' }])
  })

  test('a denial is written before it is sent, in a line of its own', () => {
    const before = pasted(panesUi, 'for lead')
    const list = shownQuestion(type(['Ctrl+P'], before, { ...asked, now: 0 }).ui, { lines: 1, rows: 5 }, 0)
    const { ui, orders } = type(['d', ...letters('a sad npm?'), 'Backspace', 'Tab', 'Enter'], list, asked)
    expect(orders).toEqual([{ type: 'answer', id: 'ana-1-1', act: 'deny', advice: 'a sad npm' }])
    expect(ui).toMatchObject({ overlay: 'questions', focus: 'lead' })
    expect(draftText(draftOf({ ...ui, overlay: null }))).toBe('for lead')
  })

  test('a denial may say nothing, and be thought better of', () => {
    expect(type(['d', 'Enter'], open(0), asked).orders).toMatchObject([{ act: 'deny', advice: '' }])
    const back = type(['d', ...letters('no'), 'Esc'], open(0), asked)
    expect(back).toMatchObject({ orders: [], ui: { overlay: 'questions' } })
    expect(draftText(draftOf(type(['d'], back.ui, asked).ui))).toBe('no')
  })

  test('a question that is answered elsewhere takes its unsent denial along', () => {
    const writing = type(['d', ...letters('no')], open(0), asked).ui
    expect(withQuestions(writing, [request('ana-1-2')])).toMatchObject({ overlay: 'questions' })
    expect(withQuestions(writing, [])).toMatchObject({ overlay: null, question: null })
  })

  test('an option of a question is picked by its number, once the question was shown', () => {
    const own = { ...request('ana-1-1'), tool: 'AskUser', input: { question: 'Which?', options: ['red', 'blue'] } }
    const asking = { ...moment, pending: [own] }
    const front = type(['Ctrl+P'], panesUi, { ...asking, now: 0 }).ui
    expect(type(['2'], front, asking).orders).toEqual([])
    const read = shownQuestion(front, { lines: 3, rows: 5 }, 0)
    expect(type(['2'], read, { ...asking, now: graceMs - 1 }).orders).toEqual([])
    expect(type(['2'], read, asking).orders).toEqual([{ type: 'answer', id: 'ana-1-1', act: 'deny', advice: '2' }])
    expect(type(['3'], read, asking)).toMatchObject({ orders: [], ui: { note: 'there is no option 3' } })
    const many = { ...asking, pending: [{ ...own, input: { question: 'Which?', options: letters('abcdefghij') } }] }
    expect(type(['1'], read, many).orders).toEqual([])
    expect(type(['1'], opened(0), asked).orders).toEqual([])
  })

  test('what is pasted into the list of questions goes nowhere', () => {
    expect(draftText(draftOf({ ...pasted(open(0), 'a'), overlay: null }))).toBe('')
  })

  test('a key that was on its way to something else is no answer', () => {
    const late = { ...asked, now: 1_000 }
    expect(type(['a'], open(1_000 - graceMs + 1), late).orders).toEqual([])
    expect(type(['a'], open(1_000 - graceMs), late).orders).toHaveLength(1)
  })

  test('when the one in front is answered elsewhere, the next one has its own grace', () => {
    const ui = withQuestions(open(0), [request('ana-1-2')])
    expect(ui.question).toEqual({ id: 'ana-1-2', since: null, top: 0, read: null, also: [] })
    expect(type(['a'], ui, { ...asked, pending: [request('ana-1-2')] }).orders).toEqual([])
  })

  test.each(['a', 's', 'w'])('%s is no answer before the end of the question was shown', (key) => {
    const view = { lines: 12, rows: 5 }
    let ui = shownQuestion(opened(0), view, 0)
    for (const top of [4, 7]) {
      const early = type([key], ui, asked)
      expect([early.orders, early.ui.note]).toEqual([[], 'not allowed: its end was not shown yet · PageDown'])
      ui = shownQuestion(type(['PageDown'], ui, asked).ui, view, 500)
      expect(ui.question?.top).toBe(top)
    }
    expect(type([key], ui, { ...asked, now: 500 + graceMs - 1 }).orders).toEqual([])
    expect(type([key], ui, { ...asked, now: 500 + graceMs }).orders).toHaveLength(1)
    const back = shownQuestion(type(['PageUp', 'k', 'k', 'j'], ui, asked).ui, { lines: 99, rows: 5 }, 600)
    expect(back.question?.top).toBe(2)
    expect(type([key], back, asked).orders).toHaveLength(1)
  })

  test.each(['a', 'x', 'd'])('%s is no answer while nothing of the question was on the screen', (key) => {
    const { ui, orders } = type([key], opened(0), asked)
    expect(orders).toEqual([])
    expect(ui.note).toContain('not on the screen yet')
  })

  test('the next question is unread', () => {
    expect(type(['Down', 'a'], open(0), { ...asked, now: 2_000 }).orders).toEqual([])
  })

  test('a question that comes does not push another one away, and the last one closes the list', () => {
    const ui = open(0)
    expect(withQuestions(ui, [request('bo-1-1'), ...pending]).question?.id).toBe('ana-1-1')
    expect(withQuestions(ui, [])).toMatchObject({ question: null, overlay: null })
  })
})

describe('the list of members', () => {
  const rows = ['bo', 'lead', 'ana'].map((id) => ({ id, leads: 'member' as const }))
  const listed = { ...moment, rows }
  const list = firstUi(names, 'lead', null)

  test('the mode key counts as often as it was pressed, also where both presses come at once', () => {
    expect(type(['M', 'M'], list, listed).orders).toEqual(['lead', 'lead'].map((to) => ({ type: 'mode', to })))
    expect(pressed(list, { name: 'MM', text: 'MM' }, listed).order).toEqual({ type: 'mode', to: 'lead', times: 2 })
  })

  test('selects by row, by number and for as many steps as a held key says', () => {
    expect(type(['k'], list, listed).ui.focus).toBe('bo')
    expect(type(['Down'], list, listed).ui.focus).toBe('ana')
    expect(pressed(list, { name: 'kkk', text: 'kkk' }, listed).ui.focus).toBe('bo')
    expect(type(['3'], list, listed).ui).toMatchObject({ focus: 'bo', view: 'list' })
    expect(type(['9'], list, listed).ui).toMatchObject({ focus: 'lead', note: 'no member has the number 9' })
  })

  test('selects whom a filter names before those of whom it says something', () => {
    const filtered = type(['/', 'a', 'n', 'a', 'Enter', 'Ctrl+X'], list, listed)
    expect([filtered.ui.focus, filtered.orders]).toEqual(['ana', [{ type: 'interrupt', to: 'ana' }]])
    expect(type(['/', 'x', 'Enter'], list, listed).ui.focus).toBe(list.focus)
  })

  test('reads a number digit by digit', () => {
    const many = Array.from({ length: 120 }, (_, n) => `m${n + 1}`)
    const start = firstUi(many, 'm1', null)
    expect(type(['1', '2', '0'], start, listed).ui.focus).toBe('m120')
    expect(type(['1', '2', '0', '5'], start, listed).ui.focus).toBe('m5')
    expect(type(['1', 'Ctrl+L', '2'], start, listed).ui.focus).toBe('m2')
  })

  test('writes to the selected member, or to all that are marked', () => {
    const send = ['m', ...letters('hi'), 'Enter']
    expect(type(send, list, listed).orders).toEqual([{ type: 'mail', to: ['lead'], text: 'hi' }])
    const both = type(['Space', 'j', 'Space', 'm', ...letters('hi'), 'Ctrl+S'], list, listed)
    expect(both.orders).toEqual([{ type: 'steer', to: ['lead', 'ana'], text: 'hi' }])
    expect(both.ui).toMatchObject({ overlay: null, view: 'list', marked: new Set() })
    expect(type(['*', ...send], list, listed).orders).toEqual([{ type: 'mail', to: names, text: 'hi' }])
    expect(type(['*', '*', ...send], list, listed).orders).toMatchObject([{ to: ['lead'] }])
  })

  test('keeps what was typed when it is thought better of', () => {
    const { ui, orders } = type(['m', ...letters('hi'), 'Esc'], list, listed)
    expect(orders).toEqual([])
    expect(draftText(draftOf(type(['m'], ui, listed).ui))).toBe('hi')
  })

  test('takes no text that is pasted, and one that is typed at once presses no key', () => {
    expect(pasted(list, 'm hello')).toBe(list)
    expect(pressed(list, { name: 'mail', text: 'mail' }, listed).ui.overlay).toBeNull()
  })

  test('opens what a row leads to, and comes back', () => {
    const pane = type(['Enter'], list, listed).ui
    expect(pane).toMatchObject({ view: 'panes', zoomed: true, focus: 'lead' })
    expect(type(['Esc'], pane, listed).ui).toMatchObject({ view: 'list', tab: 'members' })
    const asking = { ...moment, rows: [{ id: 'ana-1-1', leads: 'question' as const }], pending: [request('ana-1-1')] }
    const opened = type(['Tab', 'Tab', 'Tab', 'Enter'], list, asking).ui
    expect(opened).toMatchObject({ tab: 'approvals', overlay: 'questions', question: { id: 'ana-1-1', read: null } })
  })
})

test('no key of a key map does two things', () => {
  for (const map of [mainKeys, listKeys, writeKeys, textKeys, questionKeys, adviceKeys, readKeys, changeKeys]) {
    const keys = map.flatMap((binding) => binding.keys)
    expect(new Set(keys).size).toBe(keys.length)
  }
})

describe('a command', () => {
  const line = (ui: Ui): string => draftText(draftOf(ui))

  test('is completed by Tab, as far as all that match agree', () => {
    expect(line(type([...letters('/co'), 'Tab']).ui)).toBe('/cost ')
    expect(line(type([...letters('/re'), 'Tab']).ui)).toBe('/review')
    expect(line(type([...letters('/x'), 'Tab']).ui)).toBe('/x')
    const { ui } = type([...letters('/cost '), 'Tab'])
    expect(ui.focus).toBe('ana')
  })

  test('that is a prompt goes to the member as mail, at once or not', () => {
    expect(type([...letters('/review it'), 'Enter', ...letters('/review'), 'Ctrl+S']).orders).toEqual([
      { type: 'mail', to: ['lead'], text: '/review it' },
      { type: 'steer', to: ['lead'], text: '/review' },
    ])
  })

  test('that is local is done with its words, about the member in front', () => {
    const { ui, orders } = type(['Tab', ...letters('/cost a  b'), 'Enter'])
    expect(orders).toEqual([{ type: 'command', name: 'cost', args: ['a', 'b'], to: 'ana' }])
    expect(line(ui)).toBe('')
  })

  test('of the screen changes the screen, and one that is not there stays typed', () => {
    expect(type([...letters('/attach bo'), 'Enter']).ui).toMatchObject({ focus: 'bo', zoomed: true })
    expect(type([...letters('/attach'), 'Enter']).ui).toMatchObject({ zoomed: false })
    expect(type([...letters('/attach x'), 'Enter']).ui.note).toContain('no member x: lead, ana, bo')
    const { ui, orders } = type([...letters('/cots'), 'Enter'])
    expect(orders).toEqual([])
    expect(line(ui)).toBe('/cots')
    expect(ui.note).toContain('no command /cots')
    expect(ui.note).toContain('/cost?')
    expect(type([...letters(' /cots'), 'Enter']).orders).toEqual([{ type: 'mail', to: ['lead'], text: ' /cots' }])
  })

  test('shows text that is paged and closed, and typing goes on under it', () => {
    const { ui } = type([...letters('/help'), 'Enter'])
    expect(ui).toMatchObject({ overlay: 'output', output: { top: 0 } })
    expect(ui.output?.text).toMatch(/^\/review +reviews$/m)
    expect(type(['PageDown', 'Down'], ui).ui.output?.top).toBe(10)
    expect(type(['Up'], ui).ui.output?.top).toBe(0)
    expect(type(['Esc'], ui).ui).toMatchObject({ overlay: null, output: null })
    expect(line(type(['h', 'i'], ui).ui)).toBe('hi')
  })
})
