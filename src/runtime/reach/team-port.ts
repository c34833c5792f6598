import { agentId, isAgentId, memberName } from '../../protocol/words/ids.ts'
import type { TeamPort, TeamReceipt, Errand } from '../../protocol/tools/tool.ts'
import { taskPort, type TaskAnswers } from './task-answers.ts'
import type { BookedRequest } from '../../../machines/coordinator/request-book.ts'
import type { Contract, MailDraft } from '../../protocol/mail/envelope.ts'
import type { Restriction } from '../../protocol/permissions/restriction.ts'
import type { FactOf } from '../../protocol/facts/fact.ts'
import { planDelegation } from '../../rules/team/delegation-plan.ts'
import { taskBody, withContract } from '../../rules/team/task-text.ts'
import { contractsFlaw } from './contracts-flaw.ts'
import { unknownMember, unknownWorker } from './unknown-names.ts'

/** The rest of the team, as one member's coordination tools act on it. */
export interface TeamActions {
  readonly team: string
  recipients(): readonly string[]
  /** A draft that was sent before comes back as it was sent then, with the request it was numbered with. */
  send: DelegationPort['send']
  /** Journals that the member waits. */
  wait(wait: FactOf<'member.waits'>): void
  /** Ends the member's own work; an error names what is open. */
  readonly report: TeamPort['report']
  /** The part of the coordinator; null for all others. */
  readonly delegation: Omit<DelegationPort, 'team' | 'send' | 'restrictions' | 'now'> | null
  /** Hands parts of a worker's own work to other workers. */
  handOn(errands: readonly Errand[], callId: string): Promise<readonly TeamReceipt[]>
  /** Restrictions that its requests carry now. */
  restrictions(): readonly Restriction[]
  stop(wish: { readonly worker: string; readonly reason: string; readonly grace_ms: number }): TeamReceipt
  /** Why a message would start nobody; null when it would, or when its recipient runs. */
  refusal(member: string): string | null
  /** The task board as this process knows it, where the team has one. */
  readonly tasks?: TaskAnswers
  now(): number
}

/** The part of these actions that does not act on the member itself. */
export type TeamReach = Omit<TeamActions, 'send' | 'wait' | 'report' | 'restrictions' | 'handOn'>

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
    wait({ for: name, reason, callId }) {
      const member = isAgentId(name) ? memberName(name) : name
      if (!actions.recipients().includes(member)) return { error: unknownMember(name, actions.recipients()) }
      actions.wait({ type: 'member.waits', wait: `call:${callId}`, for: member, reason })
      return { id: member }
    },
    async delegate(errands, callId) {
      if (!delegation) return actions.handOn(errands, callId)
      const { restrictions } = actions
      return delegateAll({ ...delegation, team, send, restrictions, now }, errands, callId)
    },
    report: (report) => actions.report(report),
    stop: (wish) => actions.stop(wish),
    ...(actions.tasks ? { tasks: taskPort(team, actions.tasks, send) } : {}),
  }
}

/** A subtask of a call that is made again: its request waits, or its task was sent. */
export interface AskedBefore {
  readonly request: string
  readonly how: 'held' | 'sent'
}

/** The requests of a team, as delegation looks them up. */
export interface RequestLookup {
  /** The worker behind a name, or the free replica behind a card's; of those that `admits` admits. */
  choose(worker: string, admits?: (name: string) => boolean): string | undefined
  /** How a request stands; undefined when none of this name was ever asked for. */
  statusOf(request: string): BookedRequest['status'] | undefined
  /** The fate of a subtask in an earlier run of the same call; undefined when that did not come to it. */
  askedAs(key: string): AskedBefore | undefined
  /** As many are at work as may be at the same time: the next one has to wait. */
  isFull(): boolean
  /** `r1`, `r2`, … */
  nextRequest(): string
}

/** The dependencies of delegation. */
interface DelegationPort extends RequestLookup {
  readonly team: string
  /** Names of workers and of their cards. */
  workers(): readonly string[]
  /** Why nothing more may be handed out to this worker; null when it may. */
  refusal(worker: string): string | null
  open(request: FactOf<'request.opened' | 'request.held'>): void
  /** A draft that was sent before comes back as it was sent then, with the request it was numbered with. */
  send(draft: MailDraft): TeamReceipt & { readonly request?: string }
  restrictions: TeamActions['restrictions']
  now(): number
}

/**
 * Hands out the subtasks of one call. What depends on others is held until they are done; a call whose order is not clear
 * is refused as a whole. A key per subtask makes a re-run of the same call send nothing twice.
 */
