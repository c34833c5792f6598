import { join } from 'node:path'
import { textStore } from '../../adapters/sessions/text-store.ts'
import { localFiles } from '../../adapters/fs/local-files.ts'
import { askOf } from './ask-of.ts'
import type { Planning } from '../../projections/member/plan-state.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { Policy } from '../../protocol/permissions/permission.ts'
import type { Tool, ToolContext } from '../../protocol/tools/tool.ts'
import { escalationText } from '../../rules/conversation/escalation.ts'
import { hasResult, type Conversation } from '../../rules/conversation/context-window.ts'
import { adviceTo, advisedTools, type AdvisedRun } from './agent-advice.ts'
import { openCallBook } from './call-book.ts'
import type { FrozenOptions } from './agent-options.ts'
import { childEnv } from '../runs/child-env.ts'
import { grantablePolicy, sandboxOf } from '../settings/policy.ts'
import { commandWrap } from './sandbox.ts'
import { approverPort } from '../permissions/approval-port.ts'
import { openPlanMode } from './plan-mode.ts'
import type { ModelAccess, Delta, AgentDeps } from './agent-deps.ts'
import { turnToolSets, type ToolSets } from './turn-tools.ts'

/** What a lone agent's session adds to its options. */
export interface LoneDepsOptions {
  readonly conversation: Conversation
  readonly delta: (delta: Delta) => void
  readonly modelAccess: ModelAccess
  readonly advised: AdvisedRun | null
  /** What tools remember between calls, and between runs. */
  readonly memory: Map<string, unknown>
  readonly planning: Planning
  /** Deferred tools that it looked up. */
  readonly loaded: ReadonlySet<string>
  readonly note: (fact: Fact) => void
}

/** Everything an agent outside of a team acts upon: no inbox, no gate, one set of tools. */
export function loneDeps(options: FrozenOptions, parts: LoneDepsOptions): AgentDeps {
  const { modelAccess, conversation, delta, memory, advised } = parts
  const { name, cwd, home, clock, approver } = options
  const tools = toolsOf(options, advised)
  const frozen = policyOf(options)
  const names = tools.map((tool) => tool.name)
  const turnTools = toolSetsOf(tools)
  const plan = openPlanMode(parts.planning, () => frozen, parts.note)
  const { policy, grant } = grantablePolicy(plan.policy)
  return {
    ...modelAccess,
    member: name,
    system: options.escalate === null ? options.system : [options.system, escalationText].join('\n\n').trimStart(),
    conversation,
    approvals: approverPort(approver),
    task: () => null,
    home,
    cwd,
    now: clock.now,
    memory,
    receive: () => 0,
    hold: () => false,
    ...advisedTools(advised, () => turnTools(names, parts.loaded)),
    book: openCallBook({ limits: options.toolLimits, earlier: {} }, (id) => hasResult(conversation, id)),
    policy,
    grant,
    toolContext: toolContexts(options, parts, {
      wrapCommand: commandWrap(policy, home),
      plan: plan.port,
      ...storing(options, grant),
    }),
    listened: () => true,
    delta,
  }
}

/** Whoever may ask an advisor has the tool for it. */
function toolsOf({ tools }: FrozenOptions, advised: AdvisedRun | null): readonly Tool[] {
  return advised === null ? tools : [...tools.filter(({ name }) => name !== advised.tool.name), advised.tool]
}

/** What each call of the agent's tools gets of its surroundings. */
function toolContexts(
  { name, cwd, home, env, approver }: FrozenOptions,
  { delta, memory, advised }: LoneDepsOptions,
  kept: Partial<ToolContext>,
): AgentDeps['toolContext'] {
  const lasting = { cwd, home, memory, env: childEnv(env), files: localFiles, ...kept }
  const advice = adviceTo(advised)
  return (callId, signal) => ({
    ...lasting,
    callId,
    signal,
    ...advice(callId),
    ...askOf(approver, name),
    progress: (text) => delta({ member: name, type: 'progress', text, call_id: callId }),
  })
}

/** What was set aside for the agent may be read by it, wherever that lies. */
function storing(options: FrozenOptions, grant: (rule: string) => void): Pick<ToolContext, 'store'> {
  const folder = artifactsOf(options)
  if (folder === null) return {}
  const store = textStore(folder)
  let granted = false
  const permit = (): void => {
    if (!granted) grant(`Read(/${folder}/**)`)
    granted = true
  }
  return {
    store: {
      put(text) {
        permit()
        return store.put(text)
      },
      open() {
        permit()
        return store.open()
      },
    },
  }
}

/** Beside the journal; without one nothing is kept on disk. */
function artifactsOf({ runDir }: Pick<FrozenOptions, 'runDir'>): string | null {
  return runDir === null ? null : join(runDir, 'artifacts')
}

interface Sets {
  readonly of: readonly Tool[]
  readonly sets: ToolSets
}

const toolSets = new WeakMap<readonly Tool[], Sets>()

/** Agents with the same tools share their sets. */
function toolSetsOf(tools: readonly Tool[]): ToolSets {
  const known = toolSets.get(tools)
  if (known?.of.length === tools.length && tools.every((tool, at) => tool === known.of[at])) return known.sets
  const sets = turnToolSets(() => null, tools)
  // What the list holds now is remembered beside it: its owner may add to it.
  toolSets.set(tools, { of: [...tools], sets })
  return sets
}

const policies = new WeakMap<object, { readonly of: string; readonly policy: Policy }>()

/**
 * The rules of a policy are read once for each policy: agents with the same permissions at the same place share it.
 * They are compared as they stand now, so that a rule that was added to the same object counts.
 */
function policyOf(options: FrozenOptions): Policy {
  const { cwd, home, permissions, sandbox } = options
  const readable = artifactsOf(options)
  const of = JSON.stringify([cwd, home, readable, permissions, sandbox])
  const known = policies.get(permissions)
  if (known?.of === of) return known.policy
  const { mode = 'default', ...rules } = structuredClone(permissions)
  const sandboxed = sandboxOf(sandbox, { cwd, home })
  const policy: Policy = {
    mode,
    ...(mode === 'plan' ? { afterPlan: 'default' as const } : {}),
    ...(sandboxed === undefined ? {} : { sandboxed }),
    rules: { session: rules },
    bounds: {
      protected: [join(cwd, '.troupe'), join(home, '.troupe')],
      scope: [],
      blockedHosts: [],
      ...(readable === null ? {} : { readable: [readable] }),
    },
    directories: [cwd],
  }
  policies.set(permissions, { of, policy })
  return policy
}
