/** A block of lines on the screen, its place counted from the upper left corner. No two share a cell. */
export interface Panel {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** From the top, each within the width; below them it is empty. */
  readonly lines: readonly string[]
}
