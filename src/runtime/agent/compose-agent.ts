import { localFiles } from '../../adapters/fs/local-files.ts'
import type { Filesystem } from '../../protocol/tools/filesystem.ts'
import { recallFiles } from '../../adapters/tools/files/known-files.ts'
import type { Policy } from '../../protocol/permissions/permission.ts'
import type { MemberCard, ThinkingSettings } from '../../protocol/team/team-card.ts'
import type { AnswerSettings } from '../../protocol/models/answer-settings.ts'
import type { ToolContext } from '../../protocol/tools/tool.ts'
import type { MemberInput } from '../../../machines/member/member.ts'
import { hasResult, hasSpoken } from '../../rules/conversation/context-window.ts'
import { escalationText } from '../../rules/conversation/escalation.ts'
import { ownStanding } from '../../rules/prompt/todo-text.ts'
import { planModeText } from '../../rules/permissions/mode.ts'
import type { AgentHooks } from '../hooks/hook-engine.ts'
import type { ApprovalPort } from '../permissions/approval-port.ts'
import { grantablePolicy, openPlanMode, type PlanMode } from '../settings/policy.ts'
import { advisedTools, openAdvisor, type AgentAdvisor } from './advisor.ts'
import type { AgentDeps, Delta, ModelAccess, TurnTools } from './agent-deps.ts'
import { openCallBook, type CallBook } from './call-book.ts'
import { commandWrap } from '../permissions/sandbox.ts'
import type { Model, ModelRequest } from '../../protocol/models/model.ts'
import type { ModelSizes } from '../../rules/conversation/answer-length.ts'
import { learnedSizes } from '../../rules/conversation/fullness.ts'
import { cacheTimes, longMedian } from '../../rules/conversation/cache-times.ts'
import { thinkingBudget } from '../../rules/conversation/thinking-budget.ts'
import type { RetryLimits } from '../../rules/team/retry-policy.ts'
import type { Clock } from '../actors/clock.ts'
import type { Allowance } from '../budget/budgets.ts'
import type { AgentStore } from './agent-store.ts'
import type { AgentMemory } from '../memory/agent-memory.ts'
import { openExtractor, type ExtractorDeps } from '../memory/extractor.ts'
import { openMeter } from '../budget/meter.ts'
import type { Pricing } from '../models/pricing.ts'
import type { Breakers } from '../recovery/breakers.ts'
import { offering } from '../middleware/offered-tools.ts'
import { consultModel, type Consult } from '../recovery/consult.ts'
import { withRecovery } from '../recovery/recovery.ts'

/** The part of a member's card that a lone agent has too. */
export type AgentCard = Pick<
  MemberCard,
  | 'name'
  | 'tools'
  | 'effort'
  | 'thinking'
  | keyof AnswerSettings
  | 'max_turns'
  | 'turn_output'
  | 'stuck'
  | 'token_goal'
  | 'tool_limits'
  | 'verify'
  | 'escalate'
  | 'advisor'
  | 'memory'
>

/** One agent as a composition root describes it. */
interface AgentPlan {
  readonly card: AgentCard
  /** The system prompt, without what plan mode and a stronger model add to it. */
  readonly system: string
  readonly prompt?: AgentDeps['prompt']
  readonly cwd: string
  readonly home: string
  /** The files that tools see; default: those of this machine. */
  readonly files?: Filesystem
  /** The environment of child processes, without credentials. */
  readonly env: Readonly<Record<string, string>>
  readonly exported?: ReadonlyMap<string, string>
  /** The tools of a turn, given the deferred ones that were looked up. */
  readonly tools: (loaded: ReadonlySet<string>) => TurnTools
  readonly advisor: AgentAdvisor | null
  readonly modelAccess: ModelAccess
  /** The policy before plan mode and grants of this session. */
  readonly policy: () => Policy
  readonly approvals: ApprovalPort
  readonly hooks?: AgentHooks | null
  readonly task: () => string | null
  /** The messages of others that the present turn serves; a lone agent has none. */
  readonly behind?: AgentDeps['behind']
  /** The tool contexts' parts that depend on where the agent belongs. */
  readonly context: (callId: string) => Pick<ToolContext, 'ask' | 'store' | 'team' | 'writers' | 'openSkill'>
  readonly listened: () => boolean
  readonly delta: (delta: Delta) => void
  readonly room: AgentDeps['room']
  /** The memories of earlier work; null for an agent that has none. */
  readonly memories: AgentMemory | null
  /** The model that extracts memories, where it is not the agent's own. */
  readonly extracts?: Model | undefined
  readonly clock: Clock
}

