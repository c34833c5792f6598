/**
 * What lies in the batches, one item after the other. An item of a batch that is there costs one resolved promise; a step of
 * an async generator for each would cost three, which is more than reading a delta. Items are asked for one at a time.
 *
 * @param batches each is read to its end before the next is asked for; leaving early ends them
 */
export function flattened<Item>(batches: AsyncGenerator<Iterator<Item>>): AsyncIterableIterator<Item, undefined> {
  let batch: Iterator<Item> | undefined
  const advance = async (): Promise<IteratorResult<Item, undefined>> => {
    for (;;) {
      const next = await batches.next()
      if (next.done) return over
      batch = next.value
      const item = batch.next()
      if (!item.done) return item
    }
  }
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next() {
      const item = batch?.next()
      return item === undefined || item.done ? advance() : Promise.resolve(item)
    },
    async return() {
      batch = undefined
      await batches.return(undefined)
      return over
    },
  }
}

const over = { done: true, value: undefined } as const
