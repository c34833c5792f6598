import { expect, test } from 'vitest'
import { resolveHost } from '../../../src/adapters/sandbox/resolve-host.ts'

const names: Readonly<Record<string, readonly string[]>> = {
  'evil.test': ['203.0.113.9', '2001:db8::9'],
  'alias.test': ['198.51.100.1', '203.0.113.9'],
  'mapped.test': ['::ffff:203.0.113.9'],
  'good.test': ['198.51.100.2'],
  'shared.test': ['203.0.113.9'],
  'own.test': ['198.51.100.3', '127.0.0.1'],
  'own6.test': ['::1'],
  'mapped-own.test': ['::ffff:7f00:1'],
  'metadata.test': ['169.254.169.254'],
  'any.test': ['0.0.0.0'],
  'named-own.test': ['127.0.0.1'],
  'office.test': ['10.1.2.3'],
}
const verdicts: Readonly<Record<string, 'named' | 'closed'>> = {
  'shared.test': 'named',
  'named-own.test': 'named',
  'evil.test': 'closed',
}
const resolver = resolveHost({
  reach: (host) => verdicts[host] ?? 'covered',
  closed: () => ['evil.test'],
  addressesOf: (host) => Promise.resolve(names[host] ?? (/^[\d.:a-f]+$/.test(host) ? [host] : [])),
})

test.for<[string, string | null]>([
  ['good.test', '198.51.100.2'],
  ['evil.test', null],
  ['alias.test', null],
  ['mapped.test', null],
  ['203.0.113.9', null],
  ['[2001:db8::9]', null],
  ['[::ffff:203.0.113.9]', null],
  ['[::ffff:cb00:7109]', null],
  ['own.test', null],
  ['own6.test', null],
  ['mapped-own.test', null],
  ['metadata.test', null],
  ['any.test', null],
  ['127.0.0.1', null],
  ['office.test', '10.1.2.3'],
  ['named-own.test', '127.0.0.1'],
  ['nobody.test', null],
  // A host that is named itself may share an address with others.
  ['shared.test', '203.0.113.9'],
])('%s leads to %s', async ([host, address]) => {
  expect(await resolver(host)).toBe(address)
})
