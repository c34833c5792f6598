import { storeArtifact } from '../../adapters/sessions/artifacts.ts'
import { lastWriter } from '../../adapters/sessions/last-writer.ts'
import { textStore } from '../../adapters/sessions/text-store.ts'
import { openChangeKeeper, type ChangeKeeper } from '../../adapters/tools/changes/keep-changes.ts'
import { openGitContents } from '../../adapters/worktrees/git-contents.ts'
import { markVariable } from '../../adapters/process/end-process.ts'
import { askersOf, awaitsParts, owedNow, type Obligations } from '../../projections/team/obligations.ts'
import { boardLines, isOwed, standingOf } from '../../projections/team/standing.ts'
import type { ModelRequest } from '../../protocol/models/model.ts'
import type { PermissionMode, Policy } from '../../protocol/permissions/permission.ts'
import type { MailDraft } from '../../protocol/mail/envelope.ts'
import { textOf } from '../../protocol/conversation/message.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import type { FileWriters } from '../../protocol/tools/filesystem.ts'
import type { ToolContext } from '../../protocol/tools/tool.ts'
import type { Conversation } from '../../rules/conversation/context-window.ts'
import { isRepairOf } from '../../rules/team/task-text.ts'
import type { AgentPrompt } from '../prompt/open-prompt.ts'
import { debtOf } from '../../rules/conversation/task-queue.ts'
import { memoryToolsOf } from '../../rules/memory/memory-plan.ts'
import type { AgentDeps, TurnTools } from '../agent/agent-deps.ts'
import type { ForeignTools } from '../agent/foreign-tools.ts'
import type { MemberMcp } from '../mcp/member-mcp.ts'
import { composeAgent } from '../agent/compose-agent.ts'
import type { RunContext } from '../context/run-context.ts'
import type { ApprovalPort } from '../permissions/approval-port.ts'
import { teamPort, type TeamActions, type TeamReach } from '../reach/team-port.ts'
import { handOn } from '../reach/hand-on.ts'
import { ownKey, sendOrAnswer } from './send-or-answer.ts'
import { askPeople, memberApprovals } from './member-approvals.ts'
import { extractingModel, memberMemory } from './member-memory.ts'
import { withHookWords, type MemberHooks } from './member-hooks.ts'
import { withMemberMiddleware, type MemberMiddleware } from './member-middleware.ts'
import { roomWith } from './member-servers.ts'
import { memberAdvisor, openMemberModels } from './member-models.ts'
import { withCommands } from './called-commands.ts'
import type { AgentSkills } from '../skills/agent-skills.ts'
import type { Incarnation, MemberStore } from './member-store.ts'
import { behindOf, restrictionsOf, type Served } from './served.ts'
import { chosenPolicy, servingPolicy, skilledPolicy } from '../settings/policy.ts'
import type { Disclosure, ToolSets } from '../agent/turn-tools.ts'

/** One member, besides what all members share. */
export interface StartMemberOptions {
  readonly context: RunContext
  readonly card: MemberCard
  readonly leadTurn: LeadTurn
  readonly actions: TeamReach
  readonly crashed: (error: unknown) => void
  /** Left out where this process decides on the member's lives. */
  readonly life?: Incarnation
  /** The life before was stopped: this one knows nothing of it. */
  readonly fresh?: boolean
  /** A person restarted the member: no call is made again that had begun. */
  readonly restarted?: boolean
  /** Variables that tell the member's commands how deep in runs they are. */
  readonly nested: Readonly<Record<string, string>>
}

/** The parts of a member that its agent needs. */
interface MemberParts {
  /** Takes the mail in. */
  readonly receive: AgentDeps['receive']
  /** The member's MCP servers. */
  readonly mcp: MemberMcp | null
  readonly hooks: MemberHooks | null
  readonly around: MemberMiddleware | null
  readonly skills: AgentSkills | null
  readonly prompt: AgentPrompt
  /** Tells the instructions for files that the latest calls touched. */
  readonly instruct: () => void
}

