import { openAdvisor } from '../agent/advisor.ts'
import { localFiles } from '../../adapters/fs/local-files.ts'
import { recallFiles } from '../../adapters/tools/files/recall-files.ts'
import type { FileWriters } from '../../protocol/tools/filesystem.ts'
import type { AdviceCount } from '../../projections/member/advice-count.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import { hasResult, type Conversation } from '../../rules/conversation/context-window.ts'
import { escalationText } from '../../rules/conversation/escalation.ts'
import { planModeText } from '../../rules/permissions/plan-mode.ts'
import { systemPrompt } from '../../rules/conversation/system-prompt.ts'
import { lastWriter } from '../../adapters/sessions/last-writer.ts'
import { textStore } from '../../adapters/sessions/text-store.ts'
import { askPeople } from './ask-people.ts'
import type { Asking } from '../permissions/approval-port.ts'
import { openCallBook, type CallBounds } from '../agent/call-book.ts'
import { grantablePolicy } from '../settings/policy.ts'
import { offeredAdvisor, withoutAdvisor } from '../agent/offered-advisor.ts'
import type { PlanDesk } from '../agent/plan-mode.ts'
import { commandWrap } from '../agent/sandbox.ts'
import type { Answerer, Surroundings, TurnTools } from '../agent/agent-deps.ts'
import { teamPort, type TeamReach } from '../reach/team-port.ts'
import type { TeamScene } from '../context/run-context.ts'

/** What only the coordinator has: a gate in front of its turns and tools that follow the coordinator's state. */
export interface Gate {
  /** @param askers members that wait for its word */
  hold(askers: readonly string[]): boolean
  /** @param loaded deferred tools that were looked up */
  turnTools(loaded: ReadonlySet<string>): TurnTools
  /** What became of its requests, told once; null when there is nothing to tell. */
  brief(): string | null
  /** There is something to tell. */
  news(): boolean
  /** Requests of its own are out. */
  awaits(): boolean
}

/** The gate of a member that leads nobody. */
export function openGate(turnTools: Gate['turnTools']): Gate {
  return { hold: () => false, turnTools, brief: () => null, news: () => false, awaits: () => false }
}

export interface WorldParts {
  readonly scene: TeamScene
  readonly card: MemberCard
  readonly gate: Gate
  readonly conversation: Conversation
  readonly memory: Map<string, unknown>
  readonly receive: () => number
  readonly reach: TeamReach
  readonly asking: Asking
  readonly answerer: Answerer
  readonly shape: NonNullable<Surroundings['shape']>
  readonly plan: PlanDesk
  /** How often its advisor was asked. */
  readonly advice: AdviceCount
  readonly calls: CallBounds
  /** What an earlier life saw of files. */
  readonly seen: ReadonlyMap<string, string>
  /** Deferred tools that were looked up, now or in an earlier life. */
  readonly loaded: ReadonlySet<string>
  readonly task: () => string | null
  /** Members that wait for its answer. */
  readonly askers: () => readonly string[]
}

/** Everything a team member's agent acts upon. */
export function memberWorld(parts: WorldParts): Surroundings {
  const { scene, card, gate, conversation, memory, receive, asking, task, answerer, shape, calls, seen, plan } = parts
  const { policy, grant } = grantablePolicy(plan.policy)
  recallFiles({ cwd: scene.cwd, home: scene.home, memory }, conversation.messages, seen)
  return {
    ...answerer,
    member: card.name,
    system: promptOf(parts),
    conversation,
    asking,
    task,
    shape,
    home: scene.home,
    cwd: scene.cwd,
    now: scene.clock.now,
    memory,
    receive,
    hold: () => gate.hold(parts.askers()),
    ...offering(parts),
    book: openCallBook(calls, (id) => hasResult(conversation, id)),
    policy,
    grant,
    toolContext: toolContexts(parts, commandWrap(policy, scene.home)),
    listened: () => scene.deltas.listeners > 0,
    delta: scene.deltas.publish,
  }
}

/** Who begins in plan mode and may leave it is told so, and who has a stronger model how to turn to it. */
function promptOf({ scene, card, plan }: WorldParts): string {
  const whole = systemPrompt(scene.team, card, scene.cwd)
  const plans = card.tools.includes('ExitPlanMode') && plan.port.planning() && !plan.port.bound()
  const parts = [whole, ...(plans ? [planModeText] : []), ...(card.escalate ? [escalationText] : [])]
  return parts.join('\n\n')
}

/** Who asks its advisor: the server where it offers to and no budget stands against that, else our own tool. */
function offerOf({ scene, card, advice: count }: WorldParts): (() => ReturnType<typeof offeredAdvisor>) | null {
  const plan = card.advisor
  const model = scene.models.get(card.model)
  if (!plan || !model) return null
  const limited = scene.treasury.purse(card) !== null
  return () => offeredAdvisor({ plan, model, limited, count })
}

/** The tools of a turn, and the advisor that its server is offered. */
function offering(parts: WorldParts): Pick<Surroundings, 'turnTools' | 'offered'> {
  const tools = (): TurnTools => parts.gate.turnTools(parts.loaded)
  const offer = offerOf(parts)
  if (offer === null) return { turnTools: tools }
  return {
    turnTools: () => (offer().byServer ? withoutAdvisor(tools()) : tools()),
    offered() {
      const { advisor } = offer()
      // A lead that may only answer holds no tools.
      return advisor && tools().tools.has('Advisor') ? { advisor } : {}
    },
  }
}

/** Whom it may ask for advice; null where its card names nobody. */
function advisorOf({ scene, card, answerer, task, advice: count }: WorldParts): ReturnType<typeof openAdvisor> | null {
  const plan = card.advisor
  const model = plan && scene.models.get(plan.model)
  if (!plan || !model) return null
  return openAdvisor({ plan, model, consult: answerer.consult, member: card.name, task, count })
}

/** What each call of a member's tools gets of its surroundings. */
function toolContexts(parts: WorldParts, wrapCommand: ReturnType<typeof commandWrap>) {
  const { scene, card, memory, reach, plan, asking, task, answerer } = parts
  const team = teamPort(reach)
  const ask = askPeople({ member: card.name, asking, task, clock: scene.clock, note: answerer.note })
  const advise = advisorOf(parts)
  const writers: FileWriters = { writerOf: (real, sha256) => lastWriter(journalsOf(scene), { real, sha256 }) }
  const store = textStore(scene.run.artifacts)
  const { cwd, home, env, deltas } = scene
  return (callId: string, signal: AbortSignal): ReturnType<Surroundings['toolContext']> => ({
    cwd,
    home,
    callId,
    signal,
    env,
    memory,
    files: localFiles,
    wrapCommand,
    writers,
    team,
    plan: plan.port,
    ...(advise ? { advise: (asked, stop) => advise(asked, callId, stop) } : {}),
    store,
    ask: (asked, stop) => ask(asked, callId, stop),
    progress: (text) => deltas.publish({ member: card.name, type: 'progress', text, call_id: callId }),
  })
}

/** Of all members; asked for only when a file was changed by somebody, and too long a list for each member to hold. */
function journalsOf({ roster, run }: TeamScene): Readonly<Record<string, string>> {
  return Object.fromEntries(roster.map((name) => [name, run.journalFile(name)]))
}
