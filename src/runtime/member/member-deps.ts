import { lastWriter } from '../../adapters/sessions/last-writer.ts'
import { textStore } from '../../adapters/sessions/text-store.ts'
import { markVariable } from '../../adapters/process/end-process.ts'
import { askersOf, owedNow, type Obligations } from '../../projections/team/obligations.ts'
import type { MailDraft } from '../../protocol/mail/envelope.ts'
import type { Model, ModelRequest } from '../../protocol/models/model.ts'
import { textOf } from '../../protocol/conversation/message.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import type { FileWriters } from '../../protocol/tools/filesystem.ts'
import type { ToolContext } from '../../protocol/tools/tool.ts'
import type { Conversation } from '../../rules/conversation/context-window.ts'
import { isRepairOf } from '../../rules/team/task-text.ts'
import { systemPrompt } from '../../rules/conversation/system-prompt.ts'
import { debtOf } from '../../rules/conversation/task-queue.ts'
import { retryLimits } from '../../rules/team/retry-policy.ts'
import type { AgentAdvisor } from '../agent/advisor.ts'
import type { AgentDeps, ModelAccess, TurnTools } from '../agent/agent-deps.ts'
import { composeAgent, openModelAccess } from '../agent/compose-agent.ts'
import type { RunContext } from '../context/run-context.ts'
import type { ApprovalPort } from '../permissions/approval-port.ts'
import { teamPort, type TeamActions } from '../reach/team-port.ts'
import { askPeople, memberApprovals } from './member-approvals.ts'
import type { Incarnation, MemberStore } from './member-store.ts'
import type { ToolSets } from '../agent/turn-tools.ts'

/** One member, besides what all members share. */
export interface StartMemberOptions {
  readonly context: RunContext
  readonly card: MemberCard
  readonly leadTurn: LeadTurn
  readonly actions: Omit<TeamActions, 'send'>
  readonly crashed: (error: unknown) => void
  /** Left out where this process decides on the member's lives. */
  readonly life?: Incarnation
  /** Variables that tell the member's commands how deep in runs they are. */
  readonly nested: Readonly<Record<string, string>>
}

/**
 * Composes the dependencies of a member's agent.
 * @param receive takes the mail in
 */
export function memberDeps(member: StartMemberOptions, store: MemberStore, receive: AgentDeps['receive']): AgentDeps {
  const { context, card, leadTurn, nested } = member
  const { team, clock, home, deltas } = context
  const { cwd } = context.workplace(card)
  const { debts, conversation, incarnation } = store
  const task = (): string | null => owedNow(debts).at(-1)?.body ?? null
  const approvals = memberApprovals(context, store)
  const plan = {
    card,
    system: systemPrompt(team, card, cwd),
    cwd,
    home,
    // Programs carry the mark of this life, so that they are found when it ends without a word.
    env: { ...context.env, [markVariable]: incarnation, ...nested },
    now: clock.now,
    tools: (loaded: ReadonlySet<string>) => leadTurn.turnTools(loaded),
    advisor: advisorOf(context, card),
    modelAccess: modelAccessOf(context, card, store),
    policy: () => context.policy(card),
    approvals,
    task,
    context: toolContexts(member, store, { approvals, task }),
    listened: () => deltas.listeners > 0,
    delta: deltas.publish,
    room: context.room,
  }
  return composeAgent(plan, store, {
    receive,
    hold: () => leadTurn.hold(askersOf(debts)),
    owes: () => debts.said.length === 0 && isAnswering(debts, leadTurn),
    shape: () => answerShape(debts, conversation, card),
  })
}

type Helpers = Pick<RunContext, 'models' | 'budgets'>

function modelAccessOf(
  { models, budgets, team, clock, breakers, pricing }: RunContext,
  card: MemberCard,
  store: MemberStore,
): ModelAccess {
  return openModelAccess(
    {
      models: [card.model, ...(card.fallback ?? [])].map((name) => modelOf(models, name)),
      stronger: card.escalate ? modelOf(models, card.escalate.model) : null,
      limits: retryLimits(team),
      thinking: card,
      allowance: budgets.allowance(card),
      pricing,
      breakers,
      clock,
    },
    store,
  )
}

