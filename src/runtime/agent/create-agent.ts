import { join } from 'node:path'
import type { agentMachine } from '../../../machines/agent/agent.ts'
import { recallFiles } from '../../adapters/tools/files/recall-files.ts'
import { endJobs } from '../../adapters/tools/shell/member-jobs.ts'
import { memoryJournal, openJournal } from '../../adapters/sessions/journal.ts'
import type { AgentEvent, TerminalReason } from '../../protocol/conversation/agent-event.ts'
import type { Entry } from '../../protocol/facts/entry.ts'
import type { Failure } from '../../protocol/conversation/failure.ts'
import { userMessage, type Usage } from '../../protocol/conversation/message.ts'
import { applyAdvice, noAdvice, type AdviceCount } from '../../projections/member/advice-count.ts'
import { applyLoadedTools, type LoadedTools } from '../../projections/member/loaded-tools.ts'
import { applyPause, noPause } from '../../projections/member/pause.ts'
import { applyPlanning, emptyPlanning, type Planning } from '../../projections/member/plan-state.ts'
import { applySeenFiles, type SeenFiles } from '../../projections/member/seen-files.ts'
import type { AgentOutput } from '../../protocol/port.ts'
import { appendEntry, emptyConversation, lastText } from '../../rules/conversation/context-window.ts'
import { eventFold, mergeDeltas, type EventFold } from './agent-events.ts'
import { freezeOptions, type AgentOptions, type FrozenOptions } from './agent-options.ts'
import { loneDeps } from './lone-deps.ts'
import { openLedger, type Ledger } from '../journals/ledger.ts'
import { bindAgent, providedAgent } from './agent-ports.ts'
import { openAnswering, type Answering } from './lone-recovery.ts'
import { spawnRoot, tell, whenOver } from '../actors/spawn.ts'
import { stream } from '../actors/stream.ts'

/** How one run of an agent ended. */
export interface AgentResult {
  readonly text: string
  readonly reason: TerminalReason
  readonly turns: number
  readonly usage: Usage
  readonly failure?: Failure
}

/** One run: iterate it for events, or await `result`. Leaving the iteration early aborts the run. */
export interface AgentRun extends AsyncIterable<AgentEvent> {
  readonly result: Promise<AgentResult>
  /** Speaks before the next model call. */
  steer(text: string): void
  /** Speaks when the agent would stop. */
  followUp(text: string): void
  abort(): void
}

/** An agent with one conversation; a run waits for the one before it. */
export interface Agent {
  run(prompt: string, options?: { readonly signal?: AbortSignal }): AgentRun
  /** Closes the journal; call it when no run is going on. */
  close(): void
}

/**
 * Makes an agent outside of any team.
 *
 * @throws through `result`: `ModelUnavailable` when the model cannot be opened
 * @example
 * const agent = createAgent({ model: 'scripted/answers.yaml' })
 * for await (const event of agent.run('Find the bug.')) if (event.type === 'text.delta') print(event.text)
 * const { text, reason } = await agent.run('And fix it.').result
 */
export function createAgent(options: AgentOptions): Agent {
  const session = openSession(freezeOptions(options))
  let previous: Promise<unknown> = Promise.resolve()
  return {
    run(prompt, { signal } = {}) {
      const run = startRun(session, prompt, previous)
      if (signal?.aborted) run.abort()
      signal?.addEventListener('abort', run.abort, { once: true })
      previous = run.result.catch(() => undefined)
      return run
    },
    close() {
      session.ledger.close()
      void endJobs(session.memory)
    },
  }
}

/** What outlives a run: the conversation, its journal, the model and the guards of the session. */
interface Session {
  readonly options: FrozenOptions
  readonly ledger: Ledger
  readonly conversation: ReturnType<typeof emptyConversation>
  readonly memory: Map<string, unknown>
  readonly planning: Planning
  /** Of the run that is going on. */
  readonly advice: AdviceCount
  readonly loaded: LoadedTools
  readonly answering: Promise<Answering>
  /** Of the run that is going on. */
  listener: EventFold | null
  compactedReactively: boolean
}

