import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
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

test('a file that the disk does not take whole leaves nothing behind', () => {
  const dir = tempDir()
  const module = resolve('src/adapters/fs/create-file.ts')
  const program = `import('${module}').then(({ createFile }) => createFile('${dir}/a', 'x'.repeat(9_000)))`
  // Files of this shell may have a few blocks.
  const args = ['-c', 'ulimit -f 4; exec "$0" -e "$1"', process.execPath, program]
  const { stderr } = spawnSync('sh', args, { encoding: 'utf8' })
  expect([stderr.includes('EFBIG'), readdirSync(dir)]).toEqual([true, []])
})
