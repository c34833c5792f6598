import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { notify, pollingReason } from '../../../src/adapters/fs/notify.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'troupe-notify-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const failed = (message: string) => expect.unreachable(message)

/** Folders of these names, made. */
function made(...names: string[]): string[] {
  const folders = names.map((name) => join(home, name))
  for (const folder of folders) mkdirSync(folder)
  return folders
}

test('when it is ready every folder is heard of, with the file, however many there are', async () => {
  const folders = made(...[...Array(260).keys()].map(String))
  const silent = new Set(folders)
  expect(silent.size).toBe(260)
  const all = Promise.withResolvers<void>()
  const notifications = notify(folders, {
    changed(folder, file) {
      if (file === 'mail') silent.delete(folder)
      if (silent.size === 0) all.resolve()
    },
    failed,
  })
  await notifications.ready
  for (const folder of folders) writeFileSync(join(folder, 'mail'), '')
  await all.promise
  await notifications.close()
})

test('each folder is told as changed once the watcher is ready: what came before is not missed', async () => {
  const folders = made('one', 'other')
  const heard: (readonly [string, string | null])[] = []
  const notifications = notify(folders, { changed: (folder, file) => void heard.push([folder, file]), failed })
  await notifications.ready
  for (const folder of folders) expect(heard).toContainEqual([folder, null])
  await notifications.close()
})

test('nothing is heard once it is closed, and closing at once is ready', async () => {
  const folders = made('one')
  const heard: (string | null)[] = []
  const listener = { changed: (_: string, file: string | null) => void heard.push(file), failed }
  const first = notify(folders, listener)
  await first.ready
  const closing = first.close()
  writeFileSync(join(folders[0] ?? '', 'late'), '')
  await closing
  const second = notify(folders, listener)
  await second.close()
  await second.ready
  expect(heard).toEqual([null])
})

test('a local disk notifies', () => {
  expect(pollingReason(tmpdir())).toBeNull()
  expect(pollingReason('/nowhere')).toBeNull()
})
