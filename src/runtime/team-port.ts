import { agentId } from '../protocol/ids.ts'
import type { MailDraft } from '../protocol/envelope.ts'
import type { TeamPort, TeamReceipt } from '../protocol/tool.ts'

/** How one member's coordination tools reach the rest of the team. */
export interface TeamReach {
  readonly team: string
  recipients(): readonly string[]
  workers(): readonly string[]
  send(draft: MailDraft): TeamReceipt
  /** Names the next request, `r1`, `r2`, …; null when this member may not delegate. */
  openRequest: ((opened: OpenedRequest) => void) | null
  nextRequest(): string
  stop(worker: string, reason: string): TeamReceipt
  now(): number
}

export interface OpenedRequest {
  readonly request: string
  readonly worker: string
  readonly task: string
  readonly mail_id: string
  readonly deadline: number | null
}

/** What a worker is given of a subtask: the task, and only the context chosen for it. */
export function taskBody(task: string, context: string | undefined): string {
  return context === undefined || context === '' ? task : `${task}\n\nContext:\n${context}`
}

/** The port handed to tools. A key per call makes a re-run of the same call send nothing twice. */
export function teamPort(reach: TeamReach): TeamPort {
  return {
    get recipients() {
      return reach.recipients()
    },
    send: ({ to, text, callId }) =>
      reach.send({ to: agentId(to, reach.team), kind: 'text', body: text, key: `call:${callId}` }),
    delegate(subtask) {
      if (!reach.openRequest) return { error: 'Only the coordinator delegates.' }
      if (!reach.workers().includes(subtask.worker)) return { error: unknownWorker(subtask.worker, reach.workers()) }
      const request = reach.nextRequest()
      const task = taskBody(subtask.task, subtask.context)
      const key = `call:${subtask.callId}:${subtask.index}`
      const receipt = reach.send({ to: agentId(subtask.worker, reach.team), kind: 'task', body: task, request, key })
      if ('error' in receipt) return receipt
      const deadline = subtask.deadlineMs === undefined ? null : reach.now() + subtask.deadlineMs
      reach.openRequest({ request, worker: subtask.worker, task, mail_id: receipt.id, deadline })
      return { id: request }
    },
    stop: (worker, reason) => reach.stop(worker, reason),
  }
}

function unknownWorker(name: string, workers: readonly string[]): string {
  return `No worker is called "${name}". Workers: ${workers.join(', ')}.`
}
