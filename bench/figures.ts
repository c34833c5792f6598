/** A round of one peer. */
export interface Figures {
  /** Of the whole work, without loading what does it. */
  readonly cpu_ms: number
  readonly wall_ms: number
  /** Resident memory that the work took at its peak, for each worker. */
  readonly rss_kb: number
}

/** Figures of the work, with the memory of each of so many workers. Whatever is loaded once was loaded before. */
export async function figuresOf(workers: number, work: () => Promise<unknown>): Promise<Figures> {
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let peak = before
  const sample = (): void => void (peak = Math.max(peak, process.memoryUsage.rss()))
  const timer = setInterval(sample, 5)
  const began = performance.now()
  const started = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(started)
  const wall_ms = performance.now() - began
  sample()
  clearInterval(timer)
  return { cpu_ms: (user + system) / 1_000, wall_ms, rss_kb: (peak - before) / 1_024 / workers }
}

/** The middle one of the values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
