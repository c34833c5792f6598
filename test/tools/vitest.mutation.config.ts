import { defineConfig } from 'vitest/config'

/** What mutation testing runs: the tests of machines and rules, and nothing that touches the world. */
export default defineConfig({
  test: {
    setupFiles: ['test/setup/fast-check.ts'],
    include: ['test/{rules,machines}/**/*.test.ts'],
    pool: 'threads',
  },
})
