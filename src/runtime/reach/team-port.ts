import { agentId, isAgentId, memberName } from '../../protocol/words/ids.ts'
import type { TeamPort, TeamReceipt } from '../../protocol/tools/tool.ts'
import { delegateAll, type DelegationPort } from './delegation.ts'
import { taskPort, type TaskAnswers } from './task-answers.ts'

/** The rest of the team, as one member's coordination tools act on it. */
export interface TeamActions {
  readonly team: string
  recipients(): readonly string[]
  /** A draft that was sent before comes back as it was sent then, with the request it was numbered with. */
  send: DelegationPort['send']
  /** The part of the coordinator; null for all others. */
  readonly delegation: Omit<DelegationPort, 'team' | 'send' | 'now'> | null
  stop(worker: string, reason: string): TeamReceipt
  /** Why a message would start nobody; null when it would, or when its recipient runs. */
  refusal(member: string): string | null
  /** The task board as this process knows it, where the team has one. */
  readonly tasks?: TaskAnswers
  now(): number
}

/** The port handed to tools. A key per call makes a re-run of the same call send nothing twice. */
export function teamPort(actions: TeamActions): TeamPort {
  const { team, delegation, send, now } = actions
  return {
    get recipients() {
      return actions.recipients()
    },
    send({ to, text, question, callId }) {
      const address = isAgentId(to) ? to : agentId(to, team)
      const refused = actions.refusal(memberName(address))
      if (refused !== null) return { error: refused }
      const kind = question ? 'question' : 'text'
      return send({ to: address, kind, body: text, key: `call:${callId}` })
    },
    async delegate(errands, callId) {
      if (!delegation) return errands.map(() => ({ error: 'Only the coordinator delegates.' }))
      return delegateAll({ ...delegation, team, send, now }, errands, callId)
    },
    stop: (worker, reason) => actions.stop(worker, reason),
    ...(actions.tasks ? { tasks: taskPort(team, actions.tasks, send) } : {}),
  }
}