/** The ports through which a member hears of its team. */
type TeamLife = Pick<AgentDeps, 'receive' | 'hold' | 'owes' | 'pinned' | 'standing'> &
  Required<Pick<AgentDeps, 'shape'>>

/** The same of a lone agent: an empty inbox, nobody to wait for, and a prompt to answer. */
function noTeam({ conversation }: AgentStore): Omit<TeamLife, 'shape'> {
  return {
    receive: () => ({ received: 0 }),
    hold: () => false,
    owes: () => !hasSpoken(conversation),
    pinned: () => false,
    standing: () => [],
  }
}

/** Composes the dependencies of one agent. Members and lone agents differ in their plan alone. */
export function composeAgent(plan: AgentPlan, store: AgentStore, team?: TeamLife): AgentDeps {
  const { card, cwd, home, modelAccess, task } = plan
  const { conversation, memory, planning, loaded, advice, seen } = store
  const around = team ?? noTeam(store)
  const planMode = openPlanMode(planning, plan.policy, modelAccess.note)
  const { policy, grant } = grantablePolicy(planMode.policy)
  const turnTools = offering(() => plan.tools(loaded), policy)
  const turn = plan.advisor ? advisedTools(plan.advisor, advice, turnTools) : { turnTools }
  const toolContext = toolContexts(plan, store, { policy, planMode })
  recallFiles({ cwd, home, memory }, conversation.messages, seen)
  return {
    ...modelAccess,
    ...around,
    standing: () => [...around.standing(), ...ownStanding(store.arranged)],
    ...turn,
    member: card.name,
    system: promptOf(plan, planMode),
    ...(plan.prompt && { prompt: plan.prompt }),
    conversation,
    approvals: plan.approvals,
    ...(plan.hooks && { hooks: plan.hooks }),
    task,
    ...(plan.behind && { behind: plan.behind }),
    home,
    cwd,
    ...(plan.files?.elsewhere && { elsewhere: true }),
    searchPath: () => plan.exported?.get('PATH') ?? policy().env?.['PATH'] ?? plan.env['PATH'],
    now: plan.clock.now,
    memory,
    book: bookOf(card, store),
    policy,
    grant,
    keep: (text) => plan.context('').store?.put(text).path ?? null,
    toolContext,
    extractor: extractorOf(plan, store, toolContext),
    listened: plan.listened,
    delta: plan.delta,
    room: plan.room,
  }
}

/** Null where no model looks for what is to be remembered. */
function extractorOf(plan: AgentPlan, { conversation, extraction }: AgentStore, context: ExtractorDeps['context']) {
  const { memories, card, modelAccess, clock, extracts } = plan
  const how = card.memory?.extract ?? null
  if (memories === null || how === null) return null
  const { consult, note, modelOf } = modelAccess
  const own = { plan: how, member: card.name, conversation, past: extraction, memory: memories, context }
  return openExtractor({ ...own, model: () => extracts ?? modelOf(conversation.gauge.asked), consult, note, clock })
}

/** The calls of an agent, counted on from what its journal says. */
export function bookOf(
  { tool_limits: limits = {} }: Pick<AgentCard, 'tool_limits'>,
  { calls, conversation }: Pick<AgentStore, 'calls' | 'conversation'>,
): CallBook {
  return openCallBook({ limits, earlier: calls }, (id) => hasResult(conversation, id))
}

/** The part of a machine's input that a card decides; keys without a value are left out. */
export function inputOf({
  max_turns,
  turn_output,
  stuck,
  token_goal,
  verify,
  escalate,
}: Omit<AgentCard, 'tools'>): Pick<MemberInput, 'limits' | 'verify' | 'escalate' | 'hooked'> {
  return {
    limits: {
      max_turns,
      ...(turn_output === undefined ? {} : { turn_output }),
      ...(stuck === undefined ? {} : { stuck }),
      ...(token_goal === undefined ? {} : { token_goal }),
    },
    ...(verify ? { verify } : {}),
    ...(escalate ? { escalate } : {}),
    hooked: false,
  }
}

/** The system prompt with word of plan mode, for an agent that may leave it, and of a stronger model where there is one. */
function promptOf({ system, card }: AgentPlan, { port }: PlanMode): string {
  const plans = card.tools.includes('ExitPlanMode') && port.planning() && !port.bound()
  const added = [...(plans ? [planModeText] : []), ...(card.escalate ? [escalationText] : [])]
  return [...(system === '' ? [] : [system]), ...added].join('\n\n')
}

interface Guards {
  readonly policy: () => Policy
  readonly planMode: PlanMode
}

