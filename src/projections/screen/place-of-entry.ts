import type { Panes } from './panes.ts'

/** A block of a member's transcript. */
export interface BlockPlace {
  readonly member: string
  /** The number of the block in the transcript, from 0. */
  readonly block: number
}

/**
 * The place in the transcripts that tells of a journal entry; null for an entry that none of them shows. What happened to a member stands
 * in its own transcript, also where the journal of the team tells of it.
 *
 * @example placeOfEntry(panes, 'team-12') // { member: 'ana', block: 7 }, when team-12 says that ana crashed
 */
export function placeOfEntry({ panes }: Pick<Panes, 'panes'>, entry: string): BlockPlace | null {
  for (const [member, { blocks }] of panes) {
    const block = blocks.findLastIndex((each) => each.entry === entry)
    if (block >= 0) return { member, block }
  }
  return null
}
