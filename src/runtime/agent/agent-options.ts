import { resolve } from 'node:path'
import type { ServerTimeouts } from '../../adapters/models/served/server-options.ts'
import { localFiles } from '../../adapters/fs/local-files.ts'
import { nobodyApprover } from '../../adapters/approvers/nobody.ts'
import { answerSettings, type AnswerSettings } from '../../protocol/models/answer-settings.ts'
import type { Hook, HookTable } from '../../protocol/hooks/hook.ts'
import type { ProviderSpecs } from '../../protocol/words/provider-spec.ts'
import type { Effort, Model } from '../../protocol/models/model.ts'
import type { PermissionMode, RuleLists } from '../../protocol/permissions/permission.ts'
import type { Approver } from '../../protocol/port.ts'
import type { SandboxSettings } from '../../protocol/permissions/settings.ts'
import type { Filesystem } from '../../protocol/tools/filesystem.ts'
import type { Tool } from '../../protocol/tools/tool.ts'
import type { ToolLimit, ToolLimits } from '../../rules/tools/tool-limit.ts'
import { retryLimits, type RetryLimits } from '../../rules/team/retry-policy.ts'
import type { ThinkingPlan } from '../../rules/conversation/thinking-budget.ts'
import type { AdvisorWish, EscalationWish, VerifyWish } from '../../protocol/team/work-card.ts'
import type { MemoryCardWish } from '../../protocol/team/memory-card.ts'
import { memoryPlan } from '../../rules/memory/memory-plan.ts'
import { advisorPlan } from '../../rules/team/advice.ts'
import { escalationPlan } from '../../rules/conversation/escalation.ts'
import { verifyPlan } from '../../rules/team/verification.ts'
import { openBreakers, type Breakers } from '../recovery/breakers.ts'
import { depthIn } from '../runs/nesting.ts'
import { programHooks } from '../hooks/run-hooks.ts'
import type { Middleware } from '../../protocol/middleware.ts'
import { systemClock, type Clock } from '../actors/clock.ts'
import type { AgentCard } from './compose-agent.ts'
import { unfencedText } from '../settings/policy.ts'

/** The options of an agent that a member has on its card. */
interface CardOptions {
  readonly name?: string
  /** How hard the model shall think (default: as it likes). */
  readonly effort?: Effort
  /** Tokens to think for, and how they grow fewer from turn to turn. */
  readonly thinking?: ThinkingPlan
  /** Longest answer in tokens, thinking included (default: the longest the model can, at first 32000). */
  readonly maxOutput?: number
  /** Temperature and the like, passed on to vendors that know them. */
  readonly sampling?: Omit<AnswerSettings, 'max_output' | 'cache'>
  /** How long the vendor keeps what was asked (default: 5m). */
  readonly cache?: AnswerSettings['cache']
  /** Model answers per run (default 40). */
  readonly maxTurns?: number
  /**
   * How often a tool may be called in one run. A number refuses what comes after; `then: 'steer'` lets it run and tells
   * the model to come to an end.
   */
  readonly toolLimits?: Readonly<Record<string, number | ToolLimit>>
  /** Characters that the results of one turn may have together before the model is told to digest them (default: any). */
  readonly turnOutput?: number
  /**
   * Output tokens that a run is meant to be worth: short of nine tenths of it an agent that would end is told to go on,
   * unless it adds hardly anything any more (default: it ends when it likes).
   */
  readonly tokenGoal?: number
  /** A command that has to pass before the work counts as done, by the agent's own permissions (default: none). */
  readonly verify?: VerifyWish
  /** A stronger model that goes on when the agent says that it cannot, or visibly cannot (default: none). */
  readonly escalate?: EscalationWish
  /** A model that the agent may ask for advice, a few times in a run, with the tool `Advisor` (default: none). */
  readonly advisor?: AdvisorWish
  /**
   * Gives the agent the tools Remember, Recall and Forget, and what it and others remember of earlier work; a scope, or a map
   * (default: none). What a project shares counts where a person trusts it.
   */
  readonly memory?: MemoryCardWish
}

