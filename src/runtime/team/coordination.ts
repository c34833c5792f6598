import { fromPromise, type AnyActorRef } from 'xstate'
import {
  holdsLead,
  placeNow,
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
import type { MailDraft, MailPriority } from '../../protocol/mail/envelope.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { Restriction } from '../../protocol/permissions/restriction.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import { agentId } from '../../protocol/words/ids.ts'
import type { HandOutInput, HandOutOutput, RecallInput } from '../../protocol/port.ts'
import { memoryToolsOf } from '../../rules/memory/memory-plan.ts'
import { mayDelegate, roundsOf, toolAbsence, type CoordinatorPlace } from '../../rules/team/coordinator-tools.ts'
import { chooseReplica, handOutKey, type Replica } from '../../rules/team/delegation-plan.ts'
import { openLines, requestsOpen, type Allowed } from '../../rules/team/gather-note.ts'
import { budgetLeft } from '../../rules/team/call-budget.ts'
import { longestResult, withContract, withResults } from '../../rules/team/task-text.ts'
import type { AskedBefore, RequestLookup } from '../reach/team-port.ts'
import type { LeadTurn } from '../member/member-deps.ts'
import { spawnRoot, tell, whenOver } from '../actors/spawn.ts'
import type { LocalMember } from '../member/start-member.ts'
import type { Budgets } from '../budget/budgets.ts'
import type { RunContext } from '../context/run-context.ts'
import { turnToolSets } from '../agent/turn-tools.ts'
import { boundRequests } from './bound-requests.ts'
import { watchWaits, type WaitWatch } from './watch-waits.ts'
import { comingResults, leadBriefing, messagesOnly, type Briefing } from './lead-briefing.ts'

/** The coordinator machine of one run, with the questions that the lead's dependencies ask it. */
export interface Coordination extends RequestLookup {
  send(event: CoordinatorEvent): void
  readonly leadTurn: LeadTurn
  readonly briefing: Briefing
  /** Ids of requests without a result, of one worker or of all. */
  open(worker?: string): readonly string[]
  /** Ids of requests for one worker that were not handed to it yet. */
  held(worker: string): readonly string[]
  /** How many requests there are in all. */
  total(): number
  /** A request may be opened: in this round, or in one more. */
  mayDelegate(): boolean
}

/** Callbacks of the coordinator; `lead` is asked for only when mail is to be sent in the lead's name. */
interface CoordinationOptions {
  record(facts: readonly Fact[]): void
  crashed(error: unknown): void
  lead(): Promise<LocalMember>
  /** The coordinator's state at the end of an earlier leader. */
  readonly earlier?: CoordinatorInput['earlier'] | null
}

/** Starts the coordinator as a root actor. */
export function startCoordination(context: RunContext, options: CoordinationOptions): Coordination {
  const reports = emptyReports()
  const results = comingResults(context.team.coordinator, () => {
    if (briefing.waits()) void options.lead().then(({ wake }) => wake(), noLead)
  })
  const [told, asked] = [messagesOnly(context.team.coordinator), subtasks(context)]
  const actor = startMachine(context, options, reports)
  const waits = waitsOf(context, options, actor)
  const state = () => actor.getSnapshot()
  const sets = turnToolSets((name) => absenceOf(context, placeNow(state()), name), context.tools)
  const { disclosure, remembering } = leadTools(context.team)
  const book = () => Object.values(state().context.book)
  const briefing = leadBriefing({
    results,
    waitsFor: waits.of,
    present: () => state().context.round,
    since: (first) => book().filter(({ round }) => round >= first),
    evidence: (request) => evidenceOf(reports, request),
    left: () => allowedNow(context, placeNow(state())),
  })
  follow(context, [into(applyReports, reports), results.hear, told.hear])
  const open = (worker?: string) => requestsOpen(book(), worker)
  return {
    send: (event) => tell(actor, event),
    leadTurn: {
      hold: (askers) => (holdsLead(state()) || results.areComing()) && !told.only() && !waitsForLead(book(), askers),
      turnTools: (loaded, foreign) => sets([...toolsNow(state()), ...remembering], loaded, { foreign, disclosure }),
      brief: briefing.take,
      news: briefing.waits,
      awaits: () => open().length > 0 || results.areComing(),
      standing: () => openLines(book()),
      leads: true,
    },
    briefing,
    open,
    mayDelegate: () => mayDelegate(placeNow(state()) ?? nowhere),
    askedAs: (key) => asked.get(key),
    ...readBook(context, () => state().context),
  }
}

/** The waits of the run, until the coordinator is at its end. */
function waitsOf(context: RunContext, { record, lead }: CoordinationOptions, actor: AnyActorRef): WaitWatch {
  const send = (mail: MailDraft): void => void lead().then((member) => member.send(mail), noLead)
  const waits = watchWaits(context, { record, send })
  whenOver(actor, waits.end)
  return waits
}

/** The memory tools of the coordinator, and its card's word on tools that are shown late. */
function leadTools({ members }: Pick<RunContext['team'], 'members'>) {
  const disclosure = members.find(({ role }) => role === 'coordinator')
  return { disclosure, remembering: disclosure ? memoryToolsOf(disclosure) : [] }
}

/** A run without its lead ends: nobody is left to tell. */
const noLead = (): void => undefined

const nowhere: CoordinatorPlace = { state: 'answered', rounds: 0 }

/** Has each of them hear what happened, and what happens from now on. */
function follow(
  { earlier, facts }: Pick<RunContext, 'earlier' | 'facts'>,
  hearers: readonly ((recorded: Recorded) => void)[],
): void {
  const hear = (recorded: Recorded): void => hearers.forEach((each) => each(recorded))
  for (const recorded of earlier.recorded) hear(recorded)
  facts.subscribe(hear)
}

/** The requests that the lead may still make. */
function allowedNow({ team, budgets }: Pick<RunContext, 'team' | 'budgets'>, place: CoordinatorPlace | null): Allowed {
  return { rounds: place?.rounds ?? 0, of: roundsOf(team.gather), budget: budgetLeft(budgets.left()) }
}

/** Questions of delegation to the book of requests. */
function readBook(
  context: RunContext,
  coordinator: () => CoordinatorContext,
): Pick<Coordination, Exclude<keyof RequestLookup, 'askedAs'> | 'total' | 'held'> {
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
    held: (worker) => book().flatMap((each) => (each.held && each.worker === worker ? [each.request] : [])),
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
  follow({ earlier, facts }, [note])
  return asked
}

/** Whether no result comes any more without a word of the lead. */
function waitsForLead(book: readonly BookedRequest[], askers: readonly string[]): boolean {
  const begun = book.filter(({ status, held }) => status === 'open' && !held)
  return askers.length > 0 && begun.every(({ worker }) => askers.includes(worker))
}

function absenceOf(context: Pick<RunContext, 'team'>, place: CoordinatorPlace | null, tool: string): string | null {
  return place && toolAbsence(place, tool, holdersOf(context, tool))
}

/** The workers that hold a tool. */
function holdersOf({ team }: Pick<RunContext, 'team'>, tool: string): readonly string[] {
  return team.members.flatMap(({ name, role, tools }) => (role === 'worker' && tools.includes(tool) ? [name] : []))
}

function workersOf({ team }: Pick<RunContext, 'team'>): readonly Replica[] {
  return team.members.flatMap(({ name, card, role }) => (role === 'worker' ? [{ name, card }] : []))
}

/** The input of the coordinator's machine. */
export function coordinatorInput(
  { team, budgets }: Pick<RunContext, 'team'> & { readonly budgets: Pick<Budgets, 'reportsAt'> },
  earlier?: CoordinatorInput['earlier'] | null,
): CoordinatorInput {
  const card = team.members.find(({ name }) => name === team.coordinator)
  return {
    lead: team.coordinator,
    policy: team.gather,
    partition: team.partition,
    domain: card?.tools ?? [],
    workers: workersOf({ team }),
    board: team.tasks !== undefined,
    advised: card?.advisor !== undefined,
    closes: budgets.reportsAt,
    ...(team.limits?.concurrency === undefined ? {} : { concurrency: team.limits.concurrency }),
    ...(earlier ? { earlier } : {}),
  }
}

function startMachine(context: RunContext, options: CoordinationOptions, reports: Reports) {
  const bound = boundRequests(context.team.coordinator)
  follow(context, [bound.hear])
  const { clock } = context
  const input = coordinatorInput(context, options.earlier)
  const machine = coordinatorMachine.provide({
    actors: {
      handOut: fromPromise<HandOutOutput, HandOutInput>(async ({ input: again }) =>
        handOut(context, await options.lead(), {
          ...withBody(again, reports),
          restrictions: bound.of(again.request),
        }),
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

interface HandedOut extends HandOutInput {
  readonly body: string
  readonly restrictions: readonly Restriction[]
}

function handOut(
  { team }: Pick<RunContext, 'team'>,
  lead: LocalMember,
  { request, worker, body, attempt, returns, restrictions }: HandedOut,
): HandOutOutput {
  const key = handOutKey(request, attempt)
  const contract = returns === null ? {} : { returns }
  const to = agentId(worker, team.name)
  const sent = lead.send({ to, kind: 'task', body, request, key, restrictions: [...restrictions], ...contract })
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
  options.record(unread.map(({ fact }) => fact))
  if (unread.length > 0) return
  const mail = { to: agentId(worker, team.name), kind: 'control', priority, body: reason } as const
  const lead = await options.lead()
  const sent = lead.send({ ...mail, request, key: `recall:${request}:${worker}` })
  if (!sent.ok) throw new Error(sent.error)
}
