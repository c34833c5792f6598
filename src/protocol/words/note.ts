/** A call for a person who is looking elsewhere. */
export interface Note {
  readonly title: string
  readonly text: string
}