function openSession(options: FrozenOptions): Session {
  const { name, clock, cwd, home, runDir } = options
  const { conversation, pause, planning, advice, seen, loaded, folds } = emptyStory()
  const { journal, entries } =
    runDir === null
      ? { journal: memoryJournal(name, clock.now), entries: [] }
      : openJournal(join(runDir, `${name}.jsonl`), name, clock.now)
  const publish = ({ entry }: { entry: Entry }): void => session.listener?.fact(entry)
  const ledger = openLedger({ owner: name, log: journal, earlier: entries, folds, publish })
  const answering = openAnswering(options, { pause, note: (fact) => ledger.record([fact]) })
  const memory = new Map<string, unknown>()
  recallFiles({ cwd, home, memory }, conversation.messages, seen)
  answering.catch(() => undefined)
  const session: Session = {
    options,
    ledger,
    conversation,
    memory,
    planning,
    advice,
    loaded,
    answering,
    listener: null,
    compactedReactively: false,
  }
  return session
}

/** What the journal says of the agent, before its first line. */
function emptyStory() {
  const conversation = emptyConversation()
  const pause = noPause()
  const planning = emptyPlanning()
  const advice = noAdvice()
  const seen: SeenFiles = new Map()
  const loaded: LoadedTools = new Set()
  const folds = [
    (entry: Entry): void => appendEntry(conversation, entry),
    (entry: Entry): void => applyPause(pause, entry),
    (entry: Entry): void => applyPlanning(planning, entry),
    (entry: Entry): void => applyAdvice(advice, entry),
    (entry: Entry): void => applySeenFiles(seen, entry),
    (entry: Entry): void => applyLoadedTools(loaded, entry),
  ]
  return { conversation, pause, planning, advice, seen, loaded, folds }
}

function startRun(session: Session, prompt: string, previous: Promise<unknown>): AgentRun {
  const { now } = session.options.clock
  const events = stream<AgentEvent>({ merge: mergeDeltas, onReturn: () => abort() })
  const waiting: Command[] = []
  let send = (command: Command): void => void waiting.push(command)
  const abort = (): void => send({ type: 'abort', at: now() })
  const perform = async (): Promise<AgentResult> => {
    await previous
    const fold = eventFold(events.push)
    const answering = await session.answering
    session.listener = fold
    const going = startAgent(session, answering, prompt)
    send = going.send
    for (const command of waiting) send(command)
    const { reason, turn, failure, compactedReactively } = await going.ended
    session.compactedReactively = compactedReactively
    const text = lastText(session.conversation) ?? ''
    return { text, reason, turns: turn, usage: fold.usage(), ...(failure ? { failure } : {}) }
  }
  const result = perform().finally(events.end)
  result.catch(() => undefined)
  return {
    result,
    steer: (text) => send({ type: 'steer', message: userMessage(text), at: now() }),
    followUp: (text) => send({ type: 'follow_up', message: userMessage(text), at: now() }),
    abort,
    [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
  }
}

/** How often it may ask counts anew in each run, like the limits of tools. */
function advisedRun({ options, advice: count }: Session, { advisor, modelAccess }: Answering, prompt: string) {
  if (advisor === null) return null
  count.used = 0
  return { ...advisor, agent: options.name, prompt, count, consult: modelAccess.consult }
}

type Command = Parameters<ReturnType<typeof startAgent>['send']>[0]

function startAgent(session: Session, answering: Answering, prompt: string) {
  const { options, ledger, conversation, compactedReactively } = session
  const { name, clock, maxTurns, maxParallelCalls, turnOutput, tokenGoal, verify, escalate } = options
  const ended = Promise.withResolvers<AgentOutput>()
  const world = loneDeps(options, {
    modelAccess: answering.modelAccess,
    advised: advisedRun(session, answering, prompt),
    conversation,
    memory: session.memory,
    planning: session.planning,
    loaded: session.loaded,
    note: (fact) => ledger.record([fact]),
    delta: (delta) => session.listener?.delta(delta),
  })
  const input = {
    agent: name,
    model: answering.model,
    prompt: userMessage(prompt),
    limits: {
      max_turns: maxTurns,
      parallel_calls: maxParallelCalls,
      ...(turnOutput === undefined ? {} : { turn_output: turnOutput }),
      ...(tokenGoal === undefined ? {} : { token_goal: tokenGoal }),
    },
    ...(verify === null ? {} : { verify }),
    ...(escalate === null ? {} : { escalate }),
    hooked: false,
    compactedReactively,
  }
  const actor = spawnRoot<typeof agentMachine>(providedAgent, input, {
    bind: (root) => bindAgent(root, world),
    id: name,
    clock,
    record: ledger.record,
    crashed: ended.reject,
  })
  whenOver(actor, () => ended.resolve(actor.getSnapshot().output as AgentOutput))
  return { send: (command: Parameters<typeof actor.send>[0]) => tell(actor, command), ended: ended.promise }
}
