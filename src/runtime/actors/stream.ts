/*
 * A push side and a pull side with a queue between them, for consumers that iterate.
 * Owns: the items that wait. Never: grows without bound, and never loses one in silence.
 * 1. A reader that is slow is waited for: `room` tells the producer when it may begin something that says more.
 * 2. Items that may be lost are left out of a full queue, and counted where they would have stood.
 * 3. Before anybody reads, nobody is waited for: the oldest half of a full queue gives way, and is counted.
 */

export interface Stream<Item> extends AsyncIterable<Item> {
  push(item: Item): void
  end(): void
  /** Resolves when there is room for more, at once while nobody reads; it never rejects. */
  room(): Promise<void>
}

export interface StreamOptions<Item> {
  /** Joins an item into the last waiting one (deltas of a slow reader), so that the queue stays short. */
  readonly merge?: (last: Item, next: Item) => Item | null
  /** True for a reader that is sure to come: it is waited for from the beginning. */
  readonly isRead?: boolean
  /** How many items may wait; 1,000 by default. */
  readonly bound?: number
  /** Whether an item may be left out when the queue is full. */
  readonly mayDrop?: (item: Item) => boolean
  /** An item in the place of those that were left out; without it nothing is told of them. */
  readonly dropped?: (count: number, near: Item) => Item
  /** The reader is through, at the end or before it. */
  readonly onReturn?: () => void
}

interface Queue<Item> {
  waiting: Item[]
  /** Items left out at the end of what waits, not yet told. */
  lost: number
  begun: boolean
  ended: boolean
  /** The reader waits for this. */
  reader: ((result: IteratorResult<Item, undefined>) => void) | null
  /** The producer waits for these. */
  producers: (() => void)[]
}

const defaultBound = 1_000

export function stream<Item>(options: StreamOptions<Item> = {}): Stream<Item> {
  const { isRead = false, bound = defaultBound, onReturn } = options
  const queue: Queue<Item> = { waiting: [], lost: 0, begun: isRead, ended: false, reader: null, producers: [] }
  const give = (result: IteratorResult<Item, undefined>): boolean => {
    const { reader } = queue
    queue.reader = null
    reader?.(result)
    return reader !== null
  }
  return {
    push(item) {
      if (!queue.ended && !give({ done: false, value: item })) keep(queue, item, { ...options, bound })
    },
    end() {
      queue.ended = true
      letGo(queue)
      if (give(over)) onReturn?.()
    },
    room() {
      const isFull = queue.begun && !queue.ended && queue.waiting.length >= bound
      return isFull ? new Promise((resolve) => void queue.producers.push(resolve)) : Promise.resolve()
    },
    [Symbol.asyncIterator]() {
      queue.begun = true
      return readerOf(queue, onReturn)
    },
  }
}

type Bounds<Item> = Pick<StreamOptions<Item>, 'merge' | 'mayDrop' | 'dropped'> & { readonly bound: number }

/** An item waits, grows into the one before it, or is left out. */
function keep<Item>(queue: Queue<Item>, item: Item, { merge, mayDrop, dropped, bound }: Bounds<Item>): void {
  const { waiting } = queue
  const marked = (count: number, near: Item): Item[] => (count > 0 && dropped ? [dropped(count, near)] : [])
  const last = waiting.at(-1)
  const merged = last !== undefined && queue.lost === 0 && merge ? merge(last, item) : null
  if (merged !== null) {
    waiting[waiting.length - 1] = merged
    return
  }
  const isFull = waiting.length >= bound
  if (isFull && mayDrop?.(item) === true) {
    queue.lost += 1
    return
  }
  if (isFull && !queue.begun) {
    const gone = waiting.splice(0, Math.ceil(bound / 2))
    waiting.unshift(...marked(gone.length, gone[0] ?? item))
  }
  waiting.push(...marked(queue.lost, item), item)
  queue.lost = 0
}

const over = { done: true, value: undefined } as const

function letGo({ producers }: Pick<Queue<unknown>, 'producers'>): void {
  for (const go of producers.splice(0)) go()
}

/** By hand: a step of an async generator costs three promises, and most items are a few letters. */
function readerOf<Item>(queue: Queue<Item>, onReturn: (() => void) | undefined): AsyncIterator<Item, undefined> {
  let batch: Item[] = []
  let at = 0
  return {
    next() {
      if (at === batch.length && queue.waiting.length > 0) {
        batch = queue.waiting
        queue.waiting = []
        at = 0
      }
      if (at < batch.length) {
        const value = batch[at++] as Item
        // A batch that is read leaves room for the next one.
        if (at === batch.length) letGo(queue)
        return Promise.resolve({ done: false, value })
      }
      if (!queue.ended) return new Promise((resolve) => (queue.reader = resolve))
      onReturn?.()
      return Promise.resolve(over)
    },
    return() {
      queue.ended = true
      queue.waiting = []
      letGo(queue)
      onReturn?.()
      return Promise.resolve(over)
    },
  }
}
