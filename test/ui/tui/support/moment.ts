import { builtinCommands } from '../../../../src/ui/tui/state/screen-commands.ts'
import type { Moment } from '../../../../src/ui/tui/state/ui.ts'

/** What a key meets at a run where nobody asks and no list has a row. */
export const quietMoment: Moment = {
  pending: [],
  page: 10,
  questionPage: 5,
  blocks: 5,
  rows: [],
  now: 1_000,
  transcript: () => {
    throw new Error('nothing is read here')
  },
  commands: () => builtinCommands,
}
