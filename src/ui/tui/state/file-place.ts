/** A file that a block speaks of, and the line in it. */
export interface FilePlace {
  readonly file: string
  readonly line: number
  /** Texts at which the line is, where the line itself is not known; the first that is found counts. */
  readonly at: readonly string[]
}
