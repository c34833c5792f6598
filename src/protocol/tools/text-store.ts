/** Where texts are put that are too long to be shown: the whole of them can be read there. */
export interface TextStore {
  /** A text that is there already. Throws what the disk says. */
  put(text: string): PutText
  /** A text that still comes, of any length. Throws what the disk says. */
  open(): TextWriter
}

export interface PutText {
  readonly sha256: string
  readonly path: string
}

/** A text while it comes. Every method throws what the disk says; it must be ended or discarded. */
export interface TextWriter {
  push(text: string): void
  /** Gives it its name. `cut` is how many bytes are missing in its middle, since it was too long even for here. */
  end(): PutText & { readonly cut: number }
  /** Leaves nothing behind. */
  discard(): void
}
