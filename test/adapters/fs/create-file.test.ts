import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFile } from '../../../src/adapters/fs/create-file.ts'
import { tempDir } from '../../runtime/support/stage.ts'

test('the first maker counts, and nothing else is left behind', () => {
  const dir = tempDir()
  const path = join(dir, 'answer.json')
  expect([createFile(path, 'first'), createFile(path, 'second')]).toEqual([true, false])
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['first', 0o600])
  expect(readdirSync(dir)).toEqual(['answer.json'])
  expect(() => createFile(join(dir, 'none', 'answer.json'), 'x')).toThrow('ENOENT')
})
