import { join } from 'node:path'
import { openModel } from '../../adapters/models/catalog.ts'
import { textStore } from '../../adapters/sessions/text-store.ts'
import type { AgentEvent } from '../../protocol/facts/run-event.ts'
import type { Contract } from '../../protocol/mail/envelope.ts'
import type { Model } from '../../protocol/models/model.ts'
import type { Policy } from '../../protocol/permissions/permission.ts'
import type { Question } from '../../protocol/port.ts'
import type { Tool, ToolContext } from '../../protocol/tools/tool.ts'
import { getOrMake } from '../../projections/fold/fold.ts'
import { openPricing } from '../models/pricing.ts'
import { approverPort } from '../permissions/approval-port.ts'
import { modelClassifier } from '../permissions/classifier.ts'
import { openAgentMemory, type AgentMemory } from '../memory/agent-memory.ts'
import { depthIn } from '../runs/nesting.ts'
import { openPrompt } from '../prompt/open-prompt.ts'
import { openAgentSkills, type AgentSkills } from '../skills/agent-skills.ts'
import type { SkillPlace } from '../skills/found-skills.ts'
import { loadSkills, usesSkills } from '../skills/skills-of.ts'
import { volatileSection } from '../../rules/prompt/section.ts'
import { isTrusted } from '../../rules/settings/settings-trust.ts'
import { readTrust, workspaceOf } from '../../adapters/settings/trust-file.ts'
import { forget } from '../../adapters/tools/memory/forget.ts'
import { recall } from '../../adapters/tools/memory/recall.ts'
import { remember } from '../../adapters/tools/memory/remember.ts'
import { openHooks, type AgentHooks } from '../hooks/hook-engine.ts'
import { hookRunners, type RunAgent } from '../hooks/hook-runners.ts'
import { keysOf } from '../hooks/run-hooks.ts'
import { childEnv } from '../../adapters/process/child-env.ts'
import { sandboxOf, skilledPolicy } from '../settings/policy.ts'
import type { AgentDeps, Delta, ModelAccess } from './agent-deps.ts'
import { callsFor } from './begin-call.ts'
import type { LonePart, PartEnd } from '../reach/delegate-alone.ts'
import { withParts } from './agent-parts.ts'
import type { FrozenOptions } from './agent-options.ts'
import { keepShape } from './keep-shape.ts'
import { composeAgent, openModelAccess } from './compose-agent.ts'
import type { AgentStore } from './agent-store.ts'
import { furtherTools } from './foreign-tools.ts'
import { turnToolSets } from './turn-tools.ts'

/** A lone agent that is ready to run. */
export interface LoneAgent {
  /** The name of the first of its models. */
  readonly model: string
  readonly deps: AgentDeps
  /** Commands of the agent's skills pass these: the dependencies of the run that is going on. */
  serve(deps: AgentDeps): void
}

/** The parts of a lone agent's session that its dependencies use. */
export interface SessionParts {
  readonly task: () => string | null
  readonly contract: () => Contract | null
  readonly delta: (delta: Delta) => void
  readonly room: () => Promise<void>
  /** Makes the agents of `agent` hooks. */
  readonly runAgent: RunAgent
  /** Hears the agents of hooks. */
  readonly child: (event: AgentEvent) => void
  /** Runs an agent that does a part of this one's work. */
  readonly runPart: (options: FrozenOptions, part: LonePart) => Promise<PartEnd>
  /** The tools of the run that is going on, beside those of the agent. */
  readonly more: () => readonly Tool[]
}

/**
 * Opens the models of an agent outside of any team and composes it: a member without mailbox, team and coordinator.
 * @throws ModelUnavailable when a model cannot be opened
 */
export async function openLoneAgent(
  options: FrozenOptions,
  store: AgentStore,
  { task, contract, delta, room, more, runAgent, runPart, child }: SessionParts,
): Promise<LoneAgent> {
  const { card } = options
  const { modelAccess, own, advisor, extracts, judge } = await openOwnModels(options, store)
  const memory = memoryOf(options, store)
  const parting = withParts(options, store, { mode: () => agent.policy().mode, runPart })
  const tools = withMemory(memory, advisor ? await withAdvisor(parting) : parting)
  const names = tools.map(({ name }) => name)
  const [sets, further] = [turnToolSets(() => null, tools), furtherTools(names, more)]
  const policy = policyOf(options)
  const told = ({ call: { id, tool }, decision }: Question): void =>
    modelAccess.note({ type: 'permission.requested', call_id: id, tool, request: id, decision, deadline: null })
  let agent: AgentDeps
  const skills = await skillsOf(options, store, { names, deps: () => agent })
  const plan = {
    ...surroundingsOf(options),
    card: { ...card, tools: names },
    memories: memory,
    ...promptOf(memory, skills, modelAccess),
    extracts,
    tools: (loaded: ReadonlySet<string>) => sets(names, loaded, { foreign: further() }),
    advisor,
    modelAccess,
    policy: skilledPolicy(() => policy, store.skills),
    approvals: approverPort(options.approver, judge === null ? null : modelClassifier(judge, options.cwd), told),
    task,
    context: toolContexts(options, store, skills),
    delta,
    room,
  }
  agent = {
    ...composeAgent(plan, store),
    ...keepShape({ conversation: store.conversation, hasTools: names.length > 0, contract }),
  }
  agent = await withLoneHooks(options, agent, { model: own.name, runAgent, child, skills, exported: plan.exported })
  return { model: own.name, deps: agent, serve: (deps) => void (agent = deps) }
}

