import { expect, test } from 'vitest'
import { resourceTools } from '../../../../src/adapters/tools/mcp/resource-tools.ts'

test('the address of a resource is a path for rules where it names a file', () => {
  const [, read] = resourceTools('fs', false, () => Promise.resolve({ content: [], isError: false }))
  expect(['@fs:file:///etc/passwd', 'file:///etc/pass%77d', 'note://one'].map((uri) => read?.paths?.({ uri }))).toEqual(
    [['/etc/passwd'], ['/etc/passwd'], []],
  )
  expect(read?.isReadOnly({})).toBe(true)
})
