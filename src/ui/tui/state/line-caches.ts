import type { Block } from '../../../projections/screen/pane-blocks.ts'
import type { Section } from '../../../projections/screen/panes.ts'

/** Lines that were made already: of blocks, and of finished sections of what is being written. */
export interface Caches {
  readonly blocks: LineCache
  readonly sections: WeakMap<Section, { readonly width: number; readonly lines: readonly string[] }>
  /** The lines of the question in front. */
  readonly question: {
    made: { readonly text: string; readonly width: number; readonly lines: readonly string[] } | null
  }
}

/** The lines of a block, and the style in which they were made. */
export type LineCache = WeakMap<Block, { readonly style: string; readonly lines: readonly string[] }>

export function emptyCaches(): Caches {
  return { blocks: new WeakMap(), sections: new WeakMap(), question: { made: null } }
}
