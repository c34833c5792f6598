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

/** Waits until a change is heard that fits. */
async function heard(fits: (name: string | null) => boolean, change?: (stop: () => void) => void): Promise<void> {
  const done = Promise.withResolvers<void>()
  const stop = watchFolder(home, (name) => {
    change?.(stop)
    if (fits(name)) done.resolve()
  })
  await done.promise
  stop()
}

test('a folder is told as changed soon after the watch began', async () => {
  await heard((name) => name === null)
})

test('a file that comes or grows is named', async () => {
  let written = false
  await heard(
    (name) => name === 'journal.jsonl',
    () => {
      if (!written) writeFileSync(join(home, 'journal.jsonl'), '')
      written = true
    },
  )
  let appended = false
  await heard(
    (name) => name === 'journal.jsonl',
    () => {
      if (!appended) appendFileSync(join(home, 'journal.jsonl'), 'x')
      appended = true
    },
  )
})

test('nothing is heard after the end of a watch', async () => {
  const stop = watchFolder(home, () => expect.unreachable())
  stop()
  writeFileSync(join(home, 'late'), '')
  // A second watch of the folder hears of the file; the first would have before.
  await heard((name) => name === null)
})
