import { configureGlobal } from 'fast-check'

/**
 * Property tests draw other cases for every commit.
 *
 * 1. `run-seed.ts` takes one seed for all workers of a run from the commit and says it at the beginning; a failure says
 *    it again, with the path to the smallest case.
 * 2. `FAST_CHECK_SEED=<seed> npm test` draws the cases of another seed.
 * 3. A case that failed once is tried in every run from then on: it gets a line in the property's `examples`.
 */
configureGlobal({ seed: Number(process.env['FAST_CHECK_SEED']), numRuns: 100 })
