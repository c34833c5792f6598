import { z } from 'zod'
import type { Fact } from './fact.ts'

export const journalVersion = 1

/** The frame of a journal line; the fact's own fields stand beside these. */
export const frameSchema = z.looseObject({
  v: z.literal(journalVersion),
  /** 1, 2, 3 … inside one journal, without gaps. */
  seq: z.number().int().positive(),
  /** `<journal>-<seq>`: unique in a run, the same in a re-run. */
  id: z.string(),
  /** The entry this one follows; another parent would be a branch. */
  parent: z.string().nullable(),
  at: z.number(),
  heard: z.record(z.string(), z.number().int()).optional(),
  type: z.string(),
})

export interface Frame {
  readonly v: typeof journalVersion
  readonly seq: number
  readonly id: string
  readonly parent: string | null
  readonly at: number
  /**
   * In the team's journal: the numbers of the last entries of the members' journals that the leader had heard, where they have
   * changed since the line before. Clocks do not tell that order.
   */
  readonly heard?: Heard
}

/** The number of an entry, by the owner of its journal. */
export type Heard = Readonly<Record<string, number>>

/** The versions of the on-disk contract that are read; the last one is written. */
export const specSchema = z.literal([1, 2])

export const currentSpec = 2

/**
 * The first line of a journal and of each later segment: whose it is, of which team, under which contract (A61). An agent without
 * a team has no run, team or leader.
 */
export const headerSchema = z.object({
  type: z.literal('journal.opened'),
  spec: specSchema,
  run: z.string().optional(),
  team: z.string().optional(),
  /** Member name, or `team` for the leader's own journal. */
  owner: z.string(),
  leader: z.string().optional(),
  /** Bytes of the segment before that count: only in a segment that goes on with another. */
  after: z.number().int().nonnegative().optional(),
})

export type JournalHeader = z.infer<typeof headerSchema>

/** One line of a journal. */
export type Entry = Frame & (Fact | JournalHeader)

/** An entry with the journal it came from: what the leader's folds and every screen read. */
export interface Recorded {
  /** Member name, or `team`. */
  readonly owner: string
  readonly entry: Entry
}

/**
 * A fold over one journal, whose state may be kept beside the journal: plain data, a function of the entries alone. The
 * version names the shape of the state and the rules behind it, so that a state of other rules is not taken for one of these.
 */
export interface EntryFold<State> {
  readonly version: string
  empty(): State
  apply(state: State, entry: Entry): void
}
