import { describe, expect, test } from 'vitest'
import type { Policy } from '../../../src/protocol/permissions/permission.ts'
import { closedFiles } from '../../../src/rules/permissions/closed-files.ts'
import { policyRules } from '../../../src/rules/permissions/rule-index.ts'

const at = { cwd: '/repo', home: '/home/ann' }
const policy: Policy = {
  mode: 'default',
  rules: {
    user: { deny: ['Read(.env)', 'Read(//data/keys/**)', 'Edit(/locked/**)'] },
    project: { allow: ['Read'], ask: ['Read(/drafts/**)'] },
  },
  bounds: { protected: ['/repo/.troupe/runs'], scope: [], blockedHosts: [] },
  directories: ['/repo'],
}

describe('what a search leaves out', () => {
  const closed = closedFiles(policy, policyRules(policy), at)

  test.each([
    ['/repo/.env', true],
    ['/repo/sub/deep/.env', true],
    ['/data/keys/a/b.pem', true],
    ['/repo/drafts/one.md', true],
    ['/repo/.troupe/runs/x/run.json', true],
    ['/repo/.envrc', false],
    ['/repo/locked/a.ts', false],
    ['/repo/src/a.ts', false],
  ])('%s below the working directory: %s', (path, expected) => {
    expect(closed(path, '/repo')).toBe(expected)
  })

  test('what was asked about as a whole is shown, and what is denied in it is not', () => {
    expect(closed('/repo/drafts/one.md', '/repo/drafts')).toBe(false)
    expect(closed('/repo/drafts/.env', '/repo/drafts')).toBe(true)
  })
})
