import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Mailbox } from '../../../src/adapters/mailbox/mailbox.ts'
import { createRun } from '../../../src/adapters/sessions/run-directory.ts'
import type { AgentId } from '../../../src/protocol/words/ids.ts'
import type { ResolvedTeam } from '../../../src/protocol/team/team-card.ts'
import { mailItems, purgeMail } from '../../../src/runtime/mail/inspect-mail.ts'
import { openMailbox, type OpenMailboxOptions } from '../../../src/runtime/mail/open-mailbox.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'
import { tempDir } from '../support/stage.ts'

function newRun(mail?: ResolvedTeam['mail']) {
  const cwd = tempDir()
  const home = join(cwd, 'home')
  const root = join(cwd, '.troupe/runs')
  const ulid = '01J00000000000000000000001'
  const run = createRun({
    root,
    home,
    team: { ...sampleTeam(), ...(mail && { mail }) },
    task: 'Go.',
    cwd,
    git_head: null,
    ulid,
    created: 1,
  })
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

describe('what a program reads', () => {
  const textsIn = (box: Mailbox, limit?: number) => box.receive(limit).map(({ body }) => body)
  const sentBy = (lead: Mailbox, body: string) => {
    const sent = lead.send({ to: 'writer@demo', kind: 'text', body, key: body })
    if (!sent.ok) throw new Error(sent.error)
    return sent.envelope.id
  }

  test('is handed out again after a restart until it says that it is done with it, in order', () => {
    const { home, dir } = newRun()
    const lead = openMailbox(dir, 'lead@demo', { home })
    const [one, two, three] = ['one', 'two', 'three'].map((body) => sentBy(lead, body))
    const first = openMailbox(dir, 'writer@demo', { home })
    expect(textsIn(first)).toEqual(['one', 'two', 'three'])
    expect(textsIn(first)).toEqual([])
    first.done(two ?? '')
    first.done(two ?? '')
    first.done('no mail of this box')
    first.close()
    sentBy(lead, 'four')
    const second = openMailbox(dir, 'writer@demo', { home })
    expect(second.unread()).toBe(3)
    expect(textsIn(second, 1)).toEqual(['one'])
    expect(textsIn(second)).toEqual(['three'])
    expect(textsIn(second)).toEqual(['four'])
    expect([one, two, three].map((id) => lead.state('writer', id ?? ''))).toEqual(['acked', 'handled', 'acked'])
    for (const id of [one, three]) second.done(id ?? '')
    second.close()
    const third = openMailbox(dir, 'writer@demo', { home })
    expect(textsIn(third)).toEqual(['four'])
    third.close()
    lead.close()
  })

  test('is handed out once where nothing is to be confirmed, whoever opens the box later', () => {
    const { home, dir } = newRun()
    const lead = openMailbox(dir, 'lead@demo', { home })
    sentBy(lead, 'one')
    const first = openMailbox(dir, 'writer@demo', { home, confirm: 'auto' })
    expect(textsIn(first)).toEqual(['one'])
    first.close()
    const second = openMailbox(dir, 'writer@demo', { home })
    expect(textsIn(second)).toEqual([])
    expect(() => openMailbox(dir, 'lead@demo', { home, confirm: 'never' as 'auto' })).toThrow(/confirm is "never"/)
    second.close()
    lead.close()
  })

  test('has a state for good, by name or address, however few files are kept', () => {
    const { home, dir } = newRun({ max_unread: 100, durability: 'process', archive: { count: 1, age_ms: 1 } })
    const lead = openMailbox(dir, 'lead@demo', { home })
    const ids = ['one', 'two', 'three'].map((body) => sentBy(lead, body))
    const writer = openMailbox(dir, 'writer@demo', { home, confirm: 'auto' })
    writer.receive()
    writer.close()
    openMailbox(dir, 'writer@demo', { home, confirm: 'auto' }).close()
    expect(readdirSync(join(dir, 'mail/writer/done')).length).toBeLessThan(2)
    expect(ids.map((id) => lead.state('writer', id))).toEqual(['acked', 'acked', 'acked'])
    expect(ids.map((id) => lead.state('writer@demo', id))).toEqual(['acked', 'acked', 'acked'])
    expect([lead.state('writer@other', ids[0] ?? ''), lead.state('writer', 'no mail')]).toEqual(['unknown', 'unknown'])
    lead.close()
  })

  test('is not sent again after it died and was deleted', () => {
    const { home, dir } = newRun()
    const lead = openMailbox(dir, 'lead@demo', { home })
    const sent = lead.send({
      to: 'writer@demo#01J00000000000000000000009',
      kind: 'control',
      body: 'To another life.',
      key: 'fenced',
    })
    lead.close()
    const read = () => {
      const writer = openMailbox(dir, 'writer@demo', { home })
      expect(writer.receive()).toEqual([])
      writer.close()
    }
    read()
    expect(purgeMail(dir, mailItems(dir, { states: ['dead'] }))).toHaveLength(1)
    const again = openMailbox(dir, 'lead@demo', { home })
    expect(sent.ok && again.state('writer', sent.envelope.id)).toBe('dead')
    again.close()
    read()
    expect(mailItems(dir)).toEqual([])
  })
})
