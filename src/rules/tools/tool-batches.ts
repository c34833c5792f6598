/**
 * Splits one message's calls into batches to run one after another: neighbouring safe calls together,
 * at most `cap` of them, an unsafe call alone. Order is kept; nothing is merged across an unsafe call.
 *
 * @returns Batches of indexes into `calls`, in source order.
 * @example toolBatches([{ safe: true }, { safe: true }, { safe: false }]) // [[0, 1], [2]]
 */
export function toolBatches(calls: readonly { readonly safe: boolean }[], cap = 10): readonly (readonly number[])[] {
  const batches: number[][] = []
  let open: number[] | null = null
  for (const [index, call] of calls.entries()) {
    if (call.safe && open !== null && open.length < cap) {
      open.push(index)
      continue
    }
    const batch = [index]
    batches.push(batch)
    open = call.safe ? batch : null
  }
  return batches
}