/** A worker of a lone agent: what its card says otherwise than the agent's, and only narrower. */
export interface AgentWorker {
  /** The words about it for the agent. */
  readonly description: string
  readonly system?: string
  /** The names of the agent's tools that it has, too (default: all but `Delegate`). */
  readonly tools?: readonly string[]
  /** (default: the models of the agent) */
  readonly model?: string | Model
  /** Model answers per piece of work (default: as many as the agent's). */
  readonly maxTurns?: number
  /** Added to the rules of the agent; a mode that is wider than the agent's does not count. */
  readonly permissions?: Pick<RuleLists, 'ask' | 'deny'> & { readonly mode?: PermissionMode }
}

/** A single agent: the models that answer it, its tools, its place. */
export interface AgentOptions extends CardOptions {
  /** `provider/model`, or an object that implements `Model`. */
  readonly model: string | Model
  /** Models that answer when the first one is given up, in this order. */
  readonly fallback?: readonly (string | Model)[]
  /** How often a failed request is asked again (default 10). */
  readonly retries?: number
  /** Failures in a row after which a fallback answers; a server that hangs is not asked twice (default 3). */
  readonly fallbackAfter?: number
  /** A fallback answers what the first model refused, too (default false). */
  readonly fallbackOnRefusal?: boolean
  /** Waits for busy and limited servers up to six hours instead of failing (default false). */
  readonly persistent?: boolean
  /** How long a server is waited for (default: 10 s, 10 min or 30 s where a fallback stands in, 60 s, 10 min, any). */
  readonly timeouts?: ServerTimeouts
  readonly system?: string
  /** Tools by definition; none are implied. */
  readonly tools?: readonly Tool[]
  /** Further tools, asked for before each turn: `() => connected ? [Deploy] : []` (default: none). */
  readonly refreshTools?: () => readonly Tool[]
  /**
   * Workers that it may hand parts of its work to with the tool `Delegate`, by name. None has more tools and rights than
   * the agent; their runs end with the call, and are told among the agent's events with a `depth` (default: none).
   */
  readonly workers?: Readonly<Record<string, AgentWorker>>
  /** Tools whose schema is shown only after a look-up with ToolSearch: all but those with `alwaysLoad`, or these. */
  readonly deferTools?: boolean | readonly string[]
  /**
   * Skills that the agent has read from the beginning, by name. With the tool `Skill` it is told of all that are there, and opens
   * them itself; rules and hooks of those in a project count where a person trusts them (default: none).
   */
  readonly skills?: readonly string[]
  /** Code around the work of each run, the first is the outermost; that of a run goes around it. */
  readonly middleware?: readonly Middleware[]
  readonly permissions?: RuleLists & { readonly mode?: PermissionMode }
  /** The fence around shell commands of this machine, as the settings files have it; none by default. */
  readonly sandbox?: SandboxSettings
  /** Answers when a rule asks; by default nobody does. */
  readonly approver?: Approver
  /**
   * A model that judges calls which no rule decides, beside the approver: the first that may decide counts (default: none).
   */
  readonly classifier?: string | Model
  readonly cwd?: string
  /** The files that its tools see: `commandFilesystem([…], env)`, or an object of one's own (default: those of this machine). */
  readonly files?: Filesystem
  readonly home?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Servers of models by names of one's own, or another way to those that are known. */
  readonly servers?: ProviderSpecs
  /** Where the journal `<name>.jsonl` lies; without one it is kept in memory. */
  readonly runDir?: string
  /** Concurrency-safe tool calls that may run at the same time (default 10). */
  readonly maxParallelCalls?: number
  /** Hooks in the form of the settings, functions among them (default: none). */
  readonly hooks?: HookTable
  readonly clock?: Clock
}

/** Options with everything filled in that was left out. */
export interface FrozenOptions extends Required<
  Omit<
    AgentOptions,
    | keyof CardOptions
    | 'retries'
    | 'fallbackAfter'
    | 'fallbackOnRefusal'
    | 'persistent'
    | 'runDir'
    | 'deferTools'
    | 'hooks'
    | 'classifier'
  >
