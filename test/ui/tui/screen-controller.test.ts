import { expect, test } from 'vitest'
import type { PendingApproval } from '../../../src/runtime/runs/answer-approval.ts'
import { callsFrom } from '../../../src/ui/tui/state/calls-from.ts'

const asks = (id: string, member: string): PendingApproval =>
  ({ request: { id, member: `${member}@demo`, tool: 'Bash' } }) as PendingApproval

test('calls for each question that comes and for the end, and for nothing that was there at first', () => {
  const called: string[] = []
  const look = callsFrom((text) => called.push(text))
  const [first, second] = [asks('ana-1-1', 'ana'), asks('bo-1-1', 'bo')]
  look({ led: true, pending: [first] })
  expect(called).toEqual([])
  look({ led: true, pending: [first, second] })
  look({ led: true, pending: [second] })
  look({ led: false, pending: [] })
  look({ led: false, pending: [] })
  expect(called).toEqual(['bo waits for you: Bash', 'the run has ended'])
})

test('a run that nobody leads at first has not just ended', () => {
  const called: string[] = []
  callsFrom((text) => called.push(text))({ led: false, pending: [asks('ana-1-1', 'ana')] })
  expect(called).toEqual([])
})
