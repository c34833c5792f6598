import { rowsOf } from './list/list-rows.ts'
import { pageRows, questionView } from './layout.ts'
import { transcriptOf } from './read/transcript.ts'
import type { ScreenOptions, ScreenState } from './screen-state.ts'
import type { Moment } from './state/ui.ts'

/** The content of the screen as a key finds it. */
export function momentOf(shown: ScreenState, parts: ScreenOptions): Moment {
  const rows = shown.ui.view === 'list' ? rowsOf(parts.picture()) : []
  return {
    pending: shown.pending,
    page: pageRows(parts.picture(), rows.length),
    questionPage: questionView(parts.picture())?.rows ?? 1,
    blocks: shown.panes.panes.get(shown.ui.focus)?.blocks.length ?? 0,
    rows,
    now: parts.monotonic(),
    transcript: () => transcriptOf(parts.picture()),
    commands: () => parts.picture().commands(),
  }
}
