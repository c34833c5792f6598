import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockSync } from 'proper-lockfile'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { saveRules } from '../../../src/adapters/settings/save-rules.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'troupe-rules-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

test('no rule is written while somebody else changes the file, and none is lost afterwards', () => {
  const path = join(dir, 'settings.local.json')
  const save = (rule: string) => saveRules({ path, list: 'allow', rules: [rule] })
  const release = lockSync(path, { realpath: false })
  expect(() => save('Bash(npm test:*)')).toThrow(`${path} is being changed by another process; try again`)
  expect(existsSync(path)).toBe(false)
  release()
  expect([save('Bash(npm test:*)'), save('Bash(ls:*)')]).toEqual([['Bash(npm test:*)'], ['Bash(ls:*)']])
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    permissions: { allow: ['Bash(npm test:*)', 'Bash(ls:*)'] },
  })
  expect(existsSync(`${path}.lock`)).toBe(false)
})
