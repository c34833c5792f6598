import type { BookedRequest } from '../../machines/request-book.ts'
import type { Contract, MailDraft } from '../protocol/envelope.ts'
import { agentId } from '../protocol/ids.ts'
import type { Errand, TeamReceipt } from '../protocol/tool.ts'
import { planDelegation } from '../rules/delegation-plan.ts'
import { didYouMean } from '../rules/did-you-mean.ts'
import { taskBody, withContract } from '../rules/task-text.ts'

/** A request that was just asked for: handed out, or held until others are done. */
export type NewRequest =
  | {
      readonly type: 'request.opened'
      readonly request: string
      readonly worker: string
      readonly task: string
      readonly mail_id: string
      readonly deadline: number | null
      readonly returns?: Contract
    }
  | {
      readonly type: 'request.held'
      readonly request: string
      readonly worker: string
      readonly task: string
      readonly depends_on: string[]
      readonly limit_ms: number | null
      readonly returns?: Contract
      readonly key: string
    }

/** A subtask of a call that is made again: its request waits, or its task was sent. */
export interface AskedBefore {
  readonly request: string
  readonly how: 'held' | 'sent'
}

/** What delegating acts upon. */
export interface DelegationReach {
  readonly team: string
  /** Names of workers and of their cards. */
  workers(): readonly string[]
  /** The worker behind a name, or the free replica behind a card's; of those that `admits` admits. */
  choose(worker: string, admits?: (name: string) => boolean): string | undefined
  /** How a request stands; undefined when none of this name was ever asked for. */
  standing(request: string): BookedRequest['status'] | undefined
  /** What an earlier run of the same call made of a subtask; undefined when it did not come to it. */
  askedAs(key: string): AskedBefore | undefined
  /** Why nothing more may be handed out to this worker; null when it may. */
  refusal(worker: string): string | null
  /** As many are at work as may be at the same time. */
  isFull(): boolean
  /** `r1`, `r2`, … */
  nextRequest(): string
  open(request: NewRequest): void
  /** A draft that was sent before comes back as it was sent then, with the request it was numbered with. */
  send(draft: MailDraft): TeamReceipt & { readonly request?: string }
  now(): number
}

/**
 * Hands out the subtasks of one call. What depends on others is held until they are done; a call whose order is not clear
 * is refused as a whole. A key per subtask makes a re-run of the same call send nothing twice.
 */
export async function delegateAll(
  reach: DelegationReach,
  errands: readonly Errand[],
  callId: string,
): Promise<readonly TeamReceipt[]> {
  const plan = planDelegation(errands, (request) => reach.standing(request) !== undefined)
  const flaw = 'error' in plan ? plan.error : await flawOf(errands)
  if ('error' in plan || flaw !== null) return errands.map(() => ({ error: flaw ?? '' }))
  const ids = new Map<number, string>()
  const receipts: TeamReceipt[] = []
  for (const [place, errand] of inOrder(errands, plan.needs)) {
    const { places, requests } = plan.needs[place] ?? { places: [], requests: [] }
    const before = [...places.map((needed) => ids.get(needed)), ...requests]
    const receipt = before.includes(undefined)
      ? { error: 'what it depends on was not delegated' }
      : handOut(reach, errand, { key: `call:${callId}:${place}`, depends_on: before as string[] })
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

async function flawOf(errands: readonly Errand[]): Promise<string | null> {
  if (errands.every(({ returns }) => returns === undefined)) return null
  const { contractFlaw } = await import('../adapters/contracts/check-contract.ts')
  for (const { worker, returns } of errands) {
    const flaw = returns === undefined ? null : contractFlaw(returns)
    if (flaw !== null) return `The contract of the subtask for ${worker} is no JSON Schema: ${flaw}.`
  }
  return null
}

interface Place {
  readonly key: string
  readonly depends_on: string[]
}

function handOut(reach: DelegationReach, errand: Errand, { key, depends_on }: Place): TeamReceipt {
  const taker = takerOf(reach, errand.worker)
  if ('error' in taker) return taker
  const { worker } = taker
  const task = taskBody(errand.task, errand.context)
  const contract = errand.returns === undefined ? {} : { returns: errand.returns }
  const before = reach.askedAs(key)
  const undone = depends_on.find((request) => !['open', 'done'].includes(reach.standing(request) ?? 'open'))
  if (!before && undone !== undefined) return { error: `${undone} was not done, and nothing can build on it.` }
  const fresh = before?.request ?? reach.nextRequest()
  if (before?.how === 'held' || (!before && (depends_on.length > 0 || reach.isFull()))) {
    const limit_ms = errand.deadlineMs ?? null
    const held = { request: fresh, worker: errand.worker, task, depends_on, limit_ms, key, ...contract }
    reach.open({ type: 'request.held', ...held })
    const when = depends_on.length > 0 ? `after ${depends_on.join(', ')}` : 'as soon as another has ended'
    return { id: fresh, note: `${errand.worker}, ${when}` }
  }
  const to = agentId(worker, reach.team)
  const body = withContract(task, errand.returns ?? null)
  const receipt = reach.send({ to, kind: 'task', body, request: fresh, key, ...contract })
  if ('error' in receipt) return receipt
  const { request = fresh, id: mail_id } = receipt
  const deadline = errand.deadlineMs === undefined ? null : reach.now() + errand.deadlineMs
  reach.open({ type: 'request.opened', request, worker, task, mail_id, deadline, ...contract })
  return { id: request, note: worker }
}

/** Who takes it: where the free one of a card may not be started, another that may. */
function takerOf(reach: DelegationReach, asked: string): { readonly worker: string } | { readonly error: string } {
  const free = reach.choose(asked)
  if (free === undefined) return { error: unknownWorker(asked, reach.workers()) }
  const refused = reach.refusal(free)
  if (refused === null) return { worker: free }
  const worker = reach.choose(asked, (name) => reach.refusal(name) === null)
  return worker === undefined ? { error: refused } : { worker }
}

function unknownWorker(name: string, workers: readonly string[]): string {
  const meant = didYouMean(name, workers)
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  return `No worker is called "${name}".${hint} Workers: ${workers.join(', ')}.`
}
