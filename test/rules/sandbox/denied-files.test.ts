import { expect, test } from 'vitest'
import type { Policy } from '../../../src/protocol/permissions/permission.ts'
import { deniedFiles } from '../../../src/rules/sandbox/denied-files.ts'

function denied(rules: readonly string[], seen: readonly string[]) {
  const policy: Policy = {
    mode: 'default',
    rules: { user: { deny: [...rules] } },
    bounds: { protected: [], scope: [], blockedHosts: [] },
    directories: ['/repo'],
  }
  return deniedFiles(policy, '/home/ann', seen)
}

test.for([
  [['Read(.env)'], ['/repo/.env', '/repo/sub/.ENV', '/repo/a'], ['/repo/.env', '/repo/sub/.ENV']],
  [['Read(./secrets/**)'], ['/repo/secrets', '/repo/secrets/a'], ['/repo/secrets']],
  [['Read(~/.ssh/**)', 'Read(//etc/shadow)'], [], ['/etc/shadow', '/home/ann/.ssh']],
  [['Read(**/*.key)'], ['/repo/a/b.key', '/repo/a/b.keys'], ['/repo/a/b.key']],
  [['Read(//**)'], [], []],
  [['Edit(./src/**)', 'Bash(rm *)'], ['/repo/src/a'], []],
] as const)('%j closes of %j to reading %j', ([rules, seen, expected]) => {
  expect(denied(rules, seen).read).toEqual(expected)
})

test('a rule about changes closes only changes, more than a sandbox can hold is refused', () => {
  expect(denied(['Edit(./src/**)'], ['/repo/src/a', '/repo/b']).edit).toEqual(['/repo/src'])
  const many = Array.from({ length: 301 }, (_, i) => `/repo/${i}.key`)
  expect(() => denied(['Read(*.key)'], many)).toThrow('more than 300 files')
})
