import { describe, expect, test } from 'vitest'
import type { PermissionMode, PermissionRequest, Policy } from '../../../src/protocol/permissions/permission.ts'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { decide } from '../../../src/rules/permissions/cascade.ts'

const cwd = '/repo'

function verdict(declared: Partial<PermissionRequest>, mode: PermissionMode, allow: string[] = []) {
  const bounds = { protected: [], scope: [], blockedHosts: ['evil.example'] }
  const policy: Policy = { mode, rules: { user: { allow } }, bounds, directories: [cwd] }
  return decide(analyse({ tool: 'Own', input: {}, cwd, home: '/home/ann', ...declared }), policy)
}

describe('what a tool declares of itself', () => {
  test('a destructive call is granted by no mode, and by a rule for it', () => {
    for (const mode of ['default', 'acceptEdits', 'bypassPermissions'] as const) {
      expect(verdict({ destructive: true }, mode).behavior).toBe('ask')
      expect(verdict({ destructive: true, harmless: true }, mode).behavior).toBe('ask')
      expect(verdict({ destructive: true }, mode, ['Own']).behavior).toBe('allow')
    }
    expect(verdict({}, 'bypassPermissions').behavior).toBe('allow')
    expect(verdict({ harmless: true }, 'default').behavior).toBe('allow')
  })

  test('one that wants a person is asked about at every call, and denied where nobody asks', () => {
    for (const mode of ['default', 'bypassPermissions'] as const)
      expect(verdict({ interactive: true, harmless: true }, mode, ['Own'])).toMatchObject({
        behavior: 'ask',
        source: 'bounds',
      })
    expect(verdict({ interactive: true }, 'dontAsk', ['Own']).behavior).toBe('deny')
  })

  test('a tool that is built in is known already', () => {
    expect(verdict({ tool: 'AskUser', interactive: true }, 'default').behavior).toBe('allow')
  })

  test('the question names the address and the variables', () => {
    const reaches = { url: 'https://tickets.example.com/open', variables: ['TICKET_KEY'] }
    expect(verdict({ reaches }, 'default').reason).toBe(
      'default mode asks before calling Own, which sends its input and $TICKET_KEY to https://tickets.example.com/open; the allow rule Own would permit it',
    )
  })

  test('a host that is blocked is blocked for it, too', () => {
    const reaches = { url: 'https://api.evil.example/x', variables: [] }
    expect(verdict({ reaches }, 'bypassPermissions', ['Own'])).toMatchObject({ behavior: 'deny', source: 'bounds' })
  })
})
