/** A push side and a pull side with a queue between them, for consumers that iterate. */
export interface Stream<Item> extends AsyncIterable<Item> {
  push(item: Item): void
  end(): void
}

export interface StreamOptions<Item> {
  /** Joins an item into the last waiting one (deltas of a slow reader), so that the queue stays short. */
  readonly merge?: (last: Item, next: Item) => Item | null
  /** The reader is through, at the end or before it. */
  readonly onReturn?: () => void
}

export function stream<Item>({ merge, onReturn }: StreamOptions<Item> = {}): Stream<Item> {
  const waiting: Item[] = []
  let ended = false
  let wake: (() => void) | null = null

  const ring = (): void => {
    wake?.()
    wake = null
  }

  return {
    push(item) {
      if (ended) return
      const last = waiting.at(-1)
      const merged = last !== undefined && merge ? merge(last, item) : null
      if (merged === null) waiting.push(item)
      else waiting[waiting.length - 1] = merged
      ring()
    },
    end() {
      ended = true
      ring()
    },
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) {
          const batch = waiting.splice(0)
          for (const item of batch) yield item
          if (batch.length > 0) continue
          if (ended) return
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      } finally {
        onReturn?.()
      }
    },
  }
}
