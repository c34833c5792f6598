import type { PermissionMode } from '../../../protocol/permissions/permission.ts'
import type { ChoiceOption } from '../../../runtime/settings/list-options.ts'
import { dollarsText, tokensText } from '../../text/figures.ts'
import type { Picture } from '../state/picture.ts'
import type { OptionList } from '../state/option-list.ts'
import type { Row } from '../state/ui.ts'
import { rowOf } from './row.ts'

const modeWords: Readonly<Record<PermissionMode, string>> = {
  default: 'asks you about what no rule names',
  acceptEdits: 'edits files here unasked, asks you about the rest',
  plan: 'only reads, and proposes a plan that you approve',
  bypassPermissions: 'allows what no rule denies: nobody is asked',
  dontAsk: 'denies what no rule allows: nobody is asked',
}

/** A row for each model or mode that can be chosen; a mark at what the members have now. */
export function optionRows({ ui: { choosing }, paint }: Picture): readonly Row[] {
  if (choosing === null) return []
  const { options } = choosing
  const numbered = options.length < 10
  const longest = Math.max(...options.map(({ value }) => value.length))
  return options.map((option, n) => {
    const { value, refused } = option
    const number = numbered ? String(n + 1) : ''
    const means = meaning(option, choosing)
    const cells = [number, markOf(option), value, means]
    const widths = [numbered ? 1 : 0, 1, Math.min(44, longest)]
    const tone = refused === null ? null : 'dim'
    return rowOf({ id: value, leads: null, cells, widths, whole: `${value}: ${means}`, tone }, paint)
  })
}

function markOf({ held, refused }: ChoiceOption): string {
  if (held.length > 0) return '●'
  return refused === null ? '' : '✗'
}

function meaning({ value, held, refused, card }: ChoiceOption, { choose, members }: OptionList): string {
  const has = held.length > 0 && members.length > 1 ? `${held.join(', ')} · ` : ''
  if (choose === 'model') return `${has}${card === null ? 'price unknown' : priceText(card)}`
  const words = isMode(value) ? modeWords[value] : ''
  return `${has}${refused ?? words}`
}

/** Dollars per million tokens. */
function priceText({ input, output, window }: NonNullable<ChoiceOption['card']>): string {
  const rates =
    input === null || output === null ? 'price unknown' : `${dollarsText(input)} in, ${dollarsText(output)} out`
  return window === null ? rates : `${rates} · ${tokensText(window)} window`
}

function isMode(value: string): value is PermissionMode {
  return value in modeWords
}

/** The line above the list. */
export function optionsHead({ ui: { choosing } }: Picture): string {
  if (choosing?.choose !== 'model')
    return '● has it now, ✗ may not be had · a number, or Enter, chooses · letters filter'
  return '● has it now · $ per million tokens · /model NAME takes any other one'
}

/** The title of the list. */
export function optionsTitle({ choose, members }: OptionList): string {
  return choose === 'model' ? `The model of ${members.join(', ')}` : `The permission mode of ${members.join(', ')}`
}