/** Composes the dependencies of a member's agent. */
export function memberDeps(member: StartMemberOptions, store: MemberStore, parts: MemberParts): AgentDeps {
  const { receive, mcp, hooks, around, skills, prompt, instruct } = parts
  const { context, card, leadTurn } = member
  const [{ cwd }, { debts }, { clock, home, deltas }] = [context.workplace(card), store, context]
  const task = (): string | null => owedNow(debts).at(-1)?.body ?? null
  const approvals = memberApprovals(context, store)
  const served = { debts, board: member.actions.tasks?.board, name: card.name }
  const [own, models] = [policyOf(member), openMemberModels(member, store)]
  const policy = policyNow(own, store, { served, home })
  const plan = {
    card,
    system: prompt.system,
    prompt,
    cwd,
    home,
    ...variablesOf(member, store),
    clock,
    memories: memberMemory(member, store.conversation),
    extracts: extractingModel(context, card),
    tools: (loaded: ReadonlySet<string>) =>
      leadTurn.turnTools(loaded, around ? around.foreign(mcp?.foreign()) : mcp?.foreign()),
    advisor: memberAdvisor(context, card),
    modelAccess: models.access,
    policy,
    behind: () => behindOf(served),
    approvals,
    hooks,
    task,
    context: toolContexts(member, store, { approvals, task, skills, policy }),
    listened: () => deltas.listeners > 0,
    delta: deltas.publish,
    room: roomWith(mcp, context.room),
  }
  const deps = composeAgent(plan, store, { receive, ...teamLife(member, store) })
  const whole = withMemberMiddleware({ ...deps, instruct, changes: changesOf(member, store) }, around)
  return withHookWords(withCommands(member, store, { deps: whole, mcp, policy: own, open: models.open }), hooks)
}

/** The variables of a member's commands: programs carry the mark of this life, by which they are found when it is over. */
function variablesOf({ context: { env, hooks }, nested }: StartMemberOptions, { incarnation }: MemberStore) {
  return { env: { ...env, [markVariable]: incarnation, ...nested }, exported: hooks.exported }
}

/** The changes of a member's calls are kept with the run. */
function changesOf({ context, card }: StartMemberOptions, { ledger }: MemberStore): ChangeKeeper {
  const { run, clock } = context
  const { cwd } = context.workplace(card)
  return openChangeKeeper({
    cwd,
    openRepository: async () => openGitContents({ cwd, env: context.env }),
    now: clock.now,
    keep: (bytes, flush) => void storeArtifact(run.artifacts, bytes, flush),
    note: (fact) => ledger.record([fact]),
  })
}

/** The ports through which the member's agent hears of its team, but for the mail. */
function teamLife(member: StartMemberOptions, { debts, conversation }: MemberStore) {
  const { card, leadTurn } = member
  return {
    hold: () => leadTurn.hold(askersOf(debts)) || awaitsParts(debts),
    pinned: isOwed(debts),
    standing: () => [...standingOf(debts), ...arrangedBy(member)],
    owes: () => debts.said.length === 0 && isAnswering(debts, leadTurn),
    shape: () => answerShape(debts, conversation, card),
  }
}

/** The member's policy at each moment: what a person chose, what its skills allow, what binds those whom it serves. */
function policyNow(
  own: () => Policy,
  { chosen, skills }: MemberStore,
  { served, home }: { readonly served: Served; readonly home: string },
): () => Policy {
  return servingPolicy(skilledPolicy(chosenPolicy(own, chosen), skills), () => restrictionsOf(served), home)
}

/** The member's own policy at each moment. */
function policyOf({ context, card }: StartMemberOptions): () => Policy {
  return () => context.policy(card)
}

/** The arrangements of a member with its team, for its conversation when that is made shorter. */
function arrangedBy({ leadTurn, actions }: StartMemberOptions): readonly string[] {
  return [...leadTurn.standing(), ...boardLines(actions.tasks?.board.tasks.values() ?? [])]
}

interface Asking {
  readonly skills: AgentSkills | null
  readonly approvals: ApprovalPort
  readonly task: () => string | null
  readonly policy: () => Policy
}

/** The parts of tool contexts that only members have: their team, their people, who else wrote a file. */
function toolContexts(
  { context, card, actions, leadTurn }: StartMemberOptions,
  store: MemberStore,
  { approvals, task, skills, policy }: Asking,
): (callId: string) => Pick<ToolContext, 'ask' | 'store' | 'team' | 'writers' | 'openSkill'> {
  const { run, clock, roster } = context
  const ask = askPeople({
    member: card.name,
    approvals,
    task,
    clock,
    note: (fact) => store.ledger.record([fact]),
  })
  // The list of all journals is made when a file was changed by somebody: it is too long for each member to hold.
  const journals = () => Object.fromEntries(roster.map((name) => [name, run.journalFile(name)]))
  const writers: FileWriters = { writerOf: (real, sha256) => lastWriter(journals(), { real, sha256 }) }
  const send = (draft: MailDraft) => sendOrAnswer(store, draft)
  const asking = { ...actions, restrictions: store.restrictions, send }
  const handing = { card, team: context.team, debts: store.debts, mode: () => modeAfterPlan(policy()) }
  const team = teamPort({
    ...asking,
    handOn: (errands, callId) => handOn({ ...asking, ...handing, keyOf: (key) => ownKey(store, key) }, errands, callId),
    wait: (wait) => store.ledger.record([wait]),
    report: (report) => finish(store, leadTurn, report),
  })
  const own = { team, writers, store: textStore(run.artifacts), ...(skills && { openSkill: skills.open }) }
  return (callId) => ({ ...own, ask: (asked, stop) => ask(asked, callId, stop) })
}

