import { hearing } from '../../projections/fold/fold.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { HookEvent } from '../../protocol/hooks/hook.ts'
import { memberName, personSender } from '../../protocol/words/ids.ts'
import type { HookMoment } from '../hooks/hook-place.ts'

/** The events of a team as a whole. They are told: what happened has happened. */
export const teamEvents: ReadonlySet<HookEvent> = new Set([
  'MessageSend',
  'MessageDeliver',
  'MessageDead',
  'WorkerSpawn',
  'WorkerExit',
  'GatherDone',
  'BudgetThreshold',
  'Notification',
  'ConfigChange',
  'DirectoryAdded',
  'FileChanged',
  'WorktreeCreate',
  'WorktreeRemove',
  'RunEnd',
  'SessionEnd',
])

/** `teamMoments(coordinator, fire)`: hears the facts of a run and fires the events that they are. */
export function teamMoments(coordinator: string, fire: (moment: HookMoment) => void): (recorded: Recorded) => void {
  const tell: Tell = (event, value, fields) => fire({ event, value, fields })
  const hearers = [mailMoments(tell), workerMoments(coordinator, tell), runMoments(tell)]
  return (recorded) => hearers.forEach((hear) => hear(recorded))
}

type Tell = (event: HookEvent, value: string, fields: HookMoment['fields']) => void

function mailMoments(tell: Tell): (recorded: Recorded) => void {
  return hearing({
    'mail.sent'({ envelope: { id, from, to, kind, body, request } }) {
      if (kind === 'control') return
      const mail = { message_id: id, from, to, kind, body, ...(request === undefined ? {} : { request }) }
      tell('MessageSend', memberName(to), mail)
    },
    'mail.received'({ envelope: { id, from, to, kind, body } }) {
      if (kind !== 'control')
        tell('MessageDeliver', from === personSender ? from : memberName(from), {
          message_id: id,
          from,
          to,
          kind,
          body,
        })
    },
    'mail.died'({ at: _, type: __, ...died }, owner) {
      tell('MessageDead', owner, { ...died })
    },
  })
}

function workerMoments(coordinator: string, tell: Tell): (recorded: Recorded) => void {
  return hearing({
    'member.started'(_, owner) {
      if (owner !== coordinator) tell('WorkerSpawn', owner, { worker: owner })
    },
    'member.gone'({ reason }, owner) {
      if (owner !== coordinator) tell('WorkerExit', owner, { worker: owner, reason })
    },
  })
}

function runMoments(tell: Tell): (recorded: Recorded) => void {
  return hearing({
    'gather.settled'({ why, reason = '' }) {
      tell('GatherDone', '', { why, reason })
    },
    'budget.warned'({ scope, unit }, owner) {
      tell('BudgetThreshold', unit, { scope, unit, member: owner })
    },
    'permission.requested'({ tool, decision }, owner) {
      const message = `${owner} needs permission to use ${tool}: ${decision.reason}`
      tell('Notification', 'permission_prompt', { notification_type: 'permission_prompt', message, title: owner })
    },
    'worktree.closed'({ member, tree, kept }) {
      if (!kept) tell('WorktreeRemove', '', { worktree_path: tree, worker: member })
    },
    'team.ended'({ status, reason }) {
      tell('RunEnd', status, { status, reason })
      tell('SessionEnd', 'other', { reason: 'other' })
    },
  })
}
