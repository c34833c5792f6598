import type { CoordinatorInput } from '../../../machines/coordinator/coordinator.ts'
import type { GatherPolicy } from '../../../src/protocol/team/team-card.ts'

const policy: GatherPolicy = { wait: 'all', timeout_ms: 1_000, retry: 1, then: 'continue' }
export const inputOf = (
  change: Partial<GatherPolicy> = {},
  more: Partial<CoordinatorInput> = {},
): CoordinatorInput => ({
  lead: 'lead',
  policy: { ...policy, ...change },
  partition: 'enforced',
  domain: ['Read'],
  workers: ['writer', 'reader', 'checker'].map((name) => ({ name, card: name })),
  ...more,
})

export const opened = (request: string, more: { worker?: string; deadline?: number | null; at?: number } = {}) => {
  const { worker = 'writer', deadline = null, at = 10 } = more
  const fields = { request, worker, task: `do ${request}`, mail_id: `mail-${request}`, attempt: 1, deadline, at }
  return { type: 'request.opened', ...fields } as const
}
export const result = (request: string, status: 'done' | 'failed' | 'cancelled' = 'done') =>
  ({ type: 'result.received', request, status, at: 20 }) as const
export const held = (
  request: string,
  depends_on: readonly string[],
  more: { worker?: string; limit_ms?: number } = {},
) => {
  const { worker = 'writer', limit_ms = null } = more
  return { type: 'request.held', request, worker, task: `do ${request}`, depends_on, limit_ms, at: 10 } as const
}
export const satisfied = { type: 'lead.satisfied', reason: 'enough', at: 30 } as const
export const lost = (member: string) => ({ type: 'member.lost', member, reason: 'crashed', at: 30 }) as const
export const woke = { type: 'lead.woke', at: 30 } as const
export const briefed = { type: 'lead.briefed', at: 30 } as const
export const asked = { type: 'lead.asked', at: 30 } as const
export const idled = { type: 'lead.idled', at: 30 } as const
export const end = { type: 'end', at: 30 } as const

export const twoOut = [opened('r1'), opened('r2', { worker: 'reader' })]
export const tools = '["Delegate","SendMessage","AskUser","StopWorker","Wait"]'
export const fewer = '["Delegate","SendMessage","AskUser","Wait"]'
export const answering = '["Delegate","SendMessage","AskUser","Wait","Answer"]'
