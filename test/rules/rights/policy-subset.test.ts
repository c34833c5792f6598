import { test as property, fc } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { permissionModes, type Policy } from '../../../src/protocol/permissions/permission.ts'
import { policyExcess } from '../../../src/rules/rights/policy-subset.ts'

const parent: Policy = {
  mode: 'default',
  rules: { project: { allow: ['Bash(make)'], ask: ['Read'], deny: ['Bash(rm:*)'] }, user: { deny: ['Edit'] } },
  bounds: { protected: ['/w/.troupe'], scope: ['/w'], blockedHosts: ['evil.example'], readable: ['/w/.troupe/a'] },
  directories: ['/w'],
}

test('a policy is a part of itself', () => {
  expect(policyExcess(parent, parent)).toEqual([])
})

test('less is a part of it', () => {
  const { bounds } = parent
  const child: Policy = {
    mode: 'plan',
    rules: { project: { ask: ['Bash'], deny: ['Bash(rm:*)', 'Read'] }, user: { deny: ['Edit', 'Write'] } },
    bounds: {
      ...bounds,
      protected: ['/w/.troupe', '/w/x'],
      scope: ['/w/src'],
      blockedHosts: ['evil.example', 'b'],
      readable: [],
    },
    directories: ['/w/src'],
  }
  expect(policyExcess(child, parent)).toEqual([])
})

test.for<[string, Partial<Policy>, string]>([
  ['mode', { mode: 'acceptEdits' }, 'mode acceptEdits is wider than default'],
  ['allow rule', { rules: { ...parent.rules, local: { allow: ['Bash'] } } }, 'local allows Bash'],
  ['deny rule', { rules: { ...parent.rules, user: {} } }, 'user no longer denies Edit'],
  [
    'ask rule',
    { rules: { ...parent.rules, project: { ...parent.rules.project, ask: [] } } },
    'no longer asks before Read',
  ],
  ['directory', { directories: ['/w', '/w-other'] }, '/w-other is no working directory'],
  ['protected', { bounds: { ...parent.bounds, protected: [] } }, '/w/.troupe is open'],
  ['readable', { bounds: { ...parent.bounds, readable: ['/w/.troupe'] } }, '/w/.troupe may be read'],
  ['host', { bounds: { ...parent.bounds, blockedHosts: [] } }, 'evil.example is not blocked'],
  ['scope', { bounds: { ...parent.bounds, scope: [] } }, 'the scope is wider'],
])('a wider %s is named', ([, change, excess]) => {
  expect(policyExcess({ ...parent, ...change }, parent)).toEqual([expect.stringContaining(excess)])
})

const rules = fc.record({
  allow: fc.uniqueArray(fc.constantFrom('Bash', 'Read', 'Edit')),
  deny: fc.uniqueArray(fc.constantFrom('Bash', 'Read', 'Edit')),
})
const policies: fc.Arbitrary<Policy> = fc.record({
  mode: fc.constantFrom(...permissionModes),
  rules: fc.record({ project: rules, user: rules }),
  bounds: fc.constant({ protected: [], scope: [], blockedHosts: [] }),
  directories: fc.constantFrom(['/w'], ['/w/a'], ['/v']),
})

/** Takes some allow rules away and adds some that deny. */
function narrowed(policy: Policy, { allow, deny }: { allow: readonly string[]; deny: readonly string[] }): Policy {
  const { project = {} } = policy.rules
  const kept = (project.allow ?? []).filter((rule) => allow.includes(rule))
  const added = [...(project.deny ?? []), ...deny]
  return { ...policy, mode: 'plan', rules: { ...policy.rules, project: { ...project, allow: kept, deny: added } } }
}

property.prop([policies, rules, rules])(
  'what is narrowed twice is a part of the whole, and never the other way',
  (whole, once, twice) => {
    const child = narrowed(whole, once)
    const grandchild = narrowed(child, twice)
    expect(policyExcess(child, whole)).toEqual([])
    expect(policyExcess(grandchild, whole)).toEqual([])
    const lost = (child.rules.project?.allow ?? []).length < (whole.rules.project?.allow ?? []).length
    if (lost) expect(policyExcess(whole, child)).not.toEqual([])
  },
)