function toolContexts(plan: AgentPlan, { memory, advice }: AgentStore, { policy, planMode }: Guards) {
  const { card, advisor, cwd, home, env, delta, modelAccess, task, memories, exported = [] } = plan
  const { name: member } = card
  const wrapCommand = commandWrap(policy, home, plan.clock.now)
  const advise = advisor && openAdvisor(advisor, advice, { ...modelAccess, member, task })
  return (callId: string, signal: AbortSignal): ToolContext => ({
    cwd,
    home,
    callId,
    signal,
    env: { ...env, ...policy().env, ...Object.fromEntries(exported) },
    ...(policy().unignored && { unignored: true }),
    memory,
    files: plan.files ?? localFiles,
    wrapCommand,
    plan: planMode.port,
    keepTodos: (todos, call_id) => modelAccess.note({ type: 'todos.changed', call_id, todos: [...todos] }),
    ...(advise ? { advise: (asked, stop) => advise(asked, callId, stop) } : {}),
    ...(memories && { memories: memories.port(callId) }),
    ...plan.context(callId),
    progress: (text) => delta({ member, type: 'progress', text, call_id: callId }),
  })
}

/** The models of one agent, and how far it may go with them. */
interface ModelAccessOptions {
  /** The agent's own model and its fallbacks, in this order. */
  readonly models: readonly Model[]
  /** The model that the agent may turn to. */
  readonly stronger: Model | null
  readonly limits: RetryLimits
  readonly thinking: ThinkingSettings
  /** Null where nothing is limited. */
  readonly allowance: Allowance | null
  readonly pricing: Pricing
  readonly breakers: Breakers
  readonly clock: Clock
}

/** Opens the way to an agent's models, recovery and prices included; a pause of an earlier life goes on. */
export function openModelAccess(
  options: ModelAccessOptions,
  store: Pick<AgentStore, 'pause' | 'ledger' | 'waits' | 'calls' | 'conversation'>,
): ModelAccess {
  const { models, stronger, limits, allowance, pricing, breakers, clock } = options
  const { price } = pricing
  const { windows } = store.conversation.gauge
  const sizes = (name: string): ModelSizes => learnedSizes(pricing.sizes(name), windows[name])
  const modelOf = (name: string): Model | undefined =>
    [...models, stronger].find((model) => model?.name === name) ?? undefined
  const note: ModelAccess['note'] = (fact) => store.ledger.record([fact])
  const meter = allowance === null ? null : openMeter(allowance, price)
  const recovery = withRecovery({
    ...(meter ? { meter } : {}),
    ...(stronger ? { stronger } : {}),
    models,
    limits,
    clock,
    breakers,
    price,
    sizes,
    paused: store.pause,
  })
  const consult: Consult = (asked) => consultModel({ clock, meter, price, note }, asked)
  const told = turnWishes(options.thinking)
  const wishes: ModelAccess['wishes'] = (turn) => ({ ...told(turn), ...keeping(options.thinking, store, turn) })
  return { recovery, price, note, consult, wishes, sizes, modelOf, ...(meter ? { refusal: meter.refusal } : {}) }
}

/** Wishes for an answer, turn by turn; without settings they are left to the model. */
function turnWishes(settings: ThinkingSettings): (turn: number) => Omit<ReturnType<ModelAccess['wishes']>, 'cache'> {
  const { effort, thinking, max_output } = settings
  const { temperature, top_p, stop, service_tier, metadata, betas, server_tools } = settings
  const sampling = { temperature, top_p, stop, service_tier, metadata, betas, server_tools }
  const told = {
    ...(effort === undefined ? {} : { effort }),
    ...(max_output === undefined ? {} : { max_tokens: max_output }),
    ...(Object.values(sampling).every((wish) => wish === undefined) ? {} : { sampling }),
  }
  if (thinking === undefined) return () => told
  const shown = { ...told, ...(thinking.display === undefined ? {} : { thinking_display: thinking.display }) }
  return (turn) => {
    const thinking_budget = thinkingBudget(thinking, turn)
    return thinking_budget === undefined ? shown : { ...shown, thinking_budget }
  }
}

/** How long the vendor shall keep what is asked. That waits have become long is journaled once. */
function keeping(
  { cache }: ThinkingSettings,
  { waits, calls, ledger }: Pick<AgentStore, 'waits' | 'calls' | 'ledger'>,
  turn: number,
): Pick<ModelRequest, 'cache'> {
  const delegates = calls.has('Delegate')
  const median_ms = cache || !delegates || waits.extended ? null : longMedian(waits.lengths)
  if (median_ms !== null) ledger.record([{ type: 'cache.extended', turn, waits: waits.lengths.length, median_ms }])
  const times = cacheTimes({ ttl: cache?.ttl, delegates, extended: waits.extended })
  return times === null ? {} : { cache: times }
}
