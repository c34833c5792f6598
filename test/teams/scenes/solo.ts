import { call, delegate, type Scene } from './scene.ts'

/** The last page is lost when it is not full; the engineer shows it, mends it, and runs the tests. */
export const solo: Scene = {
  team: 'solo',
  task: 'pageCount says 2 for 21 items at 10 per page; it must be 3. Fix it. No items means no pages.',
  mode: 'acceptEdits',
  allow: ['Bash(node --test:*)'],
  committed: {
    'package.json': '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
    'src/paginate.js': `/** How many pages of \`size\` items there are. */
export function pageCount(total, size) {
  return Math.floor(total / size)
}

/** The items of page \`number\`, from 1. */
export function pageOf(items, number, size) {
  return items.slice((number - 1) * size, number * size)
}
`,
    'test/paginate.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageCount, pageOf } from '../src/paginate.js'

test('full pages are counted', () => {
  assert.equal(pageCount(20, 10), 2)
})

test('a page holds its own items', () => {
  assert.deepEqual(pageOf(['a', 'b', 'c'], 2, 2), ['c'])
})
`,
  },
  answers: {
    lead: [
      {
        say: 'Done means: pageCount(21, 10) is 3, full pages count as before, pageCount(0, 10) is 0, and a test shows each.',
        calls: delegate([
          'engineer',
          `Fix pageCount. The person's words: "pageCount says 2 for 21 items at 10 per page; it must be 3. Fix it. No items means no pages."

Done means:
1. pageCount(21, 10) is 3: a page that is not full is counted.
2. Full pages count as before: pageCount(20, 10) is 2.
3. pageCount(0, 10) is 0.
4. Tests for 1 and 3 exist, fail or would fail on the old code where it is wrong, and the whole test run passes.
Nothing else changes its behaviour.`,
        ]),
      },
      {
        say: `pageCount now counts a last page that is not full: 21 items at 10 per page give 3, and no items give 0.

- Changed: \`src/paginate.js:3\` rounds up instead of down; \`test/paginate.test.js\` has two new tests, for the last page and for no items.
- Checked: \`node --test\` failed in the new last-page test before the change ("2 !== 3") and passes after it: 4 tests, 0 failures.
- Open: a page size of 0 was not asked for and still gives Infinity (or NaN for no items).`,
      },
    ],
    engineer: [
      {
        say: 'I look at the function, its callers and its tests.',
        calls: [
          call('Read', { file_path: 'src/paginate.js' }),
          call('Read', { file_path: 'test/paginate.test.js' }),
          call('Grep', { pattern: 'pageCount', output_mode: 'content' }),
        ],
      },
      {
        say: 'Nobody else calls it. First the tests that would have caught it.',
        calls: [
          call('Edit', {
            file_path: 'test/paginate.test.js',
            old_string: "test('a page holds its own items'",
            new_string: `test('a last page that is not full is counted', () => {
  assert.equal(pageCount(21, 10), 3)
})

test('no items need no page', () => {
  assert.equal(pageCount(0, 10), 0)
})

test('a page holds its own items'`,
          }),
          call('Bash', { command: 'node --test', description: 'Run the tests; the new one should fail' }),
        ],
      },
      {
        say: 'The last-page test fails as it should. Now the change.',
        calls: [
          call('Edit', {
            file_path: 'src/paginate.js',
            old_string: 'Math.floor(total / size)',
            new_string: 'Math.ceil(total / size)',
          }),
          call('Bash', { command: 'node --test', description: 'Run the tests' }),
        ],
      },
      {
        say: `- Changed: src/paginate.js:3, Math.floor became Math.ceil, so that a page that is not full is counted.
- Changed: test/paginate.test.js:9, new test for 21 items at 10 per page; test/paginate.test.js:13, new test for no items.
- Checked: \`node --test\` before the change: "a last page that is not full is counted" fails with 2 !== 3; the test for no items passes on the old code too, because 0 needs no rounding.
- Checked: \`node --test\` after the change: tests 4, pass 4, fail 0.
- Open: pageCount(5, 0) gives Infinity, as before; no caller passes 0 and it was not asked for.`,
      },
    ],
  },
}