> {
  readonly classifier: string | Model | null
  /** How many agents, and runs, stand around this one. */
  readonly depth: number
  readonly card: Omit<AgentCard, 'tools'>
  readonly limits: RetryLimits
  readonly hooks: readonly Hook[]
  /** The models that were opened by name, for all agents with these options, and what is known of their servers. */
  readonly opened: Map<string, Promise<Model>>
  readonly breakers: Breakers
  /** Null where nothing is kept on disk. */
  readonly runDir: string | null
}

let real: Clock | undefined

/** One for all agents of the process: its random pool and its ulids need not be each agent's own. */
function realClock(): Clock {
  return (real ??= systemClock())
}

/**
 * Options resolved once; nothing reads the environment later. A wanted sandbox that is missing is a warning of the process.
 * @throws Error where a sandbox is asked for and commands run elsewhere
 */
export function freezeOptions(options: AgentOptions): FrozenOptions {
  if (options.sandbox?.enabled === true && options.files?.elsewhere?.command)
    throw new Error(
      'sandbox.enabled fences commands of this machine, and `files` runs them elsewhere: leave one of the two out',
    )
  const unfenced = unfencedText(options.sandbox ?? {})
  if (unfenced !== null) process.emitWarning(unfenced, { code: 'sandbox_missing' })
  const { env = process.env, runDir, clock = realClock() } = options
  return {
    opened: new Map(),
    breakers: openBreakers(clock),
    model: options.model,
    fallback: options.fallback ?? [],
    limits: retryLimits({
      ...options,
      fallback_after: options.fallbackAfter,
      fallback_on_refusal: options.fallbackOnRefusal,
    }),
    timeouts: options.timeouts ?? {},
    system: options.system ?? '',
    tools: deferred(options.tools ?? [], options.deferTools ?? false),
    refreshTools: options.refreshTools ?? (() => []),
    middleware: options.middleware ?? [],
    permissions: options.permissions ?? {},
    sandbox: options.sandbox ?? {},
    approver: options.approver ?? nobodyApprover(),
    classifier: options.classifier ?? null,
    ...partsOf(options, env),
    cwd: resolve(options.cwd ?? process.cwd()),
    files: options.files ?? localFiles,
    home: options.home ?? env['HOME'] ?? '/',
    env,
    servers: options.servers ?? {},
    runDir: runDir === undefined ? null : resolve(runDir),
    card: cardOf(options),
    maxParallelCalls: options.maxParallelCalls ?? 10,
    hooks: programHooks(options.hooks),
    clock,
  }
}

/** The workers of an agent, its skills, and its depth. */
function partsOf(
  { workers = {}, skills = [] }: AgentOptions,
  env: NonNullable<AgentOptions['env']>,
): Pick<FrozenOptions, 'workers' | 'skills' | 'depth'> {
  return { workers, skills, depth: depthIn(env) }
}

function deferred(tools: readonly Tool[], which: NonNullable<AgentOptions['deferTools']>): readonly Tool[] {
  if (which === false) return tools
  const waits = ({ name, alwaysLoad }: Tool): boolean => (which === true ? alwaysLoad !== true : which.includes(name))
  return tools.map((tool) => (waits(tool) ? { ...tool, defer: true } : tool))
}

export function cardOf({ effort, thinking, verify, escalate, ...options }: CardOptions): FrozenOptions['card'] {
  const advisor = options.advisor === undefined ? undefined : advisorPlan(options.advisor)
  return {
    name: options.name ?? 'agent',
    effort,
    thinking,
    ...answerSettings({ max_output: options.maxOutput, cache: options.cache, ...options.sampling }),
    max_turns: options.maxTurns ?? 40,
    tool_limits: limitsOf({ ...(advisor ? { Advisor: advisor.max_uses } : {}), ...options.toolLimits }),
    turn_output: options.turnOutput,
    token_goal: options.tokenGoal,
    verify: verify === undefined ? undefined : verifyPlan(verify),
    escalate: escalate === undefined ? undefined : escalationPlan(escalate),
    advisor,
    ...memoryPlan(options.memory),
  }
}

function limitsOf(limits: NonNullable<AgentOptions['toolLimits']>): ToolLimits {
  return Object.fromEntries(
    Object.entries(limits).map(([tool, limit]): [string, ToolLimit] => [
      tool,
      typeof limit === 'number' ? { calls: limit, then: 'block' } : limit,
    ]),
  )
}
