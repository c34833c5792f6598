import { call, delegate, type Scene } from './scene.ts'

const firstRepair = `export function loadOnce(load) {
  const loads = new Map()
  const get = (key) => {
    if (!loads.has(key)) {
      const loading = load(key)
      loading.catch(() => loads.delete(key))
      loads.set(key, loading)
    }
    return loads.get(key)
  }
  const forget = (key) => loads.delete(key)
  return { get, forget }
}
`

/** A failed load stays for ever; the driver's first repair has a race that the navigator finds. */
export const pair: Scene = {
  team: 'pair',
  task: 'When a load fails, loadOnce keeps handing out the failed promise for ever. The next get must load again.',
  mode: 'acceptEdits',
  allow: ['Bash(node --test:*)'],
  committed: {
    'package.json': '{ "name": "settings", "type": "module", "scripts": { "test": "node --test" } }\n',
    'src/load-once.js': `/** Loads each key once; \`forget\` makes the next \`get\` load afresh. */
export function loadOnce(load) {
  const loads = new Map()
  const get = (key) => {
    if (!loads.has(key)) loads.set(key, load(key))
    return loads.get(key)
  }
  const forget = (key) => loads.delete(key)
  return { get, forget }
}
`,
    'src/settings.js': `import { readFile } from 'node:fs/promises'
import { loadOnce } from './load-once.js'

const files = loadOnce((path) => readFile(path, 'utf8'))

export const settings = (path) => files.get(path)
/** Called when the file was written: the load that is under way may have read the old text. */
export const settingsChanged = (path) => files.forget(path)
`,
    'test/load-once.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadOnce } from '../src/load-once.js'

test('two gets share one load', async () => {
  let loads = 0
  const { get } = loadOnce(async () => (loads += 1))
  await Promise.all([get('a'), get('a')])
  assert.equal(loads, 1)
})
`,
  },
  answers: {
    lead: [
      {
        say: 'First the facts.',
        calls: delegate([
          'navigator',
          'Facts, please: how does loadOnce keep its loads, who depends on it, what do its tests hold fixed, and where could a change to its handling of failed loads go wrong?',
          'The request: "When a load fails, loadOnce keeps handing out the failed promise for ever. The next get must load again."',
        ]),
      },
      {
        say: 'The place and the traps are known; the driver can begin.',
        calls: delegate([
          'driver',
          `The request: "When a load fails, loadOnce keeps handing out the failed promise for ever. The next get must load again."

Done means: after a load failed, the next get of that key calls load again; callers that shared the failed load all see its error; a load that succeeded is still shared; a test shows the first, and the test run passes.`,
          `Facts from the navigator:
- src/load-once.js:5 stores the promise of load(key) in a Map and never removes it, whatever becomes of it.
- src/load-once.js:8 forget deletes the entry, also while a load is under way.
- src/settings.js:4 is the only user; src/settings.js:8 calls forget when the file was written.
- test/load-once.test.js:5 holds fixed that two gets share one load. No test covers failure or forget.`,
        ]),
      },
      {
        say: 'Now other eyes.',
        calls: delegate([
          'navigator',
          'Defects, please: review the uncommitted change (git diff). Goal: after a load failed the next get of that key loads again, sharers of the failed load see its error, successful loads stay shared. The driver changed src/load-once.js and test/load-once.test.js and reports 2 passing tests.',
        ]),
      },
      {
        say: 'That defect would undo what forget is for. It has to be mended.',
        calls: delegate([
          'driver',
          `The review found one defect that must be mended, with this evidence:

"src/load-once.js:7 [major]: get('a') starts load 1; forget('a'); get('a') starts load 2; load 1 fails. Its handler deletes the entry of load 2, so a third get starts load 3 although load 2 is under way and healthy. It should delete only its own entry. src/settings.js:8 does this whenever a file is written while it is being read."

Done means: a failed load removes its own entry and no other; a test shows this order of events; the test run passes.`,
        ]),
      },
      {
        say: 'One look at the repair.',
        calls: delegate([
          'navigator',
          'Look at the repair of the defect at src/load-once.js:7 (a failed load deleted the entry of a newer one) and at its test. Nothing else.',
        ]),
      },
      {
        say: `A load that failed is no longer kept: the next \`get\` of its key loads again.

- Changed: \`src/load-once.js:7\` removes a failed load from the map, but only when it is still the current load of that key; \`test/load-once.test.js\` has two new tests.
- Checked: \`node --test\` passes with 3 tests and 0 failures. Each new test was seen to fail without its change.
- Reviews: the first found that a failed load also removed a newer load started after \`forget\`; the driver showed it with a test and mended it; the second review found no defects.
- Open: nothing.`,
      },
    ],
    navigator: [
      {
        calls: [
          call('Read', { file_path: 'src/load-once.js' }),
          call('Read', { file_path: 'test/load-once.test.js' }),
          call('Grep', { pattern: 'loadOnce|forget', output_mode: 'content' }),
        ],
      },
      {
        say: 'One user outside the tests; its call of forget matters.',
        calls: [call('Read', { file_path: 'src/settings.js' })],
      },
      {
        say: `- src/load-once.js:5 stores the promise of load(key) under the key: \`loads.set(key, load(key))\`. Nothing removes it when it rejects, so every later get returns the same rejected promise.
- src/load-once.js:8 forget deletes the entry at any time, also while a load is under way.
- src/settings.js:4 is the only user; src/settings.js:8 calls forget when the file was written, precisely while a load may be under way.
- test/load-once.test.js:5 holds fixed that two gets share one load. No test covers failure or forget.
- Trap: a handler on the stored promise must not make a second promise that rejects unhandled.
- Trap: after forget, the key may already belong to another load when the first one settles.`,
      },
      {
        calls: [call('Bash', { command: 'git diff' }), call('Read', { file_path: 'src/load-once.js' })],
      },
      {
        say: `- src/load-once.js:7 [major]: get('a') starts load 1; forget('a'); get('a') starts load 2; load 1 fails. Its handler deletes the entry of load 2, so a third get starts load 3 although load 2 is under way and healthy. It should delete only its own entry. src/settings.js:8 does this whenever a file is written while it is being read.
Gone through and in order: sharers of a failed load all see its error; the handler's own promise resolves, so nothing rejects unhandled; successful loads stay shared; the new test fails on the old code.`,
      },
      {
        calls: [call('Bash', { command: 'git diff' })],
      },
      {
        say: 'No defects. src/load-once.js:7 compares with the current entry before it deletes; load 2 of the earlier case now stays. test/load-once.test.js:23 plays that order of events and counts the loads, so it would fail without the comparison. Gone through: failure with forget before, failure with forget and a new load, failure with neither.',
      },
    ],
    driver: [
      {
        say: 'I check the facts I build on and write the test first.',
        calls: [call('Read', { file_path: 'src/load-once.js' }), call('Read', { file_path: 'test/load-once.test.js' })],
      },
      {
        calls: [
          call('Edit', {
            file_path: 'test/load-once.test.js',
            old_string: `  assert.equal(loads, 1)
})
`,
            new_string: `  assert.equal(loads, 1)
})

test('a failed load is tried again', async () => {
  let loads = 0
  const { get } = loadOnce(async () => {
    loads += 1
    if (loads === 1) throw new Error('no')
    return 'yes'
  })
  await assert.rejects(get('a'), /no/)
  assert.equal(await get('a'), 'yes')
})
`,
          }),
          call('Bash', { command: 'node --test', description: 'See the new test fail' }),
        ],
      },
      {
        calls: [
          call('Edit', {
            file_path: 'src/load-once.js',
            old_string: `export function loadOnce(load) {
  const loads = new Map()
  const get = (key) => {
    if (!loads.has(key)) loads.set(key, load(key))
    return loads.get(key)
  }
  const forget = (key) => loads.delete(key)
  return { get, forget }
}
`,
            new_string: firstRepair,
          }),
          call('Bash', { command: 'node --test', description: 'Run the tests' }),
        ],
      },
      {
        say: `- Changed: src/load-once.js:7, a failed load removes its entry, so that the next get loads again.
- Changed: test/load-once.test.js:12, a new test: the first load fails, the second get loads again.
- Checked: \`node --test\` before the change: "a failed load is tried again" fails; after it: tests 2, pass 2, fail 0.
- Choices: the handler hangs on the stored promise with catch, whose own promise resolves; callers still get the original promise and its error.
- Open: nothing.`,
      },
      {
        say: 'First the order of events as a test.',
        calls: [
          call('Edit', {
            file_path: 'test/load-once.test.js',
            old_string: `  assert.equal(await get('a'), 'yes')
})
`,
            new_string: `  assert.equal(await get('a'), 'yes')
})

test('a load that fails after it was forgotten leaves the newer one alone', async () => {
  const started = []
  const { get, forget } = loadOnce(() => new Promise((resolve, reject) => started.push({ resolve, reject })))
  const first = get('a')
  forget('a')
  const second = get('a')
  started[0].reject(new Error('no'))
  await assert.rejects(first, /no/)
  assert.equal(get('a'), second)
  assert.equal(started.length, 2)
})
`,
          }),
          call('Bash', { command: 'node --test', description: 'See the new test fail' }),
        ],
      },
      {
        calls: [
          call('Edit', {
            file_path: 'src/load-once.js',
            old_string: '      loading.catch(() => loads.delete(key))\n',
            new_string: '      loading.catch(() => loads.get(key) === loading && loads.delete(key))\n',
          }),
          call('Bash', { command: 'node --test', description: 'Run the tests' }),
        ],
      },
      {
        say: `- Changed: src/load-once.js:7, a failed load deletes the entry only when it is still its own.
- Changed: test/load-once.test.js:23, a new test plays get, forget, get, and then lets the first load fail.
- Checked: \`node --test\` with the test and without the change: the new test fails, a third load was started; with the change: tests 3, pass 3, fail 0.
- Choices: none that a reviewer would question.
- Open: nothing.`,
      },
    ],
  },
}
