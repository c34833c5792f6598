import { describe, expect, test } from 'vitest'
import type { ChoiceOption } from '../../../../src/runtime/settings/list-options.ts'
import { withOptions } from '../../../../src/ui/tui/press/choice-keys.ts'
import { pressed } from '../../../../src/ui/tui/press/ui-state.ts'
import { draftText } from '../../../../src/ui/tui/state/input-line.ts'
import type { OptionList } from '../../../../src/ui/tui/state/option-list.ts'
import { draftOf, firstUi, type Moment, type Order, type Ui } from '../../../../src/ui/tui/state/ui.ts'
import { quietMoment } from '../support/moment.ts'

const names = ['lead', 'ana', 'bo']
const gate = 'is opened at the start of a run or not at all'

function option(value: string, held: readonly string[] = [], refused: string | null = null): ChoiceOption {
  return { value, held, refused, card: null }
}

const modes = [option('default'), option('acceptEdits', ['ana']), option('plan'), option('bypassPermissions', [], gate)]
const models = Array.from({ length: 12 }, (_, n) => option(`maker/model-${n + 1}`))

/** The screen and the orders after these keys; the rows of a list of options are those that its filter leaves. */
function type(keys: readonly string[], start: Ui): { readonly ui: Ui; readonly orders: readonly Order[] } {
  const orders: Order[] = []
  let ui = start
  for (const key of keys) {
    const words = draftText(draftOf(ui))
    const options = (ui.choosing?.options ?? []).filter(({ value }) => value.includes(words))
    const rows: Moment['rows'] = ui.choosing
      ? options.map(({ value }) => ({ id: value, leads: null }))
      : names.map((id) => ({ id, leads: 'member' }))
    const next = pressed(ui, { name: key, text: key.length === 1 ? key : '' }, { ...quietMoment, rows })
    ui = next.ui
    if (next.order) orders.push(next.order)
  }
  return { ui, orders }
}

const pane = firstUi(names, 'lead', 'ana')
const list = firstUi(names, 'lead', null)

function listOf(options: readonly ChoiceOption[], choose: OptionList['choose'] = 'mode', before = pane): Ui {
  return withOptions(before, { choose, members: ['ana'], options })
}

describe('a list of options', () => {
  test.each([
    ['/model', { type: 'options', choose: 'model', to: ['ana'] }],
    ['/mode', { type: 'options', choose: 'mode', to: ['ana'] }],
    ['/mode plan', { type: 'command', name: 'mode', args: ['plan'], to: 'ana' }],
  ])('is asked for by a command without a name: %s', (line, order) => {
    expect(type([...line.split(''), 'Enter'], pane).orders).toEqual([order])
  })

  test.each([
    ['the selected member', ['c'], { type: 'options', choose: 'model', to: ['lead'] }],
    [
      'the marked ones',
      ['Down', 'Space', 'Down', 'Space', 'C'],
      { type: 'options', choose: 'mode', to: ['ana', 'bo'] },
    ],
  ])('is asked for from the list of members, for %s', (_, keys, order) => {
    expect(type(keys, list).orders).toEqual([order])
  })

  test.each([
    ['Enter: what it has now', ['Enter'], modes, 'acceptEdits'],
    ['arrows', ['Down', 'Enter'], modes, 'plan'],
    ['a number', ['1'], modes, 'default'],
    ['a filter', ['p', 'l', 'Enter'], modes, 'plan'],
    ['a filter with a digit, where numbers have two', ['1', '2', 'Enter'], models, 'maker/model-12'],
  ])('chooses by %s, and goes back', (_, keys, options, value) => {
    const { ui, orders } = type(keys, listOf(options))
    expect(orders).toEqual([{ type: 'choose', choose: 'mode', value, to: ['ana'] }])
    expect(ui).toMatchObject({ view: 'panes', tab: 'members', overlay: null, choosing: null })
  })

  test.each([
    ['a number', ['4']],
    ['its name', ['b', 'y', 'Enter']],
  ])('chooses nothing that is refused, by %s, and says why', (_, keys) => {
    const { ui, orders } = type(keys, listOf(modes))
    expect(orders).toEqual([])
    expect(ui.note).toBe(`mode bypassPermissions: ${gate}`)
    expect(ui.choosing).not.toBeNull()
  })

  test.each([
    ['nothing that matches', ['z', 'z', 'Enter']],
    ['a number that no row has', ['9']],
  ])('chooses nothing by %s', (_, keys) => {
    expect(type(keys, listOf(modes)).orders).toEqual([])
  })

  test('is left by Esc, its filter with it, and the filter of the list before is kept', () => {
    const filtered: Ui = { ...list, filters: new Map([['members', { before: 'an', after: '' }]]) }
    const { ui, orders } = type(['p', 'Esc'], listOf(modes, 'mode', filtered))
    expect(orders).toEqual([])
    expect(ui).toMatchObject({ view: 'list', tab: 'members', overlay: null, choosing: null })
    expect([...ui.filters.keys()]).toEqual(['members'])
  })

  test('leaves the screen with the key for it', () => {
    expect(type(['Ctrl+C'], listOf(modes)).orders).toEqual([{ type: 'leave' }])
  })
})
