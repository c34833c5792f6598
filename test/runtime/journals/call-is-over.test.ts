import { expect, test } from 'vitest'
import { createRun } from '../../../src/adapters/sessions/run-directory.ts'
import type { ApprovalFile } from '../../../src/protocol/permissions/approval-file.ts'
import { callIsOver } from '../../../src/runtime/journals/call-is-over.ts'
import { systemClock } from '../../../src/runtime/actors/clock.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'
import { tempDir } from '../support/stage.ts'

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
  const { journal } = run.openJournal('writer', () => 1)
  const ended = { type: 'call.finished', call_id: 'call_0', tool: 'Bash', is_error: false, duration_ms: 1 } as const
  journal.append([{ type: 'member.woke' }, ended, { type: 'member.woke' }])
  expect(callIsOver(run, asked('writer-2-1'))).toBe(true)
  expect(callIsOver(run, asked('writer-4-1'))).toBe(false)
  expect(callIsOver(run, { ...asked('writer-2-1'), call_id: 'call_1' })).toBe(false)
})
