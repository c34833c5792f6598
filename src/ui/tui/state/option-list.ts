import type { ChoiceAsk } from '../../../protocol/work/choice-ask.ts'
import type { ChoiceOption } from '../../../runtime/settings/list-options.ts'

/** The list of models or modes in front, and the members that it is for. */
export interface OptionList {
  readonly choose: ChoiceAsk['choose']
  readonly members: readonly string[]
  readonly options: readonly ChoiceOption[]
}
