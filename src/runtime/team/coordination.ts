import { fromPromise } from 'xstate'
import {
  holdsLead,
  toolsNow,
  type CoordinatorEvent,
  type CoordinatorInput,
  coordinatorMachine,
} from '../../../machines/coordinator/coordinator.ts'
import type { CoordinatorContext } from '../../../machines/coordinator/coordinator-event.ts'
import type { BookedRequest } from '../../../machines/coordinator/request-book.ts'
import { withdrawTasks } from '../../adapters/mailbox/send/withdraw.ts'
import { applyReports, emptyReports, evidenceOf, type Reports } from '../../projections/team/reports.ts'
import { hearing, into } from '../../projections/fold/fold.ts'
import type { MailPriority } from '../../protocol/mail/envelope.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import { agentId } from '../../protocol/words/ids.ts'
import type { HandOutInput, HandOutOutput, RecallInput } from '../../protocol/port.ts'
import { toolAbsence } from '../../rules/team/coordinator-tools.ts'
import { chooseReplica, type Replica } from '../../rules/team/delegation-plan.ts'
import { withContract, withResults } from '../../rules/team/task-text.ts'
import type { AskedBefore, RequestLookup } from '../reach/team-port.ts'
import type { LeadTurn } from '../member/member-deps.ts'
import { spawnRoot, tell } from '../actors/spawn.ts'
import type { LocalMember } from '../member/start-member.ts'
import type { RunContext } from '../context/run-context.ts'
import { turnToolSets } from '../agent/turn-tools.ts'
import { gatherNote, planAgainText, type GatherWhy, type NotedRequest } from '../../rules/team/gather-note.ts'

/** The coordinator machine of one run, with the questions that the lead's dependencies ask it. */
export interface Coordination extends RequestLookup {
  send(event: CoordinatorEvent): void
  readonly leadTurn: LeadTurn
  readonly briefing: Briefing
  /** Ids of requests without a result, of one worker or of all. */
  open(worker?: string): readonly string[]
  /** How many requests there are in all. */
  total(): number
}

/** Callbacks of the coordinator; `lead` is asked for only when mail is to be sent in the lead's name. */
interface CoordinationOptions {
  record(facts: readonly Fact[]): void
  crashed(error: unknown): void
  lead(): Promise<LocalMember>
  /** The coordinator's state at the end of an earlier leader. */
  readonly earlier?: CoordinatorInput['earlier'] | null
}

/** The longest part of one result that is copied into a task which builds on it. */
const longestResult = 24_000

/** Starts the coordinator as a root actor. */
export function startCoordination(context: RunContext, options: CoordinationOptions): Coordination {
  const reports = emptyReports()
  const note = into(applyReports, reports)
  for (const recorded of context.earlier.recorded) note(recorded)
  context.facts.subscribe(note)
  const asked = subtasks(context)
  const actor = startMachine(context, options, reports)
  const state = () => actor.getSnapshot()
  const sets = turnToolSets((name) => {
    const { value } = state()
    return value === 'ended' || value === 'beginning' ? null : toolAbsence(value, name)
  }, context.tools)
  const book = () => Object.values(state().context.book)
  const briefing = leadBriefing({
    partition: context.team.partition,
    round: () => book().filter(({ round }) => round === state().context.round),
    evidence: (request) => evidenceOf(reports, request),
  })
  const open = (worker?: string): readonly string[] => openOf(book(), worker)
  return {
    send(event) {
      const answers = state().value === 'synthesising'
      tell(actor, event)
      if (answers && event.type === 'lead.wants_more') briefing.plansAgain()
    },
    leadTurn: {
      hold: (askers) => holdsLead(state()) && !waitsForLead(book(), askers),
      turnTools: (loaded) => sets(toolsNow(state()), loaded),
      brief: briefing.take,
      news: briefing.waits,
      awaits: () => open().length > 0,
      leads: true,
    },
    briefing,
    open,
    askedAs: (key) => asked.get(key),
    ...readBook(context, () => state().context),
  }
}

/** Questions of delegation to the book of requests. */
function readBook(
  context: RunContext,
  coordinator: () => CoordinatorContext,
): Pick<Coordination, Exclude<keyof RequestLookup, 'askedAs'> | 'total'> {
  const book = () => Object.values(coordinator().book)
  const workers = workersOf(context)
  return {
    statusOf: (request) => coordinator().book[request]?.status,
    choose(worker, admits) {
      const { lost } = coordinator()
      const present = lost.length === 0 ? workers : workers.filter(({ name }) => !lost.includes(name))
      return chooseReplica(worker, admits ? present.filter(({ name }) => admits(name)) : present, book())
    },
    total: () => book().length,
    isFull: () => book().filter(({ status, held }) => status === 'open' && !held).length >= coordinator().concurrency,
    nextRequest: () => `r${Math.max(0, ...book().map(({ request }) => Number(request.slice(1)))) + 1}`,
  }
}

/** The fate of subtasks, by the call and the position that they came from. */
function subtasks({
  earlier,
  facts,
  team,
}: Pick<RunContext, 'earlier' | 'facts' | 'team'>): ReadonlyMap<string, AskedBefore> {
  const asked = new Map<string, AskedBefore>()
  const note = hearing({
    'request.held'({ key, request }) {
      if (key !== undefined) asked.set(key, { request, how: 'held' })
    },
    'mail.sent'({ envelope: { key, kind, request } }, owner) {
      if (owner !== team.coordinator || kind !== 'task' || request === undefined) return
      asked.set(key, { request, how: 'sent' })
    },
  })
  for (const recorded of earlier.recorded) note(recorded)
  facts.subscribe(note)
  return asked
}

