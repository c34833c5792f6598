import { expect, test } from 'vitest'
import type { Entry } from '../../src/protocol/facts/entry.ts'
import type { Fact } from '../../src/protocol/facts/fact.ts'
import type { Envelope } from '../../src/protocol/mail/envelope.ts'
import { applyObligations, emptyObligations } from '../../src/projections/team/obligations.ts'
import type { AgentOutput } from '../../src/protocol/port.ts'
import { childEnv } from '../../src/adapters/process/child-env.ts'
import { reply } from '../../src/runtime/member/reply.ts'
import { assistant } from '../machines/support/agent-samples.ts'

test('children inherit what programs need and no secret, whatever its variable is called', () => {
  const needed = { PATH: '/bin', HOME: '/h', LC_ALL: 'C', XDG_CACHE_HOME: '/c', https_proxy: 'http://proxy:3128' }
  const secret = {
    ANTHROPIC_API_KEY: 'k',
    GITHUB_TOKEN: 't',
    OPENAI: 'sk-1',
    DATABASE_URL: 'postgres://ann:pw@db/x',
    MY_COMPANY_LOGIN: 'ann:pw',
    GIT_CONFIG_VALUE_0: 'Authorization: Bearer x',
    HTTP_PROXY: 'http://ann:pw@proxy:3128',
    SSH_AUTH_SOCK: '/s',
    NODE_OPTIONS: '--require /evil.js',
    UNSET: undefined,
  }
  expect(childEnv({ ...needed, ...secret })).toEqual(needed)
})

test('a person names further variables that children may have', () => {
  const env = { DATABASE_URL: 'postgres://db', OTHER: 'x', TROUPE_TOOL_ENV: 'DATABASE_URL, MISSING' }
  expect(childEnv(env)).toEqual({ DATABASE_URL: 'postgres://db' })
})

function owed(kind: 'task' | 'question', request?: string): Envelope {
  return {
    v: 1,
    id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    key: 'k',
    from: 'lead@duo',
    sender: 'lead',
    seq: 1,
    to: 'ana@duo',
    kind,
    priority: 'normal',
    body: 'Look.',
    sent_at: 1,
    ...(request === undefined ? {} : { request }),
  }
}

/** What a member owes that received these. */
function debtsOf(...received: readonly Envelope[]) {
  return debtsAfter(...received.map((envelope) => ({ type: 'mail.received', envelope }) as const))
}

/** What a member owes after these facts of its journal. */
function debtsAfter(...facts: readonly Fact[]) {
  const debts = emptyObligations()
  facts.forEach((fact, at) => {
    const entry: Entry = { v: 1, seq: at + 1, id: `ana-${at}`, parent: null, at, ...fact }
    applyObligations(debts, { owner: 'ana', entry })
  })
  return debts
}

const silence = { conversation: { messages: [] } }
const noRepair = {
  repair(text: string) {
    throw new Error(`nothing is to be repaired: ${text}`)
  },
}
const outcome = (reason: AgentOutput['reason']): AgentOutput => ({ reason, turn: 1 })

test.each([
  ['completed', 'Seen.', 'done', 'Seen.'],
  ['verified', '', 'done', '(finished without a text)'],
  ['max_turns', 'Half.', 'failed', 'Did not finish (max_turns). Last words:\nHalf.'],
  ['aborted_tools', '', 'cancelled', 'Did not finish (aborted_tools).'],
] as const)('work that ended %s is answered as it ended', async (reason, lastText, status, body) => {
  const sent: unknown[] = []
  const { replied } = await reply(
    debtsOf(owed('task', 'r1')),
    { ...silence, outcome: outcome(reason), lastText },
    {
      ...noRepair,
      send(draft) {
        sent.push(draft)
        return 'mail-1'
      },
    },
  )
  expect(replied).toEqual([{ request: 'r1', mail_id: 'mail-1' }])
  expect(sent).toEqual([
    {
      to: 'lead@duo',
      kind: 'result',
      key: 'reply:01ARZ3NDEKTSV4RRFFQ69G5FAV',
      reply_to: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      request: 'r1',
      status,
      body,
    },
  ])
})

test('a question is answered under its own id, with the failure in words', async () => {
  const debt = owed('question')
  const ended = { ...outcome('failed'), failure: { code: 'overloaded' as const, message: 'too busy' } }
  const bodies: string[] = []
  const { replied } = await reply(
    debtsOf(debt),
    { ...silence, outcome: ended, lastText: '' },
    {
      ...noRepair,
      send(draft) {
        bodies.push(`${draft.kind}: ${draft.body}`)
        return 'mail-2'
      },
    },
  )
  expect(replied).toEqual([{ request: debt.id, mail_id: 'mail-2' }])
  expect(bodies).toEqual(['answer: Did not finish (failed: too busy).'])
})

test.each([
  [false, ['r1 done']],
  [true, ['r1 done', 'r2 cancelled']],
])('a task that waits for its turn is not answered with the words of another: leaving %s', async (leaving, wanted) => {
  const second = { ...owed('task', 'r2'), id: '01ARZ3NDEKTSV4RRFFQ69G5FAW', seq: 2 }
  const answers: string[] = []
  await reply(
    debtsOf(owed('task', 'r1'), second),
    { ...silence, outcome: outcome('completed'), lastText: 'Seen.', leaving },
    {
      ...noRepair,
      send(draft) {
        answers.push(`${draft.request} ${draft.status}`)
        return 'mail-3'
      },
    },
  )
  expect(answers).toEqual(wanted)
})

test.each(['completed', 'aborted_streaming', 'failed'] as const)(
  'a text about an answered task amends the answer, also where the work after it ended %s',
  async (reason) => {
    const said = assistant({ content: [{ type: 'text', text: 'Line 7, too.' }] })
    const debts = debtsAfter(
      { type: 'mail.received', envelope: owed('task', 'r1') },
      { type: 'member.replied', request: 'r1', mail_id: 'mail-1' },
      { type: 'agent.started' },
      { type: 'message.appended', message: said },
    )
    const sent: unknown[] = []
    const send = (draft: unknown): string => `mail-${sent.push(draft)}`
    await reply(debts, { ...silence, outcome: outcome(reason), lastText: '' }, { ...noRepair, send })
    expect(sent).toEqual([
      expect.objectContaining({ kind: 'result', request: 'r1', amends: true, body: 'Line 7, too.' }),
    ])
  },
)
