import { test as property, fc } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { ruleComplaint, shortRule, withoutComments } from '../../../src/rules/settings/settings-document.ts'
import { closingSandbox, joinSandboxes, openingSandbox } from '../../../src/rules/sandbox/settings-sandbox.ts'

const tools = ['Bash', 'Read', 'Edit']

test.for([
  ['Bash(ls:*)', 'allow', null],
  ['mcp__github__get_*', 'allow', null],
  ['mcp__*', 'deny', null],
  ['*', 'deny', null],
  ['mcp__*', 'allow', 'misleading_rule'],
  ['*', 'allow', 'misleading_rule'],
  ['Bahs', 'deny', 'unknown_tool'],
  ['Bash(ls', 'deny', 'invalid_rule'],
  ['Bash(\u0001)', 'deny', 'invalid_rule'],
  ['Bash(cat <<E\nE)', 'allow', null],
  [`Bash(${'a'.repeat(10_001)})`, 'allow', 'invalid_rule'],
] as const)('%j in %s is %s', ([text, list, code]) => {
  expect(ruleComplaint(text, { list, tools })?.code ?? null).toBe(code)
})

test('a leading / is only remarked on where it means another directory than people expect', () => {
  expect(ruleComplaint('Read(/etc/x)', { list: 'deny', tools })).toBeNull()
  expect(ruleComplaint('Read(/etc/x)', { list: 'deny', tools, anchored: '/h/.troupe' })?.message).toContain(
    '/h/.troupe/etc/x',
  )
  expect(ruleComplaint('Read(//etc/x)', { list: 'deny', tools, anchored: '/h/.troupe' })).toBeNull()
})

test('comments go, what looks like one inside a text stays, and every place stays where it was', () => {
  const text = '{ // one\n "a": "http://x /* no */", /* two\n lines */ "b": "\\"//" }'
  const bare = withoutComments(text)
  expect(JSON.parse(bare)).toEqual({ a: 'http://x /* no */', b: '"//' })
  expect(bare.length).toBe(text.length)
  expect(bare.indexOf('"b"')).toBe(text.indexOf('"b"'))
})

property.prop([fc.json()])('JSON has no comments to lose', (text) => {
  expect(withoutComments(text)).toBe(text)
})

test('a long rule is told in short', () => {
  expect(shortRule('a'.repeat(300))).toHaveLength(200)
  expect(shortRule('Bash')).toBe('Bash')
})

test('of two sandboxes lists are joined, the first has the word, and what closes is closed', () => {
  const first = { enabled: false, autoAllowBashIfSandboxed: true, network: { allowedDomains: ['a'] } }
  const second = {
    enabled: true,
    allowUnsandboxedCommands: false,
    autoAllowBashIfSandboxed: false,
    network: { allowedDomains: ['a', 'b'] },
  }
  expect(joinSandboxes(first, second)).toEqual({
    enabled: true,
    allowUnsandboxedCommands: false,
    autoAllowBashIfSandboxed: true,
    filesystem: {},
    network: { allowedDomains: ['a', 'b'] },
  })
})

test('the part of a sandbox that closes opens nothing, and nothing of it is lost', () => {
  const sandbox = {
    enabled: true,
    failIfUnavailable: true,
    autoAllowBashIfSandboxed: true,
    excludedCommands: ['docker'],
    filesystem: { allowWrite: ['/'], denyRead: ['/h/.ssh'], denyWrite: ['/etc'], allowRead: ['/h'] },
    network: { allowedDomains: ['*'], deniedDomains: ['evil.example'] },
  }
  const closing = closingSandbox(sandbox)
  expect(openingSandbox(closing)).toBeNull()
  expect(closing).toEqual({
    enabled: true,
    failIfUnavailable: true,
    filesystem: { denyRead: ['/h/.ssh'], denyWrite: ['/etc'] },
    network: { deniedDomains: ['evil.example'] },
  })
  expect(openingSandbox(sandbox)).toContain('excludedCommands')
  expect(openingSandbox({ enabled: false })).toContain('enabled')
})
