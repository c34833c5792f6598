import { configureGlobal } from 'fast-check'

/**
 * Property tests draw the same cases in every run, unless somebody looks for others.
 *
 * 1. `run-seed.ts` says the seed of all workers of a run at the beginning; a failure says it again, with the path to the
 *    smallest case.
 * 2. `FAST_CHECK_SEED=<seed> npm test` draws the cases of another seed.
 * 3. A case that failed once is tried in every run from then on: it gets a line in the property's `examples`.
 */
configureGlobal({ seed: Number(process.env['FAST_CHECK_SEED']), numRuns: 100 })
