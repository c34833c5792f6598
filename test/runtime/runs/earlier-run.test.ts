import { expect, test } from 'vitest'
import { createRun } from '../../../src/adapters/sessions/run-directory.ts'
import { userMessage } from '../../../src/protocol/conversation/message.ts'
import type { Envelope } from '../../../src/protocol/mail/envelope.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { readEarlier } from '../../../src/runtime/runs/earlier-run.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'
import { everyEntry } from '../../support/every-entry.ts'
import { tempDir } from '../support/stage.ts'

const long = 'x'.repeat(1_000)

const mail = (kind: Envelope['kind'], seq: number): Fact => ({
  type: 'mail.sent',
  envelope: {
    v: 1,
    id: `01J0000000000000000000000${seq}`,
    key: `k${seq}`,
    from: 'writer@demo',
    sender: 'writer',
    seq,
    to: 'lead@demo',
    kind,
    priority: 'normal',
    body: long,
    sent_at: 1,
  },
})

const result: Fact = {
  type: 'message.appended',
  message: {
    role: 'tool',
    results: [{ call_id: 'c', tool: 'Read', content: [{ type: 'text', text: long }], is_error: false }],
  },
}

test('of a long past the leader keeps every fact in order, and only the words that it goes by', () => {
  const cwd = tempDir()
  const [team, ulid] = [sampleTeam(['lead', 'writer']), '01J00000000000000000000001']
  const run = createRun({ root: cwd, home: cwd, team, task: '', cwd, git_head: null, ulid, created: 1 })
  const said: Fact = { type: 'message.appended', message: userMessage(long) }
  let time = 0
  const now = () => (time += 1)
  const [lead, writer] = ['lead', 'writer'].map((name) => run.openJournal(name, now, everyEntry).journal)
  lead?.append([said])
  writer?.append([said, result, mail('text', 1), mail('result', 2)])
  lead?.append([result])
  const { recorded, positions } = readEarlier(run.dir, 'lead')
  const kept = recorded.map(({ owner, entry }) => [owner, entry.type, JSON.stringify(entry).includes(long)])
  expect(kept).toEqual([
    ['lead', 'message.appended', true],
    ['writer', 'message.appended', false],
    ['writer', 'message.appended', false],
    ['writer', 'mail.sent', false],
    ['writer', 'mail.sent', true],
    ['lead', 'message.appended', false],
  ])
  expect([...positions.keys()]).toEqual(['lead', 'writer'])
})
