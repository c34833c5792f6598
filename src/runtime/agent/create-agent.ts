import { join } from 'node:path'
import type { agentMachine } from '../../../machines/agent/agent.ts'
import type { AgentInput } from '../../../machines/agent/agent-state.ts'
import { endJobs } from '../../adapters/tools/shell/member-jobs.ts'
import { memoryJournal, openJournal } from '../../adapters/sessions/journal.ts'
import type { AgentEvent } from '../../protocol/facts/run-event.ts'
import type { TerminalReason } from '../../protocol/conversation/agent-event.ts'
import type { Failure } from '../../protocol/conversation/failure.ts'
import { userMessage, type Attachment, type Usage, type UserMessage } from '../../protocol/conversation/message.ts'
import type { Middleware } from '../../protocol/middleware.ts'
import type { Tool } from '../../protocol/tools/tool.ts'
import type { Contract } from '../../protocol/mail/envelope.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { AgentOutput } from '../../protocol/port.ts'
import { withContract } from '../../rules/team/task-text.ts'
import { lastText, unansweredCalls } from '../../rules/conversation/context-window.ts'
import { spawnRoot, tell, whenOver } from '../actors/spawn.ts'
import { stream } from '../actors/stream.ts'
import { journalWarnings } from '../journals/ledger.ts'
import { eventFold, slowReader, type EventFold } from './agent-events.ts'
import type { AgentDeps, TurnTools } from './agent-deps.ts'
import { freezeOptions, type AgentOptions, type FrozenOptions } from './agent-options.ts'
import { agentSessions } from './agent-session.ts'
import { isOrderly, runPart, type PartAgent } from '../reach/run-part.ts'
import { bindAgent, providedAgent, settleAgent } from './agent-ports.ts'
import { bookOf, inputOf } from './compose-agent.ts'
import { agentFold, openAgentStore, type AgentStore } from './agent-store.ts'
import { openMiddleware, withMiddleware, type RunMiddleware } from '../middleware/run-middleware.ts'
import { contractOf, valueIn, type AnswerSchema } from './keep-shape.ts'
import { openLoneAgent, type LoneAgent } from './lone-agent.ts'
import { lastPrompt, leftWork, noteUnchecked, settleCalls, type LeftWork } from './take-up-work.ts'

/** How one run of an agent ended. */
export interface AgentResult {
  readonly text: string
  readonly reason: TerminalReason
  readonly turns: number
  readonly usage: Usage
  readonly failure?: Failure
  /** The answer of a run with a `schema`, which it keeps. */
  readonly value?: unknown
}

/** One run: iterate it for events, or await `result`. Leaving the iteration early aborts the run. */
export interface AgentRun extends AsyncIterable<AgentEvent> {
  readonly result: Promise<AgentResult>
  /** Speaks before the next model call; calls that have not begun are skipped for it. */
  steer(text: string): void
  /** Speaks at once: the model call or the calls that can be cancelled are given up for it, too. */
  interrupt(text: string): void
  /** Speaks when the agent would stop. */
  followUp(text: string): void
  abort(): void
}

interface RunOptions {
  readonly signal?: AbortSignal
  /** Code around the work of this run, outside of that of the agent; the first is the outermost. */
  readonly middleware?: readonly Middleware[]
  /**
   * The shape of the answer, as JSON Schema or as a schema of zod. An answer that does not have it is asked for once more;
   * the second time the run fails with `broken_shape`. The answer is in `value`.
   */
  readonly schema?: AnswerSchema
  /** Images and documents that come with the prompt; `readAttachments` makes them of files. */
  readonly attachments?: readonly Attachment[]
}

/** An agent with one conversation; a run waits for the one before it. */
export interface Agent {
  run(prompt: string, options?: RunOptions): AgentRun
  /** Opens models, tools and skills before the first run, which otherwise does so; once, however often it is called. */
  warmup(): Promise<void>
  /** Goes on with the run that the death of an earlier process cut short; null where its journal tells of none. */
  resume(options?: RunOptions): AgentRun | null
  /** Closes the journal; call it when no run is going on. */
  close(): void
}

