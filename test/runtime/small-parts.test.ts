import { expect, test } from 'vitest'
import type { Envelope } from '../../src/protocol/envelope.ts'
import type { AgentOutput } from '../../src/protocol/port.ts'
import { childEnv } from '../../src/runtime/child-env.ts'
import { policyOf, withGrants } from '../../src/runtime/policy.ts'
import { reply } from '../../src/runtime/reply.ts'
import { teamPort, type OpenedRequest, type TeamReach } from '../../src/runtime/team-port.ts'
import { sampleTeam } from '../contracts/sample-team.ts'

test('children inherit the environment without anything that looks like a credential', () => {
  const env = {
    PATH: '/bin',
    HOME: '/h',
    ANTHROPIC_API_KEY: 'k',
    GITHUB_TOKEN: 't',
    DB_PASSWORD: 'p',
    AWS_SECRET_ACCESS_KEY: 's',
    KEYBOARD: 'de',
    UNSET: undefined,
  }
  expect(childEnv(env)).toEqual({ PATH: '/bin', HOME: '/h', KEYBOARD: 'de' })
})

const resolvedTeam = sampleTeam()
const lead = resolvedTeam.members[0]
const options = { cwd: '/w', home: '/h', trusted: false }

test("a team's allow rules count only in a trusted workspace, its deny rules always", () => {
  const team = { ...resolvedTeam, permissions: { allow: ['Bash'], deny: ['Bash(git push:*)'] } }
  if (!lead) throw new Error('the sample team has no member')
  expect(policyOf(team, lead, options).rules.project).toEqual({ allow: [], ask: [], deny: ['Bash(git push:*)'] })
  expect(policyOf(team, lead, { ...options, trusted: true }).rules.project?.allow).toEqual(['Bash'])
})

test('the command line chooses the mode over the member, the member over the team', () => {
  if (!lead) throw new Error('the sample team has no member')
  const team = { ...resolvedTeam, permissions: { mode: 'plan' as const } }
  const card = { ...lead, permissions: { mode: 'acceptEdits' as const } }
  expect(policyOf(team, { ...lead, permissions: {} }, options).mode).toBe('plan')
  expect(policyOf(team, card, options).mode).toBe('acceptEdits')
  expect(policyOf(team, card, { ...options, mode: 'dontAsk' }).mode).toBe('dontAsk')
})

test('grants become session rules and leave the frozen policy alone', () => {
  if (!lead) throw new Error('the sample team has no member')
  const policy = policyOf(resolvedTeam, lead, options)
  expect(withGrants(policy, [])).toBe(policy)
  expect(withGrants(policy, ['Bash(make)']).rules.session).toEqual({ allow: ['Bash(make)'] })
  expect(policy.rules.session).toBeUndefined()
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

const outcome = (reason: AgentOutput['reason']): AgentOutput => ({ reason, turn: 1, compactedReactively: false })

test.each([
  ['completed', 'Seen.', 'done', 'Seen.'],
  ['verified', '', 'done', '(finished without a text)'],
  ['max_turns', 'Half.', 'failed', 'Did not finish (max_turns). Last words:\nHalf.'],
  ['aborted_tools', '', 'cancelled', 'Did not finish (aborted_tools).'],
] as const)('work that ended %s is answered as it ended', (reason, lastText, status, body) => {
  const sent: unknown[] = []
  const debts = { owed: new Map([['r1', owed('task', 'r1')]]) }
  const { replied } = reply(debts, { outcome: outcome(reason), lastText }, (draft) => {
    sent.push(draft)
    return 'mail-1'
  })
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

test('a question is answered under its own id, with the failure in words', () => {
  const debt = owed('question')
  const ended = { ...outcome('failed'), failure: { code: 'overloaded' as const, message: 'too busy' } }
  const bodies: string[] = []
  const { replied } = reply({ owed: new Map([[debt.id, debt]]) }, { outcome: ended, lastText: '' }, (draft) => {
    bodies.push(`${draft.kind}: ${draft.body}`)
    return 'mail-2'
  })
  expect(replied).toEqual([{ request: debt.id, mail_id: 'mail-2' }])
  expect(bodies).toEqual(['answer: Did not finish (failed: too busy).'])
})

function reach(opened: OpenedRequest[], more: Partial<TeamReach> = {}): TeamReach {
  return {
    team: 'duo',
    recipients: () => ['ana'],
    workers: () => ['ana'],
    send: (draft) => ({ id: `mail to ${draft.to} under ${draft.key}` }),
    openRequest: (request) => opened.push(request),
    nextRequest: () => `r${opened.length + 1}`,
    stop: (worker) => ({ id: worker }),
    now: () => 1_000,
    ...more,
  }
}

const subtask = { worker: 'ana', task: 'Look.', callId: 'c1', index: 0 }

test('delegating sends a task and opens a request under one name', () => {
  const opened: OpenedRequest[] = []
  const port = teamPort(reach(opened))
  expect(port.delegate({ ...subtask, context: 'Here.', deadlineMs: 500 })).toEqual({ id: 'r1' })
  expect(opened).toEqual([
    {
      request: 'r1',
      worker: 'ana',
      task: 'Look.\n\nContext:\nHere.',
      mail_id: 'mail to ana@duo under call:c1:0',
      deadline: 1_500,
    },
  ])
})

test('delegating to nobody, or by nobody entitled, opens nothing', () => {
  const opened: OpenedRequest[] = []
  expect(teamPort(reach(opened)).delegate({ ...subtask, worker: 'anna' })).toEqual({
    error: 'No worker is called "anna". Workers: ana.',
  })
  expect(teamPort(reach(opened, { openRequest: null })).delegate(subtask)).toEqual({
    error: 'Only the coordinator delegates.',
  })
  const refused = teamPort(reach(opened, { send: () => ({ error: 'full' }) }))
  expect(refused.delegate(subtask)).toEqual({ error: 'full' })
  expect(opened).toEqual([])
})