/** The part of an agent's plan that its options say word for word. */
function surroundingsOf({ system, cwd, home, files, env, clock }: FrozenOptions) {
  const exported = new Map<string, string>()
  return { system, cwd, home, files, env: childEnv(env), exported, clock, listened: () => true }
}

async function openOwnModels(options: FrozenOptions, store: AgentStore) {
  const { card, home, clock, limits, breakers } = options
  const [pricing, opened] = await Promise.all([openPricing(home), openAgentModels(options)])
  const { models, stronger, adviser, judge, extracts } = opened
  const shared = { pricing, breakers, clock }
  const modelAccess = openModelAccess({ ...shared, models, stronger, limits, thinking: card, allowance: null }, store)
  const [own] = models
  const advisor = card.advisor && adviser ? { plan: card.advisor, model: adviser, own, limited: false } : null
  return { modelAccess, own, advisor, extracts, judge }
}

/**
 * All models that agents with these options ask, each opened once.
 * @throws ModelUnavailable when one cannot be opened
 */
export async function openAgentModels(options: FrozenOptions) {
  const { escalate, advisor, memory } = options.card
  const { classifier, model, fallback } = options
  const [stronger, adviser, judge, extracts, own, ...others] = await Promise.all([
    escalate ? opened(escalate.model, options) : null,
    advisor ? opened(advisor.model, options) : null,
    classifier === null ? null : opened(classifier, options),
    memory?.extract?.model === undefined ? undefined : opened(memory.extract.model, options),
    opened(model, options),
    ...fallback.map((other) => opened(other, options)),
  ])
  return { models: [own, ...others] as const, stronger, adviser, judge, extracts }
}

/** Opens a model once for all agents that share these options; a failure is tried again. */
async function opened(model: string | Model, options: FrozenOptions): Promise<Model> {
  if (typeof model !== 'string') return model
  const { cwd, env, timeouts, servers, opened: known } = options
  return getOrMake(known, model, () =>
    openModel(model, { baseDir: cwd, env, servers, patience: timeouts }).catch((error: unknown) => {
      known.delete(model)
      throw error
    }),
  )
}

/** The memories of an agent that has any; shared ones count where a person trusts them. */
function memoryOf({ card, cwd, home, env, clock }: FrozenOptions, { conversation }: AgentStore): AgentMemory | null {
  if (card.memory === undefined) return null
  const trusts = (text: string): boolean => isTrusted(trustedIn({ cwd, home }), text)
  const own = { plan: card.memory, member: card.name, depth: depthIn(env) }
  return openAgentMemory({ ...own, cwd, home, clock, trusts, conversation })
}

/** The openings of a workspace that a person trusts now. */
function trustedIn({ cwd, home }: SkillPlace): readonly string[] {
  return readTrust(home).trust.get(workspaceOf(cwd, home)) ?? []
}

/** The skills of an agent that has any. */
async function skillsOf(
  { card: { name }, skills, cwd, home, clock }: FrozenOptions,
  store: AgentStore,
  { names, deps }: { readonly names: readonly string[]; readonly deps: () => AgentDeps },
): Promise<AgentSkills | null> {
  const card = { name, tools: [...names], skills: [...skills] }
  if (!usesSkills(card)) return null
  const found = await loadSkills(() => trustedIn({ cwd, home }))
  return openAgentSkills(
    { skills: found, agent: { card, cwd, home, session: name }, store },
    callsFor(store, clock, deps),
  )
}

function withMemory(memory: AgentMemory | null, tools: readonly Tool[]): readonly Tool[] {
  if (memory === null) return tools
  const own = [remember, recall, forget]
  return [...tools.filter(({ name }) => !own.some((tool) => tool.name === name)), ...own]
}

