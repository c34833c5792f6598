import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { watchFolder } from '../../../src/adapters/fs/watch-folder.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'troupe-watch-'))
})
afterEach(() => rmSync(home, { recursive: true }))

/** Watches until the name of a change fits; `change` is called at each one, and writes what comes next. */
async function untilHeard(wanted: string | null, change = (): void => undefined): Promise<string | null> {
  const done = Promise.withResolvers<string | null>()
  const stop = watchFolder(home, (name) => {
    change()
    if (name === wanted) done.resolve(name)
  })
  return done.promise.finally(stop)
}

test('a folder is told as changed soon after the watch began', async () => {
  expect(await untilHeard(null)).toBeNull()
})

test('a file that comes, and one that grows, is named', async () => {
  const file = join(home, 'journal.jsonl')
  const once = (write: () => void) => {
    let done = false
    return () => {
      if (!done) write()
      done = true
    }
  }
  expect(
    await untilHeard(
      'journal.jsonl',
      once(() => writeFileSync(file, '')),
    ),
  ).toBe('journal.jsonl')
  expect(
    await untilHeard(
      'journal.jsonl',
      once(() => appendFileSync(file, 'x')),
    ),
  ).toBe('journal.jsonl')
})

test('nothing is heard after the end of a watch', async () => {
  const heard: (string | null)[] = []
  const stop = watchFolder(home, (name) => heard.push(name))
  stop()
  writeFileSync(join(home, 'late'), '')
  // The folder is watched again until a change is told; the first watch would have heard of it before.
  await untilHeard(null)
  expect(heard).toEqual([])
})
