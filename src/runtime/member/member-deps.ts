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
import type { ApprovalPort } from '../permissions/approval-port.ts'
import { openCallBook, type CallBounds } from '../agent/call-book.ts'
import { grantablePolicy } from '../settings/policy.ts'
import { offeredAdvisor, withoutAdvisor } from '../agent/offered-advisor.ts'
import type { PlanMode } from '../agent/plan-mode.ts'
import { commandWrap } from '../agent/sandbox.ts'
import type { ModelAccess, AgentDeps, TurnTools } from '../agent/agent-deps.ts'
import { teamPort, type TeamActions } from '../reach/team-port.ts'
import type { RunContext } from '../context/run-context.ts'

/** What only the coordinator has: a gate in front of its turns and tools that follow the coordinator's state. */
export interface LeadTurn {
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
export function workerTurn(turnTools: LeadTurn['turnTools']): LeadTurn {
  return { hold: () => false, turnTools, brief: () => null, news: () => false, awaits: () => false }
}

export interface MemberDepsOptions {
  readonly context: RunContext
  readonly card: MemberCard
  readonly leadTurn: LeadTurn
  readonly conversation: Conversation
  readonly memory: Map<string, unknown>
  readonly receive: () => number
  readonly actions: TeamActions
  readonly approvals: ApprovalPort
  readonly modelAccess: ModelAccess
  readonly shape: NonNullable<AgentDeps['shape']>
  readonly plan: PlanMode
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
export function memberDeps(parts: MemberDepsOptions): AgentDeps {
  const { context, card, leadTurn, conversation, memory, receive, approvals, task, modelAccess, shape } = parts
  const { calls, seen, plan } = parts
  const { policy, grant } = grantablePolicy(plan.policy)
  recallFiles({ cwd: context.cwd, home: context.home, memory }, conversation.messages, seen)
  return {
    ...modelAccess,
    member: card.name,
    system: promptOf(parts),
    conversation,
    approvals,
    task,
    shape,
    home: context.home,
    cwd: context.cwd,
    now: context.clock.now,
    memory,
    receive,
    hold: () => leadTurn.hold(parts.askers()),
    ...offering(parts),
    book: openCallBook(calls, (id) => hasResult(conversation, id)),
    policy,
    grant,
    toolContext: toolContexts(parts, commandWrap(policy, context.home)),
    listened: () => context.deltas.listeners > 0,
    delta: context.deltas.publish,
  }
}

/** Who begins in plan mode and may leave it is told so, and who has a stronger model how to turn to it. */
function promptOf({ context, card, plan }: MemberDepsOptions): string {
  const whole = systemPrompt(context.team, card, context.cwd)
  const plans = card.tools.includes('ExitPlanMode') && plan.port.planning() && !plan.port.bound()
  const parts = [whole, ...(plans ? [planModeText] : []), ...(card.escalate ? [escalationText] : [])]
  return parts.join('\n\n')
}

/** Who asks its advisor: the server where it offers to and no budget stands against that, else our own tool. */
function offerOf({
  context,
  card,
  advice: count,
}: MemberDepsOptions): (() => ReturnType<typeof offeredAdvisor>) | null {
  const plan = card.advisor
  const model = context.models.get(card.model)
  if (!plan || !model) return null
  const limited = context.budgets.allowance(card) !== null
  return () => offeredAdvisor({ plan, model, limited, count })
}

/** The tools of a turn, and the advisor that its server is offered. */
function offering(parts: MemberDepsOptions): Pick<AgentDeps, 'turnTools' | 'offered'> {
  const tools = (): TurnTools => parts.leadTurn.turnTools(parts.loaded)
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
function advisorOf({
  context,
  card,
  modelAccess,
  task,
  advice: count,
}: MemberDepsOptions): ReturnType<typeof openAdvisor> | null {
  const plan = card.advisor
  const model = plan && context.models.get(plan.model)
  if (!plan || !model) return null
  return openAdvisor({ plan, model, consult: modelAccess.consult, member: card.name, task, count })
}

/** What each call of a member's tools gets of its surroundings. */
function toolContexts(parts: MemberDepsOptions, wrapCommand: ReturnType<typeof commandWrap>) {
  const { context, card, memory, actions, plan, approvals, task, modelAccess } = parts
  const team = teamPort(actions)
  const ask = askPeople({ member: card.name, approvals, task, clock: context.clock, note: modelAccess.note })
  const advise = advisorOf(parts)
  const writers: FileWriters = { writerOf: (real, sha256) => lastWriter(journalsOf(context), { real, sha256 }) }
  const store = textStore(context.run.artifacts)
  const { cwd, home, env, deltas } = context
  return (callId: string, signal: AbortSignal): ReturnType<AgentDeps['toolContext']> => ({
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
function journalsOf({ roster, run }: RunContext): Readonly<Record<string, string>> {
  return Object.fromEntries(roster.map((name) => [name, run.journalFile(name)]))
}