/**
 * Makes an agent outside of any team. With a `runDir` that holds its journal it goes on where that ends.
 *
 * @throws Error at once where a sandbox is asked for and commands run elsewhere; through `result` and `warmup`: `ModelUnavailable`
 * when the model cannot be opened
 * @example
 * const agent = createAgent({ model: 'scripted/answers.yaml' })
 * for await (const event of agent.run('Find the bug.')) if (event.type === 'text.delta') print(event.text)
 * const { text, reason } = await agent.run('And fix it.').result
 */
export function createAgent(options: AgentOptions): Agent {
  return agentWith(freezeOptions(options))
}

/** The same with options that were resolved already. */
export function agentWith(options: FrozenOptions): Agent & PartAgent {
  const session = openSession(options)
  let previous: Promise<unknown> = Promise.resolve()
  const begin = (
    prompt: string | null,
    { signal, schema, attachments = [], middleware = [] }: RunOptions = {},
  ): AgentRun => {
    const { left } = session
    session.left = null
    const run = startRun(session, { prompt, left, schema: schema ?? null, attachments, middleware }, previous)
    if (signal?.aborted) run.abort()
    signal?.addEventListener('abort', run.abort, { once: true })
    previous = run.result.catch(() => undefined)
    return run
  }
  return {
    run: begin,
    warmup: async () => void (await agentOf(session)),
    answered: () => (isOrderly(session.store.work.end) ? lastText(session.store.conversation) : null),
    resume: (more) => (session.left === null ? null : begin(null, more)),
    close() {
      session.store.ledger.close()
      void endJobs(session.store.memory)
      void session.agent?.then(({ deps }) => deps.hooks?.close()).catch(() => undefined)
    },
  }
}

/** The part of an agent that outlives a run. */
interface Session {
  readonly options: FrozenOptions
  readonly store: AgentStore
  /** Opened for the first run. */
  agent: Promise<LoneAgent> | null
  /** The work that an earlier process left; null as soon as a run was asked for. */
  left: LeftWork | null
  /** Hears the run that is going on. */
  listener: EventFold | null
  /** Resolves when its reader is not too far behind. */
  room: () => Promise<void>
  /** The latest prompt of this session. */
  prompt: string | null
  /** The shape that the answer of the run which is going on must have. */
  contract: Contract | null
  /** The code around the run which is going on. */
  around: readonly Middleware[]
  /** The tools that middleware gave the run which is going on. */
  tools: readonly Tool[]
}

function openSession(options: FrozenOptions): Session {
  const { card, clock } = options
  const { name } = card
  const file = options.runDir === null ? null : join(options.runDir, `${name}.jsonl`)
  const of = { owner: name, now: clock.now, fold: agentFold('run') }
  const { journal, state, problems } = file === null ? memoryJournal(of) : openJournal(file, of)
  const publish = ({ entry }: Recorded): void => session.listener?.fact(entry)
  const store = openAgentStore({ owner: name, log: journal, past: state, publish })
  const left = leftWork(store.work, store.conversation, card.verify !== undefined)
  const session: Session = {
    options,
    store,
    agent: null,
    left,
    listener: null,
    room: () => Promise.resolve(),
    prompt: null,
    contract: null,
    around: [],
    tools: [],
  }
  store.ledger.record(journalWarnings(name, problems))
  return session
}

/** An agent that could not be opened is opened anew when it is asked for again. */
function agentOf(session: Session): Promise<LoneAgent> {
  session.agent ??= openLoneAgent(session.options, session.store, {
    task: () => session.prompt,
    contract: () => session.contract,
    delta: (delta) => session.listener?.delta(delta),
    room: () => session.room(),
    runAgent: createAgent,
    runPart: (own, part) =>
      runPart(agentWith(own), part, { around: session.around, hear: (event) => session.listener?.child(event) }),
    child: (event) => session.listener?.child(event),
    more: () => [...session.tools, ...session.options.refreshTools()],
  }).catch((error: unknown) => {
    session.agent = null
    throw error
  })
  return session.agent
}

interface Work {
  /** Null to go on with the work that is left. */
  readonly prompt: string | null
  readonly left: LeftWork | null
  readonly schema: AnswerSchema | null
  readonly attachments: readonly Attachment[]
  readonly middleware: readonly Middleware[]
}

