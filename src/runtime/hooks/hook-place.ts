import type { HookRan, HookRun } from '../../adapters/hooks/command-hook.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type {
  Hook,
  HookAnswer,
  HookEvent,
  HookInput,
  HookSource,
  McpToolHook,
  PromptHook,
} from '../../protocol/hooks/hook.ts'

/** One event at one moment. */
export interface HookMoment {
  readonly event: HookEvent
  /** The value that matchers are compared with. */
  readonly value: string
  /** The fields of this event, beside those that every event has. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly call_id?: string
  /** The sources whose hooks are waited for; the others are told. All of them by default. */
  readonly of?: (source: HookSource) => boolean
  /** Whether a rule in `if` speaks of the call; absent where there is none. */
  readonly meets?: (rule: string) => boolean
}

/** Asks the hooks of a team before something happens to all of it. */
export interface HookAsk {
  ask(moment: HookMoment): Promise<HookAnswer>
}

/** Runs the kinds of hooks that need an agent: a model that is asked, and the servers of a member. */
export interface HookRunners {
  ask(hook: PromptHook, run: HookRun, input: HookInput): Promise<HookRan>
  call(hook: McpToolHook, run: HookRun, input: HookInput): Promise<HookRan>
}

/** The agent that hooks are run for. */
export interface HookPlace {
  /** The hooks at this moment. */
  readonly hooks: () => readonly Hook[]
  readonly worker: boolean
  readonly cwd: string
  /** The directory of the project, whatever tree the agent works in. */
  readonly project: string
  /** The whole environment of the run. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Variables that hold keys of models. */
  readonly credentials: ReadonlySet<string>
  /** Variables for the hook's program beside those of the run. */
  readonly marks: Readonly<Record<string, string>>
  /** Variables that hooks exported to the commands of agents; absent where nobody runs commands. */
  readonly exported?: Map<string, string>
  /** The fields that every event has. */
  readonly common: () => Readonly<Record<string, unknown>>
  readonly now: () => number
  /** A name that nothing else has. */
  readonly mint: () => string
  readonly note: (fact: Fact) => void
  /** The kinds that need an agent to run them. */
  readonly runners?: HookRunners
  /** Puts a long text aside. @returns where it is; null where nothing is kept */
  readonly keep?: (text: string) => string | null
  /** Shows a person what a hook does, while it does it. */
  readonly show?: (status: string, callId: string | undefined) => void
  /** Tells the agent what a hook found out after it was no longer waited for. */
  readonly rewake?: (text: string) => void
}