/** Whether no result comes any more without a word of the lead. */
function waitsForLead(book: readonly BookedRequest[], askers: readonly string[]): boolean {
  const begun = book.filter(({ status, held }) => status === 'open' && !held)
  return askers.length > 0 && begun.every(({ worker }) => askers.includes(worker))
}

function openOf(book: readonly BookedRequest[], worker: string | undefined): readonly string[] {
  const open = book.filter(({ status }) => status === 'open')
  return open.flatMap(({ request, worker: asked }) => (worker === undefined || worker === asked ? [request] : []))
}

function workersOf({ team }: Pick<RunContext, 'team'>): readonly Replica[] {
  return team.members.flatMap(({ name, card, role }) => (role === 'worker' ? [{ name, card }] : []))
}

function startMachine(context: RunContext, options: CoordinationOptions, reports: Reports) {
  const { team, clock } = context
  const card = team.members.find(({ name }) => name === team.coordinator)
  const input = {
    lead: team.coordinator,
    policy: team.gather,
    partition: team.partition,
    domain: card?.tools ?? [],
    workers: workersOf(context),
    board: team.tasks !== undefined,
    advised: card?.advisor !== undefined,
    closes: context.budgets.reportsAt,
    ...(team.limits?.concurrency === undefined ? {} : { concurrency: team.limits.concurrency }),
    ...(options.earlier ? { earlier: options.earlier } : {}),
  }
  const machine = coordinatorMachine.provide({
    actors: {
      handOut: fromPromise<HandOutOutput, HandOutInput>(async ({ input: again }) =>
        handOut(context, await options.lead(), withBody(again, reports)),
      ),
      recall: fromPromise<void, RecallInput>(async ({ input: recall }) => {
        // A task that is just being sent is journaled and not in its box yet.
        await Promise.resolve()
        const priority = waitsThere(reports, recall) ? 'normal' : 'interrupt'
        await callOff(context, options, { ...recall, priority })
      }),
    },
  })
  const { record, crashed } = options
  return spawnRoot<typeof coordinatorMachine>(machine, input, { id: 'coordinator', clock, record, crashed })
}

/** The task as its worker gets it: with the results that it builds on, and the shape that is wanted. */
function withBody(input: HandOutInput, { of }: Reports): HandOutInput & { readonly body: string } {
  const results = input.depends_on.flatMap((request) => of.get(request)?.result ?? [])
  const body = withContract(withResults(input.task, results, longestResult), input.returns)
  return { ...input, body }
}

function handOut(
  { team }: Pick<RunContext, 'team'>,
  lead: LocalMember,
  { request, worker, body, attempt, returns }: HandOutInput & { readonly body: string },
): HandOutOutput {
  const key = `hand:${request}:${attempt}`
  const contract = returns === null ? {} : { returns }
  const sent = lead.send({ to: agentId(worker, team.name), kind: 'task', body, request, key, ...contract })
  if (!sent.ok) throw new Error(sent.error)
  return { mail_id: sent.envelope.id }
}

/** The worker of the request works on another one, which must not be interrupted. */
function waitsThere({ tasks }: Reports, { request, worker }: RecallInput): boolean {
  return tasks.get(worker)?.waiting.some(({ envelope }) => envelope.request === request) ?? false
}

interface UrgentRecall extends RecallInput {
  readonly priority: MailPriority
}

/**
 * Withdraws a task that no request waits for: an unread one is taken out of the box, and of a read one the worker is
 * told.
 */
async function callOff(
  { team, run }: Pick<RunContext, 'team' | 'run'>,
  options: CoordinationOptions,
  recall: UrgentRecall,
): Promise<void> {
  const { request, worker, reason, priority } = recall
  const unread = withdrawTasks(run.mail, { sender: team.coordinator, to: worker, requests: [request] })
  options.record(unread)
  if (unread.length > 0) return
  const mail = { to: agentId(worker, team.name), kind: 'control', priority, body: reason } as const
  const lead = await options.lead()
  const sent = lead.send({ ...mail, request, key: `recall:${request}:${worker}` })
  if (!sent.ok) throw new Error(sent.error)
}

/** News about its requests that the lead is told when it next takes in mail. */
interface Briefing {
  /** A gather has settled. */
  settled(why: GatherWhy): void
  /** Notes that the lead asked for another round. */
  plansAgain(): void
  /** Notes texts that an earlier life of the lead was told: none of their results is told twice. */
  heard(texts: readonly string[]): void
  /** True while news waits to be told. */
  waits(): boolean
  /** Takes the news, once; null when there is none. */
  take(): string | null
}

interface BriefingOptions {
  readonly partition: 'enforced' | 'relaxed'
  /** The requests of the present round. */
  round(): readonly NotedRequest[]
  evidence(request: string): string | undefined
}

/**
 * Keeps what happened to the lead's requests until it is looked at, so that results which land together are told together,
 * once, and as they stand then.
 */
function leadBriefing({ partition, round, evidence }: BriefingOptions): Briefing {
  let why: GatherWhy | null = null
  let again = false
  let earlier: ReadonlySet<string> = new Set()
  const pending = (): string | null => {
    if (again) return planAgainText
    if (why === null) return null
    const requests = round().map((request) => ({ ...request, evidence: evidence(request.request) }))
    const note = gatherNote(why, requests, partition)
    return earlier.has(note) ? null : note
  }
  return {
    settled: (settledWhy) => void (why = settledWhy),
    plansAgain: () => void (again = true),
    heard: (texts) => void (earlier = new Set(texts)),
    waits: () => pending() !== null,
    take() {
      const text = pending()
      why = null
      again = false
      return text
    },
  }
}
