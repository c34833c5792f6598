import { LeaseHeld } from '../../adapters/lease/lease.ts'
import { readRunFile, unreadableRun } from '../../adapters/sessions/read-run.ts'
import { runDirectory } from '../../adapters/sessions/run-directory.ts'
import { textStore } from '../../adapters/sessions/text-store.ts'
import { applyRequests, noRequests } from '../../projections/team/earlier-requests.ts'
import { boardLines, isOwed, standingOf } from '../../projections/team/standing.ts'
import type { FactOf } from '../../protocol/facts/fact.ts'
import type { RunFile } from '../../protocol/team/run.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import { compactBody } from '../../rules/conversation/compact-order.ts'
import { openLines } from '../../rules/team/gather-note.ts'
import { retryLimits } from '../../rules/team/retry-policy.ts'
import { ownStanding } from '../../rules/prompt/todo-text.ts'
import { systemClock, type Clock } from '../actors/clock.ts'
import { ownPlace } from '../actors/own-place.ts'
import type { ModelAccess } from '../agent/agent-deps.ts'
import { openAgentStore, type AgentStore } from '../agent/agent-store.ts'
import { openModelAccess } from '../agent/compose-agent.ts'
import { makeRoom } from '../agent/make-room.ts'
import { openOwned } from '../journals/ledger.ts'
import { openModels, serversOf } from '../models/open-models.ts'
import { openPricing } from '../models/pricing.ts'
import { openBreakers } from '../recovery/breakers.ts'
import { recordOfRun } from '../runs/read-runs.ts'
import { loadRules } from '../settings/load-rules.ts'
import { readTasks } from '../tasks/read-tasks.ts'
import { askMember, cardIn } from './ask-member.ts'
import { memberFold } from '../member/member-store.ts'
import { UsageError } from '../../protocol/words/usage-error.ts'

/** A person's wish to have a member's conversation made shorter. */
export interface CompactWish {
  readonly member: string
  /** The matter that the summary shall dwell on. */
  readonly focus?: string
  /** Where the keys are; default: the user's directory. */
  readonly home?: string
  /** Where credentials of models are looked up. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The directory of the managed policy, whose settings may name servers of models. */
  readonly policyRoot?: string
  /** Gives up waiting for a member that runs. */
  readonly signal?: AbortSignal
}

export type Compacted = FactOf<'context.compacted'>

/** A conversation that could not be made shorter, and why. */
export class NotCompacted extends UsageError {
  override readonly name = 'NotCompacted'
}

/**
 * Makes the conversation of a member shorter: a member that runs does it itself before its next question, for any other it is
 * done here. Everything old is summarised by the member's model; where that cannot be asked, from the words themselves.
 *
 * @param dir the run directory
 * @throws NotCompacted when there is no such member or run, or nothing would be gained
 * @example const { before, after } = await compactMember(dir, { member: 'lead', env: process.env })
 */
export async function compactMember(dir: string, wish: CompactWish): Promise<Compacted> {
  const file = readRunFile(dir)
  if (!file) throw new NotCompacted(unreadableRun(dir))
  const card = memberCard(file, wish.member)
  try {
    return await compactAtRest(file, card, { ...wish, dir })
  } catch (error) {
    if (error instanceof LeaseHeld) return askToCompact(file, card, { ...wish, dir })
    throw error
  }
}

function memberCard(file: RunFile, member: string): MemberCard {
  try {
    return cardIn(file, member)
  } catch (error) {
    throw new NotCompacted(errorText(error))
  }
}

type Placed = CompactWish & { readonly dir: string }

/** The arrangements of a member with its team, as the journals tell them: requests of a lead that are open, tasks of the board. */
function arrangedIn(dir: string, { name, role }: MemberCard): readonly string[] {
  const requests = noRequests(name)
  if (role === 'coordinator') for (const each of recordOfRun(dir).recorded) applyRequests(requests, each)
  return [...openLines([...requests.requests.values()]), ...boardLines(readTasks(dir))]
}

/** The member does not run: this process is its journal's owner for a moment. */
async function compactAtRest(file: RunFile, card: MemberCard, wish: Placed): Promise<Compacted> {
  const { team } = file
  const [run, clock] = [runDirectory(wish.dir, team), systemClock()]
  const claim = { owner: card.name, incarnation: clock.mint() }
  const { journal, state } = openOwned({ run, clock }, claim, memberFold)
  try {
    const said: Compacted[] = []
    const store = openAgentStore({
      owner: card.name,
      log: journal,
      past: state,
      publish: ({ entry }) => void (entry.type === 'context.compacted' && said.push(entry)),
    })
    const { debts } = state.work
    const deps = {
      ...(await modelsFor(card, store, { file, clock, wish })),
      member: card.name,
      system: '',
      conversation: store.conversation,
      turnTools: () => ({ specs: [] }),
      pinned: isOwed(debts),
      standing: () => [...standingOf(debts), ...arrangedIn(wish.dir, card), ...ownStanding(store.arranged)],
      keep: (text: string) => textStore(run.artifacts).put(text).path,
    }
    const { focus = '', signal = new AbortController().signal } = wish
    await makeRoom(deps, { trigger: 'auto', focus }, signal)
    const [compacted] = said
    if (!compacted)
      throw new NotCompacted(`the conversation of ${card.name} stays as it is: it would not become shorter`)
    return compacted
  } finally {
    journal.close()
  }
}

interface Scope {
  readonly file: RunFile
  readonly clock: Clock
  readonly wish: Placed
}

/** The way to the member's models, at the servers that count in its run; where they cannot be opened there are none. */
async function modelsFor(card: MemberCard, store: AgentStore, { file, clock, wish }: Scope): Promise<ModelAccess> {
  const { home = ownPlace.home, env, policyRoot } = wish
  const { team, cwd, launch } = file
  const servers = serversOf(team, await loadRules({ cwd, home, policyRoot, trusted: launch?.trusted }))
  const { models, pricing } = await openModels({ ...team, members: [card] }, { env, home, clock, servers }).catch(
    async () => ({ models: new Map<string, never>(), pricing: await openPricing(home) }),
  )
  const asked = { models: [...models.values()], stronger: null, limits: retryLimits(team), thinking: card }
  return openModelAccess({ ...asked, allowance: null, pricing, breakers: openBreakers(clock), clock }, store)
}

/** The member runs: it is asked by mail, and its journal says when it has done so. */
function askToCompact({ team }: RunFile, { name: member }: MemberCard, wish: Placed): Promise<Compacted> {
  const { dir, focus = '', home = ownPlace.home, signal } = wish
  const asked = { dir, team, member, home, signal, body: compactBody(focus), key: 'compact' }
  return askMember(asked, (entry) =>
    entry.type === 'context.compacted' && entry.trigger === 'manual' ? entry : null,
  ).catch((error: unknown) => {
    throw new NotCompacted(errorText(error))
  })
}