/** A prompt in whose first user message the index of the agent's memory and its skills stand. */
function promptOf(memories: AgentMemory | null, skills: AgentSkills | null, { note }: ModelAccess) {
  if (memories === null && skills === null) return {}
  const reason = 'agents and people remember and forget while a run goes on'
  const volatile = () => [volatileSection('memory', reason, memories?.section() ?? ''), ...(skills?.sections() ?? [])]
  return { prompt: openPrompt({ cached: [], volatile, note }) }
}

/** The tool is loaded for agents that have somebody to ask. */
async function withAdvisor(tools: readonly Tool[]): Promise<readonly Tool[]> {
  const { advisor } = await import('../../adapters/tools/team/advisor.ts')
  return [...tools.filter(({ name }) => name !== advisor.name), advisor]
}

/** Questions go to the approver of this process; long texts lie beside the journal, where there is one. */
function toolContexts({ card, approver, runDir }: FrozenOptions, { written }: AgentStore, skills: AgentSkills | null) {
  const { ask } = approver
  const own: Pick<ToolContext, 'ask' | 'store' | 'writers' | 'openSkill'> = {
    writers: { writerOf: (real, sha256) => (written.get(real) === sha256 ? card.name : undefined) },
    ...(skills && { openSkill: skills.open }),
    ...(ask ? { ask: (asked, signal) => ask({ ...asked, member: card.name }, signal) } : {}),
    ...(runDir === null ? {} : { store: textStore(artifactsIn(runDir)) }),
  }
  return () => own
}

function policyOf({ cwd, home, permissions, sandbox, runDir }: FrozenOptions): Policy {
  const { mode = 'default', ...rules } = structuredClone(permissions)
  const sandboxed = sandboxOf(sandbox, { cwd, home })
  const readable = runDir === null ? [] : [artifactsIn(runDir)]
  return {
    mode,
    ...(mode === 'plan' ? { afterPlan: 'default' } : {}),
    ...(sandboxed === undefined ? {} : { sandboxed }),
    // Texts that were set aside for the agent may be read by it, wherever they lie.
    rules: { session: { ...rules, allow: [...(rules.allow ?? []), ...readable.map((dir) => `Read(/${dir}/**)`)] } },
    bounds: { protected: [join(cwd, '.troupe'), join(home, '.troupe')], scope: [], blockedHosts: [], readable },
    directories: [cwd],
  }
}

function artifactsIn(runDir: string): string {
  return join(runDir, 'artifacts')
}

interface Made {
  /** The name of the agent's own model. */
  readonly model: string
  readonly runAgent: RunAgent
  readonly child: (event: AgentEvent) => void
  readonly skills: AgentSkills | null
  readonly exported: Map<string, string>
}

/**
 * The dependencies of an agent outside of any team with the hooks of its program; the same where there are none. The session
 * begins now: what hooks say to that stands behind the system prompt.
 */
async function withLoneHooks(options: FrozenOptions, deps: AgentDeps, made: Made): Promise<AgentDeps> {
  if (options.hooks.length === 0 && made.skills?.mayHook() !== true) return deps
  const hooks = openLoneHooks(options, deps, made)
  const source = deps.conversation.messages.length === 0 ? 'startup' : 'resume'
  const begin = { event: 'SessionStart', value: source, fields: { source, model: made.model } } as const
  const { context } = await hooks.fire(begin, new AbortController().signal)
  return { ...deps, hooks, system: [deps.system, ...context].filter((text) => text !== '').join('\n\n') }
}

function openLoneHooks(
  options: FrozenOptions,
  deps: AgentDeps,
  { model, runAgent, child, skills, exported }: Made,
): AgentHooks {
  const { hooks, card, cwd, env, servers, permissions, clock, runDir } = options
  const texts = runDir === null ? null : textStore(artifactsIn(runDir))
  return openHooks({
    hooks: () => [...hooks, ...(skills?.hooks() ?? [])],
    worker: false,
    cwd,
    project: cwd,
    env,
    credentials: keysOf([servers]),
    exported,
    marks: {},
    common: () => ({ session_id: card.name, transcript_path: '', cwd, permission_mode: permissions.mode ?? 'default' }),
    now: clock.now,
    mint: clock.mint,
    note: deps.note,
    runners: hookRunners({ deps: () => deps, foreign: () => Promise.resolve([]), env, model, runAgent, child }),
    keep: (text) => texts?.put(text).path ?? null,
    rewake: (message) => deps.note({ type: 'warning.raised', code: 'hook', message }),
    show: (text, call_id) =>
      deps.delta({ member: card.name, type: 'progress', text, ...(call_id === undefined ? {} : { call_id }) }),
  })
}
