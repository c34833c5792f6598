import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { replaceFile } from '../../../src/adapters/fs/replace-file.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'troupe-fs-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

test('creates and replaces, and leaves nothing else behind', () => {
  const path = join(dir, 'member.json')
  replaceFile(path, 'first')
  replaceFile(path, 'second')
  expect(readFileSync(path, 'utf8')).toBe('second')
  expect(readdirSync(dir)).toEqual(['member.json'])
})

test('whoever has the old file open reads the old text to its end', () => {
  const path = join(dir, 'member.json')
  replaceFile(path, 'first')
  const reader = openSync(path, 'r')
  replaceFile(path, 'a longer second text')
  expect(readFileSync(reader, 'utf8')).toBe('first')
  closeSync(reader)
  expect(readFileSync(path, 'utf8')).toBe('a longer second text')
})

test('a failure leaves the target as it was and no temporary file', () => {
  const target = join(dir, 'taken')
  mkdirSync(join(target, 'inside'), { recursive: true })
  expect(() => replaceFile(target, 'text')).toThrow(/EISDIR|ENOTEMPTY|EEXIST|EPERM/)
  expect(readdirSync(dir)).toEqual(['taken'])
  expect(() => replaceFile(join(dir, 'absent', 'file'), 'text')).toThrow('ENOENT')
})
