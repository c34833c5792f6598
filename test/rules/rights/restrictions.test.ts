import { describe, expect, test } from 'vitest'
import type { Policy } from '../../../src/protocol/permissions/permission.ts'
import type { Restriction } from '../../../src/protocol/permissions/restriction.ts'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { decide } from '../../../src/rules/permissions/cascade.ts'
import { boundsWith, carried, restricted } from '../../../src/rules/rights/restrictions.ts'

const place = { cwd: '/w', home: '/home/ann' }
const wide: Policy = {
  mode: 'acceptEdits',
  rules: { project: { allow: ['Bash', 'WebFetch'], deny: ['Bash(sudo:*)'] } },
  origins: { project: { allow: [{ at: 't:1' }, { at: 't:2' }], deny: [{ at: 't:3' }] } },
  bounds: { protected: [], scope: [], blockedHosts: [] },
  directories: ['/w'],
}
const decided = (tool: string, input: object, ...restrictions: Restriction[]) =>
  decide(analyse({ tool, input, ...place }), restricted(wide, restrictions, place.home))
const narrow = { of: 'narrow@t' }

describe('a call that is made for another member', () => {
  test('is denied what is denied to that one, and says so', () => {
    expect(decided('Bash', { command: 'git push' }, { ...narrow, deny: ['Bash(git push:*)'] })).toMatchObject({
      behavior: 'deny',
      rule: 'Bash(git push:*)',
      of: 'narrow@t',
    })
    expect(decided('Bash', { command: 'sudo x' }, { ...narrow, deny: ['Bash(rm *)'] })).toMatchObject({ at: 't:3' })
  })

  test.for<[string, Restriction, string, object, string]>([
    ['what it is asked about is asked', { ...narrow, ask: ['Bash(npm:*)'] }, 'Bash', { command: 'npm test' }, 'ask'],
    ['its scope holds', { ...narrow, scope: ['docs'] }, 'Write', { file_path: '/w/src/a.ts', content: '' }, 'deny'],
    [
      'inside of it nothing changes',
      { ...narrow, scope: ['docs'] },
      'Write',
      { file_path: 'docs/a', content: '' },
      'allow',
    ],
    [
      'its hosts are blocked',
      { ...narrow, blocked_hosts: ['*.Evil.com.'] },
      'WebFetch',
      { url: 'https://a.evil.com' },
      'deny',
    ],
    ['what it plans is only planned', { ...narrow, plan: true }, 'Write', { file_path: 'a', content: '' }, 'deny'],
    ['its plan mode holds for commands', { ...narrow, plan: true }, 'Bash', { command: 'make' }, 'ask'],
    ['it opens nothing', { ...narrow }, 'Read', { file_path: '/etc/passwd' }, 'ask'],
  ])('%s', ([, restriction, tool, input, behavior]) => {
    expect(decided(tool, input, restriction).behavior).toBe(behavior)
  })

  test('several hold together', () => {
    const both = [
      { ...narrow, scope: ['docs'] },
      { of: 'b@t', scope: ['docs/a', 'src'], deny: ['Bash'] },
    ]
    expect(decided('Write', { file_path: 'docs/b', content: '' }, ...both).behavior).toBe('deny')
    expect(decided('Write', { file_path: 'docs/a/c', content: '' }, ...both).behavior).toBe('allow')
    expect(decided('Bash', { command: 'ls' }, ...both).behavior).toBe('deny')
  })

  test('two scopes that have nothing in common leave nothing', () => {
    const { scope } = boundsWith({ ...wide.bounds, scope: ['/w/a'] }, { scope: ['b'] }, place)
    expect(scope).toEqual(['/dev/null'])
  })

  test('an approved plan leads where the member may go itself', () => {
    expect(restricted(wide, [{ ...narrow, plan: true }], place.home)).toMatchObject({
      mode: 'plan',
      afterPlan: 'acceptEdits',
    })
  })
})

describe('what a request carries', () => {
  const permissions = { deny: ['Bash'], scope: ['docs'], allow: ['Read'], mode: 'acceptEdits' as const }
  const served = [{ of: 'a@t', ask: ['Edit'] }]
  test('is what forbids on the card, and what was carried to it', () => {
    const said = carried({ role: 'worker', permissions }, { of: 'b@t', plans: true, served })
    expect(said).toEqual([{ of: 'b@t', deny: ['Bash'], scope: ['docs'], plan: true }, ...served])
  })
  test('is nothing where nothing forbids', () => {
    expect(
      carried({ role: 'worker', permissions: { allow: ['Bash'] } }, { of: 'b@t', plans: false, served: [] }),
    ).toEqual([])
  })
})
