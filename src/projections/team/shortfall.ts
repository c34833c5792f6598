import { failure, type Failure } from '../../protocol/conversation/failure.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { FactOf, RunStatus } from '../../protocol/facts/fact.ts'
import type { RunResult } from '../../protocol/team/run.ts'
import type { GatherPolicy } from '../../protocol/team/team-card.ts'
import { foldOver, ignore } from '../fold/fold.ts'

type Piece = RunResult['missing'][number]

/** All that a run went without: pieces of work, calls that were denied, checks that did not run. */
export interface Shortfall {
  readonly policy: GatherPolicy
  /** Pieces that ended since the last round was over. */
  readonly round: (Pick<Piece, 'request' | 'worker' | 'reason'> & Pick<FactOf<'request.settled'>, 'status'>)[]
  readonly missing: Piece[]
  /** Members whose latest work was cut off by the limit of an answer: nobody can do without its other half unseen. */
  readonly cut: Set<string>
  /** The first denied calls, as many as anybody reads. */
  readonly denied: RunResult['denied'][number][]
  /** The number of all the others. */
  deniedMore: number
  /** Work that the lead was reminded of, and left. */
  open: readonly string[]
  /** The latest check of each member's work. */
  readonly checks: Map<string, FactOf<'verify.settled'>>
}

export function emptyShortfall(policy: GatherPolicy): Shortfall {
  return { policy, round: [], missing: [], cut: new Set(), denied: [], deniedMore: 0, open: [], checks: new Map() }
}

/** Takes one recorded fact in. */
export const applyShortfall: (state: Shortfall, recorded: Recorded) => void = foldOver<
  Shortfall,
  'request' | 'gather' | 'permission' | 'work' | 'run' | 'loop'
>({
  'team.started': ignore,
  'team.resumed': ignore,
  'team.ended': ignore,
  // A new question is answered on its own.
  'team.reopened': (state) => {
    for (const list of [state.round, state.missing, state.denied]) list.length = 0
    state.deniedMore = 0
    state.cut.clear()
    state.checks.clear()
  },
  'agent.started': ignore,
  'turn.continued': ignore,
  'agent.parked': ignore,
  'agent.ended': ({ cut }, { reason }, owner) => {
    if (reason === 'cut') cut.add(owner)
    else cut.delete(owner)
  },
  'request.held': ignore,
  'request.opened': ignore,
  'request.settled': ({ round }, { request, worker, status, reason }) => {
    round.push({ request, worker, status, ...(reason === undefined ? {} : { reason }) })
  },
  'gather.opened': ignore,
  'gather.settled': endRound,
  'coordinator.moved': ignore,
  'lead.nudged': (state, { open }) => {
    state.open = open
  },
  'permission.requested': ignore,
  'permission.decided': (state, { tool, decision: { behavior, reason } }, owner) => {
    if (behavior !== 'deny') return
    if (state.denied.length < listedDenials) state.denied.push({ member: owner, tool, reason })
    else state.deniedMore += 1
  },
  'model.escalated': ignore,
  'skill.opened': ignore,
  'plan.entered': ignore,
  'plan.approved': ignore,
  'todos.changed': ignore,
  'verify.started': ignore,
  'verify.settled': ({ checks }, settled, owner) => void checks.set(owner, settled),
})

const listedDenials = 200

/** The failed pieces of a round, and whether the team said that it can do without them. */
function endRound({ policy, round, missing }: Shortfall): void {
  const done = round.filter(({ status }) => status === 'done').length
  for (const { status, ...piece } of round.splice(0)) {
    if (status === 'failed' || status === 'timed_out')
      missing.push({ ...piece, status, covered: isCovered(policy, done) })
  }
}

function isCovered({ wait, then }: GatherPolicy, done: number): boolean {
  if (then === 'continue') return true
  return wait === 'any' ? done > 0 : typeof wait === 'object' && done >= wait.quorum
}

/** The part of it that a person is told. */
export function listedIn(shortfall: Shortfall): Pick<RunResult, 'missing' | 'denied' | 'denied_more'> {
  endRound(shortfall)
  const { missing, cut, denied, deniedMore } = shortfall
  return {
    missing: missing.map((piece) => ({ ...piece, covered: piece.covered && !cut.has(piece.worker) })),
    denied,
    ...(deniedMore === 0 ? {} : { denied_more: deniedMore }),
  }
}

/** Why a run whose lead has answered is no success all the same. */
export interface Flaw {
  readonly status: RunStatus
  readonly reason: string
  readonly failure?: Failure
}

/**
 * A piece of work that nobody said the team can do without, or work that was never checked although it should have been.
 * @returns null when the answer is worth what it says
 */
export function flawIn(shortfall: Shortfall): Flaw | null {
  const piece = listedIn(shortfall).missing.find(({ covered }) => !covered)
  if (piece) return { status: 'failed', reason: `${piece.worker}: work ${pieceText(piece)}` }
  const unchecked = [...shortfall.checks].filter(([, { verdict, why }]) => verdict === 'not_run' && why !== undefined)
  const [member, check] = unchecked.find(([, { why }]) => why === 'denied') ?? unchecked[0] ?? []
  if (check === undefined) return null
  const reason = `not verified: ${member}: \`${check.command}\`: ${check.reason ?? 'it did not run'}`
  return check.why === 'denied'
    ? { status: 'permission', reason }
    : { status: 'failed', reason, failure: failure('not_checked', reason) }
}

/** `failed: its deadline passed` */
export function pieceText({ status, reason }: Pick<Piece, 'status' | 'reason'>): string {
  return `${status.replace('_', ' ')}${reason === undefined ? '' : `: ${reason}`}`
}
