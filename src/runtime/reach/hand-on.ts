import type { Errand, TeamReceipt } from '../../protocol/tools/tool.ts'
import type { MailDraft } from '../../protocol/mail/envelope.ts'
import { agentId } from '../../protocol/words/ids.ts'
import type { MemberCard, ResolvedTeam } from '../../protocol/team/team-card.ts'
import type { PermissionMode } from '../../protocol/permissions/permission.ts'
import type { Restriction } from '../../protocol/permissions/restriction.ts'
import { deepest } from '../../protocol/team/spawn-limits.ts'
import type { Obligations } from '../../projections/team/obligations.ts'
import { chooseReplica, type Load } from '../../rules/team/delegation-plan.ts'
import { distinct } from '../../rules/rights/restrictions.ts'
import { taskBody, withContract } from '../../rules/team/task-text.ts'
import { partRefusal, withinAsker } from '../../rules/rights/work-parts.ts'
import { contractsFlaw } from './contracts-flaw.ts'
import { unknownWorker } from './unknown-names.ts'

/** A worker that may hand on parts of its work. */
export interface PartHander {
  readonly card: MemberCard
  readonly team: Pick<ResolvedTeam, 'name' | 'members' | 'limits'>
  readonly debts: Pick<Obligations, 'asked' | 'parts' | 'tasks'>
  /** Restrictions that its requests carry now. */
  restrictions(): readonly Restriction[]
  /** The mode in which it is now. */
  mode(): PermissionMode
  /** Why mail would start nobody; null when it would, or when its recipient runs. */
  refusal(member: string): string | null
  /** A draft that was sent before comes back as it was sent then. */
  send(draft: MailDraft): TeamReceipt & { readonly request?: string }
  /** The key under which mail of this conversation is really sent. */
  keyOf(key: string): string
  now(): number
}

/**
 * Hands parts of a worker's own work to other workers, each as a question with a request: its doer does it in its turn, and
 * the answer comes back. A key per part makes a re-run of the same call send nothing twice.
 */
export async function handOn(
  hander: PartHander,
  errands: readonly Errand[],
  callId: string,
): Promise<readonly TeamReceipt[]> {
  if (errands.some(({ depends_on }) => depends_on.length > 0)) return errands.map(() => ({ error: noOrder }))
  const error = await contractsFlaw(errands)
  if (error !== null) return errands.map(() => ({ error }))
  return errands.map((errand, place) => handPart(hander, errand, `call:${callId}:${place}`))
}

const noOrder =
  'a worker hands on what can begin at once: leave depends_on out, and delegate what builds on results when they are here.'

function handPart(hander: PartHander, errand: Errand, key: string): TeamReceipt {
  const { card, team, debts, now } = hander
  const before = debts.parts.get(hander.keyOf(key))
  const doer = doerOf(hander, errand.worker, before !== undefined)
  if ('error' in doer) return doer
  const chain = [...chainOf(hander), card.name]
  const of = agentId(card.name, team.name)
  const restrictions = distinct([...hander.restrictions(), withinAsker(card, doer, { of, mode: hander.mode() })])
  const receipt = hander.send({
    to: agentId(doer.name, team.name),
    kind: 'question',
    body: withContract(taskBody(errand.task, errand.context), errand.returns ?? null),
    request: before ?? `${card.name}-${debts.parts.size + 1}`,
    key,
    chain,
    restrictions: [...restrictions],
    ...(errand.returns === undefined ? {} : { returns: errand.returns }),
    ...(errand.deadlineMs === undefined ? {} : { deadline: now() + errand.deadlineMs }),
  })
  if ('error' in receipt) return receipt
  return { id: receipt.request ?? receipt.id, note: doer.name }
}

/** The worker that takes a part: of a card's replicas one that may, the one with the fewest parts of this worker first. */
function doerOf(hander: PartHander, asked: string, wasSent: boolean): MemberCard | { readonly error: string } {
  const { card, team, debts } = hander
  const workers = team.members.filter(({ name, role }) => role === 'worker' && name !== card.name)
  const named = workers.filter((worker) => [worker.name, worker.card].includes(asked))
  const [first] = named
  if (first === undefined) {
    if (asked === card.name) return { error: 'that is you: do the part yourself.' }
    return { error: unknownWorker(asked, [...new Set(workers.flatMap((each) => [each.card, each.name]))]) }
  }
  const refusals = new Map(named.map((doer) => [doer.name, wasSent ? null : refusalOf(hander, doer)]))
  const free = named.filter(({ name }) => refusals.get(name) === null)
  const loads = [...debts.asked.values()].map(({ of }): Load => ({ worker: of, status: 'open' }))
  const chosen = chooseReplica(asked, free, loads)
  return free.find(({ name }) => name === chosen) ?? { error: refusals.get(first.name) ?? '' }
}

function refusalOf(hander: PartHander, doer: MemberCard): string | null {
  const { card, team, debts } = hander
  const { depth = deepest, requests = Infinity } = team.limits ?? {}
  const asker = { card, chain: chainOf(hander) }
  return partRefusal(asker, doer, { depth, requests, sent: debts.parts.size }) ?? hander.refusal(doer.name)
}

/** The members for whose work this one works now, the outermost first. */
function chainOf({ debts }: Pick<PartHander, 'debts'>): readonly string[] {
  return debts.tasks.atHand?.envelope.chain ?? []
}
