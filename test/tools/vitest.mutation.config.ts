import { configDefaults, defineConfig } from 'vitest/config'

/** What mutation testing runs: the tests of machines and rules, and of what keeps mail and journals. */
export default defineConfig({
  test: {
    setupFiles: ['test/setup/fast-check.ts'],
    // A mutant is judged by the cases that the code itself was judged by.
    env: { FAST_CHECK_SEED: '1' },
    include: [
      'test/{rules,machines}/**/*.test.ts',
      'test/adapters/{mailbox,lease}/**/*.test.ts',
      'test/adapters/sessions/**/*journal*.test.ts',
      'test/runtime/**/*journal*.test.ts',
      'test/runtime/journals/**/*.test.ts',
    ],
    // A mutant lives in one process: what others do says nothing about it.
    exclude: [...configDefaults.exclude, '**/processes.test.ts'],
    testTimeout: 30_000,
    pool: 'threads',
  },
})
