import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import type { SandboxPlan } from '../../../src/rules/sandbox/sandbox-plan.ts'
import { seatbeltProfile } from '../../../src/rules/sandbox/seatbelt-profile.ts'

const plan: SandboxPlan = {
  writable: ['/repo', '/private/tmp'],
  pinned: ['/repo/sub/.git'],
  readOnly: ['/repo/.troupe', '/repo/sub/.git/hooks'],
  reopened: ['/repo/.troupe/worktrees/w1'],
  hidden: ['/Users/ann/.troupe/keys', '/repo/.env'],
  shown: ['/Users/ann/.troupe/keys/public'],
  network: 'closed',
  unixSockets: false,
}

describe('a plan as a Seatbelt profile', () => {
  test('denies what it does not allow, and the later rule is the narrower one', () => {
    expect(seatbeltProfile(plan).replace(/^[^]*ttys[^\n]*\n/, '')).toBe(`(allow file-write* file-link
  (subpath "/repo")
  (subpath "/private/tmp"))
(deny file-write* file-link
  (subpath "/repo/.troupe")
  (subpath "/repo/sub/.git/hooks"))
(allow file-write* file-link
  (subpath "/repo/.troupe/worktrees/w1"))
(deny file-write-unlink
  (literal "/repo/sub/.git")
  (literal "/repo")
  (literal "/repo/sub"))
(deny file-read* file-write* file-link
  (subpath "/Users/ann/.troupe/keys")
  (subpath "/repo/.env"))
(allow file-read*
  (subpath "/Users/ann/.troupe/keys/public"))
(deny network-bind network-inbound network-outbound (subpath "/"))
`)
    expect(seatbeltProfile(plan)).toMatch(/^\(version 1\)\n\(deny default\)\n/)
    expect(seatbeltProfile(plan)).not.toMatch(/appleevent|lsopen|job-creation|\(allow default\)/)
  })

  test.for([
    ['closed', false, []],
    ['proxied', false, []],
    ['open', false, ['(allow system-socket network-bind network-inbound network-outbound)']],
    ['closed', true, ['(allow system-socket)', '(allow network-bind network-outbound (subpath "/"))']],
  ] as const)('a %s network with sockets of the machine %s', ([network, unixSockets, expected]) => {
    const text = seatbeltProfile({ ...plan, network, unixSockets })
    expect(text.match(/^\(allow [^\n]*(?:network|socket)[^\n]*$/gm) ?? []).toEqual(expected)
  })

  property.prop([fc.string({ unit: 'grapheme' }), fc.constantFrom('writable', 'readOnly', 'hidden', 'shown')])(
    'no name of a file begins a rule of its own',
    (name, list) => {
      const text = seatbeltProfile({ ...plan, [list]: [`/repo/${name}`] })
      const quotes = /"((?:\\[^]|[^"\\])*)"/g
      const texts = [...text.matchAll(quotes)].map(([, inside = '']) => inside.replaceAll(/\\([^])/g, '$1'))
      expect(texts).toContain(`/repo/${name}`)
      expect(text.replaceAll(quotes, '')).not.toMatch(/["\\]/)
    },
  )
})
