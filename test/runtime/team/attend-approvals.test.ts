import { expect, test } from 'vitest'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import type { Answer } from '../../../src/protocol/permissions/permission.ts'
import type { Approver, Question } from '../../../src/protocol/port.ts'
import { noUsage, type AssistantMessage } from '../../../src/protocol/conversation/message.ts'
import { emptyConversation, appendEntry } from '../../../src/rules/conversation/context-window.ts'
import { emptyStory } from '../../../src/projections/member/agent-story.ts'
import { attendApprovals, callIsOver } from '../../../src/runtime/team/attend-approvals.ts'
import { broadcast } from '../../../src/runtime/actors/broadcast.ts'
import { systemClock } from '../../../src/runtime/actors/clock.ts'
import { openApprovalStore, type Approvals } from '../../../src/runtime/permissions/approvals.ts'
import { memberApprovals } from '../../../src/runtime/member/member-approvals.ts'
import { question } from '../../contracts/approver.ts'
import { tempDir } from '../support/stage.ts'
import { createRun } from '../../../src/adapters/sessions/run-directory.ts'
import type { ApprovalFile } from '../../../src/protocol/permissions/approval-file.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'
import { everyEntry } from '../../support/every-entry.ts'

/** One process's way to the questions of a run; another call with the same directory is another process. */
function approvalsIn(dir: string, approver: Approver | null = null): Approvals {
  const store = openApprovalStore({ dir, key: () => Buffer.alloc(32, 1), clock: systemClock() })
  return { store, approver, reachable: true, waitMs: 60_000, classifier: null, classifierModel: null }
}

/** A member's life: everything it remembers is its journal, which says that it made one call. */
function lifeOf(approvals: Approvals, command = 'touch made') {
  const conversation = emptyConversation()
  const message: AssistantMessage = {
    role: 'assistant',
    model: 'none/none',
    content: [{ type: 'tool_use', id: 'toolu_9', name: 'Bash', input: { command } }],
    stop: 'tools',
    usage: noUsage,
  }
  appendEntry(conversation, { v: 1, seq: 4, id: 'ana-4', parent: 'ana-3', at: 1, type: 'message.appended', message })
  const { call, ...rest } = question(command)
  const asked: Question = { ...rest, member: 'ana', call: { ...call, id: 'toolu_9', input: { command } } }
  const run = { approvals, team: { name: 'duo' }, clock: { now: () => 1_000 }, cwd: '/work', home: '/home/ann' }
  const asking = memberApprovals(run, { conversation, denials: emptyStory().denials })
  return { asking, asked }
}

const yes = { behavior: 'allow', source: 'human', reason: 'fine', scope: 'once' } as const
const never = new AbortController().signal

/** An approver that shows what it is asked, and answers with what the test gives it. */
function told(answers: readonly Answer[]) {
  const asked: Question[] = []
  const rest = [...answers]
  const approver: Approver = {
    answer(question, signal) {
      asked.push(question)
      const next = rest.shift()
      if (next) return Promise.resolve(next)
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    },
  }
  return { approver, asked }
}

function leader(approvals: Approvals, isOver = () => false) {
  const facts = broadcast<Recorded>()
  const recorded: Fact[] = []
  const end = attendApprovals({
    approvals,
    facts,
    now: () => 2_000,
    record: (more) => void recorded.push(...more),
    isOver,
  })
  const say = (owner: string, fact: Fact): void =>
    facts.publish({ owner, entry: { v: 1, seq: 9, id: `${owner}-9`, parent: null, at: 1, ...fact } })
  return { end, recorded, say }
}

const requested = (request: string): Fact => ({
  type: 'permission.requested',
  call_id: 'toolu_9',
  tool: 'Bash',
  request,
  decision: { behavior: 'ask', source: 'mode', reason: 'nothing allows it' },
  deadline: null,
})

test('a killed worker finds the answer that came while it was dead, under the same id and the old deadline', async () => {
  const dir = tempDir()
  const first = lifeOf(approvalsIn(dir))
  const registered = first.asking.register(first.asked)
  expect(registered).toEqual({ request: 'ana-4-1', deadline: 61_000, wait_ms: 60_000 })

  approvalsIn(dir).store.answer({ v: 1, id: 'ana-4-1', ...yes, by: 'a face', at: 5 })
  const again = lifeOf(approvalsIn(dir))
  expect(again.asking.register(again.asked)).toEqual(registered)
  expect(await again.asking.wait(again.asked, 'ana-4-1', never)).toMatchObject({ behavior: 'allow', by: 'a face' })
})

test('another call of the same member is another request, and a changed call is refused the old id', () => {
  const dir = tempDir()
  const approvals = approvalsIn(dir)
  const { asking, asked } = lifeOf(approvals)
  asking.register(asked)
  const other = lifeOf(approvals, 'rm -rf /')
  expect(() => other.asking.register(other.asked)).toThrow('is about another call')
  expect(() => asking.register({ ...asked, call: { ...asked.call, id: 'unknown' } })).toThrow('stands in no journal')
})

