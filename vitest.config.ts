import { configDefaults, defineConfig } from 'vitest/config'
import { LongFirst } from './test/setup/long-first.ts'

// Texts for people hold local times: the same everywhere under test.
process.env['TZ'] = 'UTC'

/** Pure and quick: what `npm run check` runs. Everything else under test/ belongs to `whole`. */
const fast = [
  'test/architecture.test.ts',
  'test/architecture/**/*.test.ts',
  'test/{protocol,rules,machines,projections}/**/*.test.ts',
]

/** Minutes each, for whoever touches what has to hold for years: `npm run test:long`. */
const long = 'test/long/**/*.test.ts'

export default defineConfig({
  test: {
    globalSetup: ['test/setup/run-seed.ts'],
    setupFiles: ['test/setup/fast-check.ts'],
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    // What is waited for comes when it comes: a busy machine fails no test.
    expect: { poll: { timeout: 60_000 } },
    projects: [
      { extends: true, test: { name: 'fast', include: fast, pool: 'threads', isolate: false, testTimeout: 120_000 } },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...fast, long],
          globalSetup: ['test/setup/compiled-code.ts'],
          pool: 'forks',
          // What is imported is imported once for each worker, not for each of 400 files: a third of the time.
          isolate: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: [long],
          globalSetup: ['test/setup/compiled-code.ts'],
          pool: 'forks',
          testTimeout: 900_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
