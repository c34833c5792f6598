import { mkdtempSync, rmSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freshMail } from '../../../../src/adapters/mailbox/watch/fresh-mail.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'troupe-fresh-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const put = (name: string, priority = 'normal') => writeFileSync(join(folder, name), JSON.stringify({ priority }))

/** Puts a file in without the folder's time telling, as two writes within one tick of the clock do. */
function putUnnoticed(name: string): void {
  const { atime, mtime } = statSync(folder)
  put(name)
  utimesSync(folder, atime, mtime)
}

test('announces a file once, with the highest priority among the new ones', () => {
  const box = freshMail(folder)
  expect(box.look()).toBeNull()
  put('a')
  expect(box.look()).toEqual({ priority: 'normal' })
  put('b', 'interrupt')
  put('c')
  expect(box.look()).toEqual({ priority: 'interrupt' })
  unlinkSync(join(folder, 'a'))
  expect(box.look()).toBeNull()
})

test('what cannot be read counts as normal mail', () => {
  writeFileSync(join(folder, 'a'), '{"priority":')
  expect(freshMail(folder).look()).toEqual({ priority: 'normal' })
  expect(freshMail(join(folder, 'nowhere')).look()).toBeNull()
})

test('an unmoved folder time is not believed right after a change, and is afterwards', () => {
  const box = freshMail(folder)
  put('a')
  utimesSync(folder, 1, 1)
  expect(box.lookIfChanged()).toEqual({ priority: 'normal' })
  putUnnoticed('b')
  expect(box.lookIfChanged()).toEqual({ priority: 'normal' })
  putUnnoticed('c')
  expect(box.lookIfChanged()).toBeNull()
  put('d')
  expect(box.lookIfChanged()).toEqual({ priority: 'normal' })
})

test('a file that an event named is announced once, by its name, while it is unread', () => {
  const box = freshMail(folder)
  put('a')
  expect(box.lookAt(['a', 'gone'])).toEqual({ priority: 'normal', files: ['a'] })
  unlinkSync(join(folder, 'a'))
  expect(box.lookAt(['a'])).toBeNull()
  expect(freshMail(folder, (file) => file !== 'b').lookAt(['a', 'b'])).toMatchObject({ files: ['a'] })
})

test('counts what is new, and what was announced and is left', () => {
  const box = freshMail(folder)
  put('a')
  put('b')
  box.look()
  expect(box.last()).toEqual({ found: 2, left: 0 })
  put('c')
  unlinkSync(join(folder, 'a'))
  box.look()
  expect(box.last()).toEqual({ found: 1, left: 1 })
})
