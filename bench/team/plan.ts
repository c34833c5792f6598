import { figuresOf } from '../figures.ts'

/** What both peers do: so many workers, each asked so often, every answer but the last with one call. */
export const workers = Number(process.env['BENCH_WORKERS'] ?? 200)
export const turns = Number(process.env['BENCH_TURNS'] ?? 10)

/** Replicas of one card, and subtasks of one call. */
export const perCard = 50

export const prompt = 'You do as you are told.'
export const task = (n: number): string => `Do part ${n} of the work.`

/** Does the work for one worker first, so that what is loaded once is loaded, then for all; prints the figures of these. */
export async function measure(work: (workers: number) => Promise<void>): Promise<void> {
  await work(1)
  console.log(JSON.stringify(await figuresOf(workers, () => work(workers))))
}