function startRun(session: Session, work: Work, previous: Promise<unknown>): AgentRun {
  const { now } = session.options.clock
  const events = stream({ ...slowReader, onReturn: () => abort() })
  const waiting: Command[] = []
  const leave = new AbortController()
  let send = (command: Command): void => void waiting.push(command)
  const abort = (): void => {
    leave.abort()
    send({ type: 'abort', at: now() })
  }
  const perform = async (): Promise<AgentResult> => {
    await previous
    const { conversation } = session.store
    const left = unansweredCalls(conversation)
    const fold = (session.listener = eventFold(events.push, { agent: session.options.card.name, now, left }))
    session.room = events.room
    const contract = (session.contract = work.schema === null ? null : await contractOf(work.schema))
    const going = startAgent(session, await readyAgent(session, work, leave.signal), await middlewareOf(session, work))
    send = going.send
    for (const command of waiting) send(command)
    const { reason, turn, failure } = await going.ended
    const text = await going.settle(leave.signal.aborted, work.prompt === null ? null : fold.text)
    const ending = failure ? { failure } : contract && (await valueIn(contract, text))
    return { text, reason, turns: turn, usage: fold.usage(), ...ending }
  }
  const steer = (text: string): void => send({ type: 'steer', message: userMessage(text), at: now() })
  const result = perform().finally(events.end)
  result.catch(() => undefined)
  return {
    result,
    steer,
    interrupt(text) {
      steer(text)
      send({ type: 'interrupt', at: now() })
    },
    followUp: (text) => send({ type: 'follow_up', message: userMessage(text), at: now() }),
    abort,
    [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
  }
}

/** The middleware of a run around that of its agent, and the tools that they bring. */
async function middlewareOf(session: Session, { middleware, prompt }: Work): Promise<RunMiddleware> {
  const { card, middleware: own } = session.options
  const opened = await openMiddleware([...middleware, ...own], { agent: card.name, prompt: prompt ?? '' })
  session.tools = opened.tools
  session.around = middleware
  return opened
}

/** An agent and the beginning of its run: a prompt, or the model that has the work which is left. */
interface Ready extends LoneAgent {
  readonly prompt?: UserMessage
  readonly escalated?: string
}

/** Opens the agent. Calls that an earlier process left open are settled before anything is said. */
async function readyAgent(session: Session, { prompt, left, attachments }: Work, leaving: AbortSignal): Promise<Ready> {
  const { options, store } = session
  session.prompt = prompt ?? lastPrompt(store)
  const agent = await agentOf(session)
  if (left !== null) {
    const { clock, card } = options
    await settleCalls({ store, deps: agent.deps, clock, verifies: card.verify !== undefined, repeats: true, leaving })
  }
  if (prompt !== null)
    return { ...agent, prompt: userMessage(withContract(prompt, session.contract), 'person', attachments) }
  noteUnchecked(store, left)
  return { ...agent, ...(left?.escalated === undefined ? {} : { escalated: left.escalated }) }
}

type Command = Parameters<ReturnType<typeof startAgent>['send']>[0]

function startAgent({ options, store, contract }: Session, { deps, serve, ...work }: Ready, around: RunMiddleware) {
  const { card, clock, maxParallelCalls } = options
  const ended = Promise.withResolvers<AgentOutput>()
  const { limits, ...own } = inputOf(card)
  const input: AgentInput = {
    ...own,
    ...work,
    agent: card.name,
    limits: { ...limits, parallel_calls: maxParallelCalls },
    hooked: contract !== null || around.middleware !== null || (deps.hooks ?? null) !== null,
  }
  const whole = withMiddleware<TurnTools, AgentDeps>({ ...deps, book: bookOf(card, store) }, around)
  serve(whole)
  const actor = spawnRoot<typeof agentMachine>(providedAgent, input, {
    bind: (root) => bindAgent(root, whole),
    id: card.name,
    clock,
    record: store.ledger.record,
    crashed: ended.reject,
  })
  const settle = async (left: boolean, said: (() => string) | null): Promise<string> => {
    await settleAgent(agentSessions.of(actor.system), left)
    const { reason } = await ended.promise
    const text = said === null ? lastText(store.conversation) : said()
    await around.middleware?.end({ agent: card.name, reason, text })
    return text
  }
  whenOver(actor, () => ended.resolve(actor.getSnapshot().output as AgentOutput))
  return { send: (command: Parameters<typeof actor.send>[0]) => tell(actor, command), ended: ended.promise, settle }
}