async function delegateAll(
  actions: DelegationPort,
  errands: readonly Errand[],
  callId: string,
): Promise<readonly TeamReceipt[]> {
  const plan = planDelegation(errands, (request) => actions.statusOf(request) !== undefined)
  if ('error' in plan) return errands.map(() => plan)
  const error = await contractsFlaw(errands)
  if (error !== null) return errands.map(() => ({ error }))
  const ids = new Map<number, string>()
  const receipts: TeamReceipt[] = []
  for (const [place, errand] of inOrder(errands, plan.needs)) {
    const { places, requests } = plan.needs[place] ?? { places: [], requests: [] }
    const depends_on = [...places.flatMap((needed) => ids.get(needed) ?? []), ...requests]
    const receipt = places.every((needed) => ids.has(needed))
      ? handOut(actions, errand, { key: `call:${callId}:${place}`, depends_on })
      : { error: 'what it depends on was not delegated' }
    if ('id' in receipt) ids.set(place, receipt.id)
    receipts[place] = receipt
  }
  return receipts
}

/** First what is handed out at once, in the order of the call, then the rest as it follows. */
function inOrder(
  errands: readonly Errand[],
  needs: readonly { readonly places: readonly number[] }[],
): readonly (readonly [number, Errand])[] {
  const placed = new Set<number>()
  const order: (readonly [number, Errand])[] = []
  while (order.length < errands.length) {
    for (const [place, errand] of errands.entries()) {
      if (placed.has(place) || needs[place]?.places.some((needed) => !placed.has(needed))) continue
      placed.add(place)
      order.push([place, errand])
    }
  }
  return order
}

/** The key of a subtask, and the requests that it builds on. */
interface Place {
  readonly key: string
  readonly depends_on: string[]
}

function handOut(actions: DelegationPort, errand: Errand, place: Place): TeamReceipt {
  const { key, depends_on } = place
  const taker = takerOf(actions, errand.worker)
  if ('error' in taker) return taker
  const before = actions.askedAs(key)
  const undone = depends_on.find((request) => !['open', 'done'].includes(actions.statusOf(request) ?? 'open'))
  if (!before && undone !== undefined) return { error: `${undone} was not done, and nothing can build on it.` }
  const request = before?.request ?? actions.nextRequest()
  const waits = before ? before.how === 'held' : depends_on.length > 0 || actions.isFull()
  return waits ? hold(actions, errand, { ...place, request }) : sendTask(actions, errand, { ...taker, key, request })
}

function hold(actions: DelegationPort, errand: Errand, place: Place & { readonly request: string }): TeamReceipt {
  const { request, key, depends_on } = place
  const { worker, deadlineMs: limit_ms = null } = errand
  const { task, ...contract } = workOf(errand)
  const restrictions = [...actions.restrictions()]
  const bound = restrictions.length === 0 ? {} : { restrictions }
  actions.open({ type: 'request.held', request, worker, task, depends_on, limit_ms, key, ...contract, ...bound })
  const when = depends_on.length > 0 ? `after ${depends_on.join(', ')}` : 'as soon as another has ended'
  return { id: request, note: `${worker}, ${when}` }
}

function sendTask(
  actions: DelegationPort,
  errand: Errand,
  { worker, key, request: wanted }: { readonly worker: string; readonly key: string; readonly request: string },
): TeamReceipt {
  const { task, ...contract } = workOf(errand)
  const body = withContract(task, errand.returns ?? null)
  const to = agentId(worker, actions.team)
  const receipt = actions.send({ to, kind: 'task', body, request: wanted, key, ...contract })
  if ('error' in receipt) return receipt
  const { request = wanted, id: mail_id } = receipt
  const deadline = errand.deadlineMs === undefined ? null : actions.now() + errand.deadlineMs
  actions.open({ type: 'request.opened', request, worker, task, mail_id, deadline, attempt: 1, ...contract })
  return { id: request, note: worker }
}

function workOf({ task, context, returns }: Errand): { readonly task: string; readonly returns?: Contract } {
  return { task: taskBody(task, context), ...(returns === undefined ? {} : { returns }) }
}

/** The worker that takes a subtask: where the free one of a card may not be started, another that may. */
function takerOf(actions: DelegationPort, asked: string): { readonly worker: string } | { readonly error: string } {
  const free = actions.choose(asked)
  if (free === undefined) return { error: unknownWorker(asked, actions.workers()) }
  const refused = actions.refusal(free)
  if (refused === null) return { worker: free }
  const worker = actions.choose(asked, (name) => actions.refusal(name) === null)
  return worker === undefined ? { error: refused } : { worker }
}
