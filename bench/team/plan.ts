/** What both peers do: so many workers, each asked so often, every answer but the last with one call. */
export const workers = Number(process.env['BENCH_WORKERS'] ?? 200)
export const turns = Number(process.env['BENCH_TURNS'] ?? 10)

/** Replicas of one card, and subtasks of one call. */
export const perCard = 50

export const wires = ['anthropic', 'chat'] as const
export type Wire = (typeof wires)[number]

export const prompt = 'You do as you are told.'
export const task = (n: number): string => `Do part ${n} of the work.`
export const noopInput = {
  type: 'object' as const,
  properties: { i: { type: 'number' }, note: { type: 'string' } },
  required: ['i', 'note'],
}

/** A round of one peer. */
export interface Figures {
  /** Of the whole work, without loading what does it. */
  readonly cpu_ms: number
  /** Resident memory that the work took at its peak, for each worker. */
  readonly rss_kb: number
}

/** Does the work for one worker first, so that what is loaded once is loaded, then for all; prints the figures of these. */
export async function measure(work: (workers: number) => Promise<void>): Promise<void> {
  await work(1)
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let peak = before
  const sample = (): void => void (peak = Math.max(peak, process.memoryUsage.rss()))
  const timer = setInterval(sample, 5)
  const started = process.cpuUsage()
  await work(workers)
  const { user, system } = process.cpuUsage(started)
  sample()
  clearInterval(timer)
  const figures: Figures = { cpu_ms: (user + system) / 1_000, rss_kb: (peak - before) / 1_024 / workers }
  console.log(JSON.stringify(figures))
}