function modelOf(models: RunContext['models'], name: string): Model {
  const model = models.get(name)
  if (!model) throw new Error(`${name} was not opened`)
  return model
}

function advisorOf({ models, budgets }: Helpers, card: MemberCard): AgentAdvisor | null {
  const { advisor: plan } = card
  if (!plan) return null
  const limited = budgets.allowance(card) !== null
  return { plan, model: modelOf(models, plan.model), own: modelOf(models, card.model), limited }
}

interface Asking {
  readonly approvals: ApprovalPort
  readonly task: () => string | null
}

/** The parts of tool contexts that only members have: their team, their people, who else wrote a file. */
function toolContexts(
  { context, card, actions }: StartMemberOptions,
  store: MemberStore,
  { approvals, task }: Asking,
): (callId: string) => Pick<ToolContext, 'ask' | 'store' | 'team' | 'writers'> {
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
  const team = teamPort({ ...actions, send: (draft) => sendOrAnswer(store, draft) })
  const own = { team, writers, store: textStore(run.artifacts) }
  return (callId) => ({ ...own, ask: (asked, stop) => ask(asked, callId, stop) })
}

/**
 * Sends what a member writes. To somebody whose question it has not answered yet, its next message is the answer: the
 * oldest question is settled by it, and whoever waits for it goes on.
 */
function sendOrAnswer(
  { debts, mailbox, ledger }: Pick<MemberStore, 'debts' | 'mailbox' | 'ledger'>,
  draft: MailDraft,
): ReturnType<TeamActions['send']> {
  const question =
    draft.kind === 'text'
      ? [...debts.owed.values()].find(({ kind, from }) => kind === 'question' && from === draft.to)
      : undefined
  const sent = mailbox.send(question ? { ...draft, kind: 'answer', reply_to: question.id } : draft)
  if (!sent.ok) return { error: sent.error }
  const { id, request } = sent.envelope
  if (question) ledger.record([{ type: 'member.replied', request: debtOf(question), mail_id: id }])
  return {
    id,
    ...(request === undefined ? {} : { request }),
    ...(sent.note === undefined ? {} : { note: sent.note }),
  }
}

/**
 * The shape that a worker's model is held to by its vendor: of the one contract it owes, when it can do nothing but answer.
 * While it may still use tools it is told the shape in words only, because some vendors force an answer at once.
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
  return tools.length === 0 || repairs ? { output: { name: 'answer', schema: debt.returns } } : {}
}

/** The turns of a member: a coordinator's follow its state, those of a worker are always open. */
export interface LeadTurn {
  /** @param askers members that wait for its word */
  hold(askers: readonly string[]): boolean
  /** @param loaded deferred tools that were looked up */
  turnTools(loaded: ReadonlySet<string>): TurnTools
  /** News of its requests, told once; null when there is nothing to tell. */
  brief(): string | null
  /** `brief` has something to tell. */
  news(): boolean
  /** Requests of its own are out. */
  awaits(): boolean
  /** The run's task is the member's to answer. */
  readonly leads: boolean
}

/** Whether the member's next text is the answer that it owes: not while it waits for somebody's word or work itself. */
export function isAnswering(debts: Obligations, { news, awaits, leads }: LeadTurn): boolean {
  if (news() || awaits() || debts.asked.size > 0) return false
  return owedNow(debts).length > 0 || (leads && !debts.hasAnswered)
}

/** The turns of a member that leads nobody. Every member may write mail, and ask the advisor that its card gives it. */
export function workerTurn({ tools, advisor }: Pick<MemberCard, 'tools' | 'advisor'>, sets: ToolSets): LeadTurn {
  const names = [...new Set([...tools, 'SendMessage', ...(advisor ? ['Advisor'] : [])])]
  return {
    hold: () => false,
    turnTools: (loaded) => sets(names, loaded),
    brief: () => null,
    news: () => false,
    awaits: () => false,
    leads: false,
  }
}
