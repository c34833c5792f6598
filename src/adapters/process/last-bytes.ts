/** The end of a long row of bytes. */
export interface LastBytes {
  push(bytes: Uint8Array): void
  /** At most so many as were asked for, in order, and how many came before them. */
  take(): { readonly bytes: Buffer; readonly before: number }
}

/**
 * Keeps the last `most` bytes of what is pushed, in two buffers of that size and nothing more, however much it is.
 *
 * @example
 * const last = lastBytes(2)
 * last.push(Buffer.from('abc'))
 * last.take().bytes.toString() // 'bc'
 */
export function lastBytes(most: number): LastBytes {
  let full = Buffer.allocUnsafe(0)
  let filling = Buffer.allocUnsafe(most)
  let at = 0
  let total = 0
  return {
    push(bytes) {
      total += bytes.length
      for (let from = 0; from < bytes.length;) {
        if (at === most) {
          const emptied = full.length === most ? full : Buffer.allocUnsafe(most)
          full = filling
          filling = emptied
          at = 0
        }
        const part = bytes.subarray(from, from + most - at)
        filling.set(part, at)
        at += part.length
        from += part.length
      }
    },
    take() {
      const bytes = Buffer.concat([full, filling.subarray(0, at)]).subarray(-Math.min(most, total))
      return { bytes: total === 0 ? bytes.subarray(0, 0) : bytes, before: total - bytes.length }
    },
  }
}
