/** The variable that hands a `Count` to the counter of a process, as JSON. */
export const countVariable = 'TROUPE_WALK'

/**
 * A moment in the life of a process: its start or its exit; the signal SIGUSR2; a request that leaves it over HTTP; or
 * the write of a journal line that holds all of these texts.
 */
export type Moment = 'start' | 'exit' | 'signal' | 'request' | { readonly line: readonly string[] }

/** A time in which is counted. */
export interface Span {
  readonly from: Moment
  readonly until: Moment
}

/** What is counted in one process, and where it is written. */
export interface Count {
  /** Only files below this directory count. */
  readonly root: string
  /** One after the other. */
  readonly spans: readonly Span[]
  /** `<out>.from` appears, empty, when the first begins; `<out>.until`, with the `Executed` list, when the last ends. */
  readonly out: string
}

/** A function that was called at least once in one of the spans; its place is in characters of its file. */
export interface Executed {
  readonly file: string
  readonly name: string
  readonly start: number
  readonly end: number
}