test('a restarted leader puts the questions that wait, and its answer reaches the worker that never noticed', async () => {
  const dir = tempDir()
  const workers = approvalsIn(dir)
  const { asking, asked } = lifeOf(workers)
  asking.register(asked)
  const answered = asking.wait(asked, 'ana-4-1', never)

  const { approver, asked: seen } = told([yes])
  const { end } = leader(approvalsIn(dir, approver))
  expect(await answered).toMatchObject({ behavior: 'allow', by: 'the approver of the run', request: 'ana-4-1' })
  expect(seen).toMatchObject([{ member: 'ana', call: { tool: 'Bash', input: { command: 'touch made' } } }])
  end()
  workers.store.close()
})

test('a restarted leader withdraws a question whose call has ended meanwhile', () => {
  const dir = tempDir()
  const approvals = approvalsIn(dir, told([]).approver)
  const { asking, asked } = lifeOf(approvals)
  asking.register(asked)
  const { end } = leader(approvals, () => true)
  expect(approvals.store.files.answerTo('ana-4-1')).toMatchObject({ reason: 'withdrawn: the call is over' })
  end()
})

test('a question is put once, however often it is heard of', () => {
  const dir = tempDir()
  const { asking, asked } = lifeOf(approvalsIn(dir))
  asking.register(asked)
  const { approver, asked: seen } = told([])
  const { end, say } = leader(approvalsIn(dir, approver))
  say('ana', requested('ana-4-1'))
  say('ana', requested('ana-4-1'))
  say('ana', requested('ana-99-1'))
  expect(seen).toHaveLength(1)
  end()
})

test.each([
  [
    'its call is over',
    'ana',
    { type: 'call.finished', call_id: 'toolu_9', tool: 'Bash', is_error: true, duration_ms: 0 },
  ],
  ['its member is lost', 'team', { type: 'member.lost', member: 'ana', reason: 'it crashed too often' }],
] as const)('a question is withdrawn when %s', (_, owner, fact) => {
  const dir = tempDir()
  const approvals = approvalsIn(dir)
  const { asking, asked } = lifeOf(approvals)
  asking.register(asked)
  const { end, say } = leader(approvals)
  say('bo', { type: 'call.finished', call_id: 'toolu_9', tool: 'Bash', is_error: true, duration_ms: 0 })
  say('team', { type: 'member.lost', member: 'bo', reason: 'it crashed too often' })
  expect(approvals.store.files.answerTo('ana-4-1')).toBeNull()
  say(owner, fact)
  expect(approvals.store.files.answerTo('ana-4-1')).toMatchObject({ behavior: 'deny', source: 'nobody' })
  end()
})

test('an approver that breaks is nobody, and says why', async () => {
  const dir = tempDir()
  const approvals = approvalsIn(dir, { answer: () => Promise.reject(new Error('the terminal broke')) })
  const { asking, asked } = lifeOf(approvals)
  asking.register(asked)
  const answered = asking.wait(asked, 'ana-4-1', never)
  const { end } = leader(approvals)
  expect(await answered).toMatchObject({ behavior: 'deny', reason: 'Nobody could be asked: the terminal broke' })
  end()
})

test('waiting is over when the signal aborts, and the question stays for the next life', async () => {
  const dir = tempDir()
  const approvals = approvalsIn(dir)
  const { asking, asked } = lifeOf(approvals)
  asking.register(asked)
  const stop = new AbortController()
  const answered = asking.wait(asked, 'ana-4-1', stop.signal)
  stop.abort(new Error('killed'))
  await expect(answered).rejects.toThrow('killed')
  expect(approvals.store.files.answerTo('ana-4-1')).toBeNull()
  await expect(asking.wait(asked, 'ana-4-1', stop.signal)).rejects.toThrow('killed')
  approvals.store.close()
})

const asked = (id: string): ApprovalFile => ({
  v: 1,
  id,
  member: 'writer@demo',
  call_id: 'call_0',
  tool: 'Bash',
  input: {},
  task: null,
  decision: { behavior: 'ask', source: 'mode', reason: '' },
  near: [],
  grants: { session: [], save: [] },
  asked_at: 1,
  deadline: null,
})

test('a call is over when its end stands behind its request, not when an earlier one of that name ended', () => {
  const cwd = tempDir()
  const team = sampleTeam(['lead', 'writer'])
  const ulid = systemClock().mint()
  const run = createRun({ root: cwd, home: cwd, team, task: '', cwd, git_head: null, ulid, created: 1 })
  const { journal } = run.openJournal('writer', () => 1, everyEntry)
  const ended = { type: 'call.finished', call_id: 'call_0', tool: 'Bash', is_error: false, duration_ms: 1 } as const
  journal.append([{ type: 'member.woke' }, ended, { type: 'member.woke' }])
  expect(callIsOver(run, asked('writer-2-1'))).toBe(true)
  expect(callIsOver(run, asked('writer-4-1'))).toBe(false)
  expect(callIsOver(run, { ...asked('writer-2-1'), call_id: 'call_1' })).toBe(false)
})
