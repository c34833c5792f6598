import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freshMail } from '../../../../src/adapters/mailbox/watch/watch-mail.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'troupe-fresh-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const put = (name: string, priority = 'normal') => writeFileSync(join(folder, name), JSON.stringify({ priority }))

test('a file rings once, with the highest priority among the new ones', () => {
  const look = freshMail(folder)
  expect(look()).toBeNull()
  put('a')
  expect(look()).toEqual({ priority: 'normal' })
  put('b', 'interrupt')
  put('c')
  expect(look()).toEqual({ priority: 'interrupt' })
  unlinkSync(join(folder, 'a'))
  expect(look()).toBeNull()
  put('d')
  expect(look()).toEqual({ priority: 'normal' })
})

test('a file that was put back rings again', () => {
  const look = freshMail(folder)
  put('a')
  expect(look()).not.toBeNull()
  unlinkSync(join(folder, 'a'))
  expect(look()).toBeNull()
  put('a')
  expect(look()).toEqual({ priority: 'normal' })
})

test('a folder that is not there, and a file that is none, are no trouble', () => {
  expect(freshMail(join(folder, 'missing'))()).toBeNull()
  put('a')
  const look = freshMail(folder)
  expect(look()).toEqual({ priority: 'normal' })
})