/** The mode in which a member works: its plan is carried beside it. */
function modeAfterPlan({ mode, afterPlan = mode }: Policy): PermissionMode {
  return mode === 'plan' ? afterPlan : mode
}

/** Takes an explicit result or answer, where it is one of what the member has to answer now. */
function finish(
  { debts, ledger }: Pick<MemberStore, 'debts' | 'ledger'>,
  leadTurn: LeadTurn,
  { request, text, files }: Parameters<TeamActions['report']>[0],
): ReturnType<TeamActions['report']> {
  const error = request === undefined ? unansweredBy(leadTurn) : misreported(debts, request)
  if (error !== null) return { error }
  const body = files.length === 0 ? text : [text, '', 'Files:', ...files.map((file) => `- ${file}`)].join('\n')
  ledger.record([{ type: 'member.reported', ...(request === undefined ? {} : { request }), text: body }])
  return { id: request ?? 'the task' }
}

function unansweredBy({ leads, news, awaits }: LeadTurn): string | null {
  if (!leads) return 'only the coordinator answers the task of the run.'
  if (news()) return 'results have come that you have not read. You are shown them next: answer after that.'
  return awaits()
    ? 'requests of yours are still open. End your turn and wait for them, or call StopWorker with worker "all".'
    : null
}

function misreported({ tasks: { atHand, waiting } }: Obligations, request: string): string | null {
  if (atHand === null) return 'nobody waits for a result of yours: what you say is enough.'
  const now = debtOf(atHand.envelope)
  if (request === now) return null
  const later = waiting.map(({ envelope }) => debtOf(envelope))
  const rest = later.length === 0 ? '' : ` ${later.join(', ')} waits for its turn.`
  return `${request} is not open with you. You work on ${now}: report that.${rest}`
}

/**
 * The shape that a worker's model is held to by its vendor: of the one contract it owes. While it may still use tools
 * nothing forces it to answer at once.
 */
function answerShape(
  debts: Obligations,
  { messages }: Pick<Conversation, 'messages'>,
  { tools }: Pick<MemberCard, 'tools'>,
): Pick<ModelRequest, 'output'> {
  const [debt, ...others] = owedNow(debts)
  if (debt?.returns?.['type'] !== 'object' || others.length > 0) return {}
  const last = messages.at(-1)
  const repairs = last?.role === 'user' && isRepairOf(textOf(last), debtOf(debt))
  const atOnce = tools.length === 0 || repairs
  return { output: { name: 'answer', schema: debt.returns, ...(atOnce ? {} : { after_tools: true }) } }
}

/** The turns of a member: a coordinator's follow its state, those of a worker are always open. */
export interface LeadTurn {
  /** @param askers members that wait for its word */
  hold(askers: readonly string[]): boolean
  /**
   * @param loaded deferred tools that were looked up
   * @param foreign tools that the member has from elsewhere
   */
  turnTools(loaded: ReadonlySet<string>, foreign?: ForeignTools): TurnTools
  /** News of its requests, told once; null when there is nothing to tell. */
  brief(): string | null
  /** `brief` has something to tell. */
  news(): boolean
  /** Requests of its own are out. */
  awaits(): boolean
  /** The requests that are out, in lines. */
  standing(): readonly string[]
  /** The run's task is the member's to answer. */
  readonly leads: boolean
}

/** Whether the member's next text is the answer that it owes: not while it waits for somebody's word or work itself. */
export function isAnswering(debts: Obligations, { news, awaits, leads }: LeadTurn): boolean {
  if (news() || awaits() || debts.asked.size > 0) return false
  return owedNow(debts).length > 0 || (leads && !debts.hasAnswered)
}

/** The turns of a member that leads nobody. Every member may write mail, and ask the advisor that its card gives it. */
export function workerTurn(card: Disclosure & Pick<MemberCard, 'advisor' | 'memory'>, sets: ToolSets): LeadTurn {
  const more = [...(card.advisor ? ['Advisor'] : []), ...memoryToolsOf(card)]
  const names = [...new Set([...card.tools, 'SendMessage', 'Wait', 'Report', ...more])]
  return {
    hold: () => false,
    turnTools: (loaded, foreign) => sets(names, loaded, { foreign, disclosure: card }),
    brief: () => null,
    news: () => false,
    awaits: () => false,
    standing: () => [],
    leads: false,
  }
}
