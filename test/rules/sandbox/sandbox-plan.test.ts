import { describe, expect, test } from 'vitest'
import type { Policy } from '../../../src/protocol/permissions/permission.ts'
import { hostReach, sandboxedBy, sandboxPlan } from '../../../src/rules/sandbox/sandbox-plan.ts'
import type { SandboxSettings } from '../../../src/protocol/permissions/settings.ts'

const place = { cwd: '/repo', home: '/home/ann', available: true }

function policyWith(network: SandboxSettings['network'], blockedHosts: readonly string[] = []): Policy {
  const sandboxed = sandboxedBy({ enabled: true, ...(network ? { network } : {}) }, place)
  const bounds = { protected: [], scope: [], blockedHosts }
  return { mode: 'default', rules: {}, bounds, directories: ['/repo'], ...(sandboxed ? { sandboxed } : {}) }
}

describe('the network of a sandbox', () => {
  test.each([
    [undefined, [], 'closed'],
    [{ deniedDomains: ['a.test'] }, [], 'closed'],
    [{ allowedDomains: ['a.test'] }, [], 'proxied'],
    [{ allowedDomains: ['*'] }, [], 'open'],
    [{ allowedDomains: ['*'], deniedDomains: ['a.test'] }, [], 'proxied'],
    [{ allowedDomains: ['*'] }, ['b.test'], 'proxied'],
  ])('with %j and %j blocked it is %s', (network, blocked, expected) => {
    const plan = sandboxPlan(policyWith(network, blocked), { home: '/home/ann', temporary: '/tmp' })
    expect(plan.network).toBe(expected)
    expect(plan.unixSockets).toBe(false)
  })

  test.each([
    ['a.test', true],
    ['x.a.test', false],
    ['x.b.test', true],
    ['b.test', false],
    ['no.b.test', false],
    ['bad.test', false],
    ['x.bad.test', false],
    ['127.0.0.1', false],
    ['', false],
  ])('%s is open: %s', (host, open) => {
    const network = { allowedDomains: ['A.test', '*.b.test', '*.bad.test', 'bad.test'], deniedDomains: ['no.b.test'] }
    expect(hostReach(policyWith(network, ['bad.test']), host) !== 'closed').toBe(open)
  })
})
