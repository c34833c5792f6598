import { describe, expect, test } from 'vitest'
import type { Policy, RulesBySource } from '../../../src/protocol/permissions/permission.ts'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { decide } from '../../../src/rules/permissions/cascade.ts'
import { shadowedRules } from '../../../src/rules/permissions/shadowed-rules.ts'

const policyOf = (rules: RulesBySource, more: Partial<Policy> = {}): Policy => ({
  mode: 'default',
  rules,
  bounds: { protected: [], scope: [], blockedHosts: [] },
  directories: ['/repo'],
  ...more,
})
const sandboxed = { allows: true, excluded: ['docker *'] }

describe('shadowedRules', () => {
  test.each([
    ['Bash(ls:*)', 'Bash', true],
    ['Bash(git push origin)', 'Bash(git push *)', true],
    ['Bash(git *)', 'Bash(git push *)', false],
    ['Read(./a)', 'Read', true],
    ['mcp__db__get', 'mcp__*', true],
    ['Edit(a)', 'Read(a)', false],
  ])('%s below deny %s: %s', (allow, deny, shadowed) => {
    expect(shadowedRules(policyOf({ user: { deny: [deny] }, project: { allow: [allow] } }))).toHaveLength(
      shadowed ? 1 : 0,
    )
  })

  test('names both rules with their places', () => {
    const origins = { user: { ask: [{ at: '~/s.json:3' }] } }
    const found = shadowedRules(policyOf({ user: { ask: ['Bash'] }, local: { allow: ['Bash(ls)'] } }, { origins }))
    expect(found).toEqual([
      {
        source: 'local',
        list: 'allow',
        rule: 'Bash(ls)',
        by: { source: 'user', list: 'ask', rule: 'Bash', at: '~/s.json:3' },
      },
    ])
  })

  test('a sandbox that lets commands through answers a person’s own question about all of Bash', () => {
    const rules = { user: { ask: ['Bash'] }, local: { allow: ['Bash(ls)'] } }
    expect(shadowedRules(policyOf(rules, { sandboxed }))).toEqual([])
    expect(shadowedRules(policyOf({ ...rules, policy: { ask: ['Bash'] } }, { sandboxed }))).toHaveLength(1)
  })
})

describe('commands inside a sandbox', () => {
  const judge = (command: string, rules: RulesBySource = {}, more: Partial<Policy> = {}, input = {}) =>
    decide(
      analyse({ tool: 'Bash', input: { command, ...input }, cwd: '/repo', home: '/home/ann' }),
      policyOf(rules, { sandboxed, ...more }),
    ).behavior

  test('need no question', () => {
    expect(judge('npm test > out.txt')).toBe('allow')
    expect(judge('npm test', { user: { ask: ['Bash'] } })).toBe('allow')
    expect(judge('npm test', {}, { sandboxed: { ...sandboxed, allows: false } })).toBe('ask')
  })

  test.each([
    ['a deny rule', 'npm test', { user: { deny: ['Bash(npm *)'] } }, 'deny'],
    ['an ask rule that names the command', 'npm test', { user: { ask: ['Bash(npm *)'] } }, 'ask'],
    ['an ask rule of others', 'npm test', { project: { ask: ['Bash'] } }, 'ask'],
    ['a critical removal', 'rm -rf ~', {}, 'ask'],
    ['a file that configures tools', 'echo x > .git/config', {}, 'ask'],
    ['a line that cannot be read', 'npm test $(', {}, 'ask'],
    ['a command that stays outside', 'ls && docker ps', {}, 'ask'],
  ] as const)('still meet %s', (_what, command, rules, behavior) => {
    expect(judge(command, rules as RulesBySource)).toBe(behavior)
  })

  test('keep plan mode and dontAsk, and the question of a call that wants out', () => {
    expect(judge('touch x', {}, { mode: 'plan' })).toBe('deny')
    expect(judge('npm test', {}, { mode: 'dontAsk' })).toBe('deny')
    expect(judge('npm test', {}, {}, { dangerously_disable_sandbox: true })).toBe('ask')
  })
})
