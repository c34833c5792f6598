import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { createRun } from '../../../src/adapters/sessions/run-directory.ts'
import type { AgentId } from '../../../src/protocol/words/ids.ts'
import { openMailbox, type OpenMailboxOptions } from '../../../src/runtime/mail/open-mailbox.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'
import { tempDir } from '../support/stage.ts'

function newRun() {
  const cwd = tempDir()
  const home = join(cwd, 'home')
  const root = join(cwd, '.troupe/runs')
  const ulid = '01J00000000000000000000001'
  const run = createRun({ root, home, team: sampleTeam(), task: 'Go.', cwd, git_head: null, ulid, created: 1 })
  return { home, dir: run.dir }
}

test.each<[string, OpenMailboxOptions, RegExp]>([
  ['writr@demo', {}, /is no member of demo-.* Did you mean "writer@demo"\?/],
  ['Writer@demo', {}, /is no member/],
  ['writer', {}, /is no member/],
  ['writer@other', {}, /is no member/],
  ['team@demo', {}, /is no member/],
  ['../../out@demo', {}, /is no member/],
  ['', {}, /is no member/],
  ['user', { person: '../../out' }, /no ULID/],
  ['user', { mail: { maxUnread: NaN } }, /mail\.maxUnread is NaN: it has to be a whole number above 0/],
  ['user', { mail: { maxUnread: 0 } }, /mail\.maxUnread is 0/],
  ['user', { mail: { durability: 'disk' as 'power' } }, /mail\.durability is "disk": it has to be process or power/],
])('%j %j opens no mailbox, and nothing appears', (agent, options, error) => {
  const { home, dir } = newRun()
  const tree = () => readdirSync(join(dir, '..'), { recursive: true }).map(String).toSorted()
  const before = tree()
  expect(() => openMailbox(dir, agent as AgentId, { home, ...options })).toThrow(error)
  expect(tree()).toEqual(before)
})

test('a run may be named from here: what its mail points to is found from anywhere', () => {
  const { home, dir } = newRun()
  const here = relative(process.cwd(), dir)
  const box = openMailbox(here, 'user', { home })
  const sent = box.send({ to: 'writer@demo', kind: 'text', body: 'x'.repeat(300_000), key: 'long' })
  box.close()
  if (!sent.ok) throw new Error(sent.error)
  expect(sent.envelope.body).toContain(` is in ${join(dir, 'artifacts')}/`)
})
