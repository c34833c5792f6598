import { fromPromise, type Actor } from 'xstate'
import {
  connectionMachine,
  connectionState,
  type OpenInput,
  type OpenOutcome,
} from '../../../machines/mcp/connection.ts'
import type { ServerConnection } from '../../adapters/mcp/client/connect.ts'
import type { ServerView } from '../../protocol/mcp/broker-message.ts'
import type { FactOf } from '../../protocol/facts/fact.ts'
import type { McpAnswer, McpAsk, McpQuestion, McpReply, McpState } from '../../protocol/mcp/listing.ts'
import type { AskOptions } from '../../adapters/mcp/client/ask-server.ts'
import { openBell, type Bell } from './bell.ts'
import { perSystem, spawnRoot, tell } from '../actors/spawn.ts'
import type { Clock } from '../actors/clock.ts'
import type { openServer } from './open-port.ts'

/** One running server, shared by all members that may use it from the same place. */
export interface ServerInstance {
  view(): Pick<ServerView, 'name' | 'state' | 'reason' | 'listing'>
  ask(asked: McpAsk, options: AskInstance): Promise<McpAnswer>
  close(): Promise<void>
}

export interface AskInstance extends AskOptions {
  question(question: McpQuestion, signal: AbortSignal): Promise<McpReply>
}

interface InstanceOptions {
  readonly name: string
  readonly clock: Clock
  readonly disabled: boolean
  readonly open: (
    hearer: Pick<Parameters<typeof openServer>[0], Hearers>,
    signal: AbortSignal,
  ) => ReturnType<typeof openServer>
  /** The state of the server, or its offer, is another one. */
  changed(fact: FactOf<'mcp.changed'>): void
  crashed(error: unknown): void
}

type Hearers = 'changed' | 'closed' | 'unauthorized' | 'question'

type Open = (signal: AbortSignal) => Promise<OpenOutcome>

const openers = perSystem<{ readonly open: Open }>()

const providedConnection = connectionMachine.provide({
  actors: {
    open: fromPromise<OpenOutcome, OpenInput>(({ system, signal }) => openers.of(system).open(signal)),
  },
})

type Root = Actor<typeof providedConnection>

/** One server, its machine, and the connection that goes with its state. */
interface Serving {
  readonly options: InstanceOptions
  readonly asking: Set<AskInstance>
  readonly bell: Bell
  connection: ServerConnection | null
  closed: boolean
}

/** Starts the machine of one server, and keeps the connection that goes with its state. */
export function startInstance(options: InstanceOptions): ServerInstance {
  const { name } = options
  const serving: Serving = { options, asking: new Set(), bell: openBell(), connection: null, closed: false }
  const root = startMachine(serving)
  const state = (): McpState => connectionState(root.getSnapshot())
  return {
    view() {
      const { listing, reason } = root.getSnapshot().context
      return { name, state: state(), reason, listing }
    },
    async ask(asked, how) {
      if (state() !== 'connected') tell(root, { type: 'wanted' })
      // One attempt is waited for; the pauses between attempts are not a caller's.
      while (root.getSnapshot().matches({ pending: 'opening' }) && !how.signal.aborted)
        await serving.bell.rung(how.signal)
      const { connection, asking } = serving
      if (connection === null || state() !== 'connected') return unavailable(root, state())
      asking.add(how)
      try {
        return await connection.ask(asked, how)
      } finally {
        asking.delete(how)
      }
    },
    async close() {
      serving.closed = true
      root.stop()
      serving.bell.ring()
      await serving.connection?.close()
    },
  }
}

function startMachine(serving: Serving): Root {
  const { options, bell } = serving
  const root: Root = spawnRoot(
    providedConnection,
    { server: options.name, disabled: options.disabled },
    {
      id: `mcp:${options.name}`,
      clock: options.clock,
      bind: (actor) =>
        openers.bind(actor, {
          open: (signal) =>
            open(
              serving,
              hearersOf(serving, () => root),
              signal,
            ),
        }),
      // The machine's first word comes while it is being made.
      record: (facts) =>
        queueMicrotask(() => {
          for (const fact of facts) if (fact.type === 'mcp.changed' && !serving.closed) options.changed(fact)
          bell.ring()
        }),
      crashed: options.crashed,
    },
  )
  return root
}

function hearersOf(serving: Serving, root: () => Root): Pick<Parameters<typeof openServer>[0], Hearers> {
  const drop = (): void => {
    void serving.connection?.close()
    serving.connection = null
  }
  return {
    changed: (listing) => tell(root(), { type: 'listed', listing }),
    closed(reason) {
      drop()
      tell(root(), { type: 'closed', reason })
    },
    unauthorized(reason) {
      drop()
      tell(root(), { type: 'unauthorized', reason })
    },
    question: (question, signal) => askTheOne(serving.asking, question, signal),
  }
}

/** Opens the connection, unless nobody waits for it any more. */
async function open(
  serving: Serving,
  hearers: ReturnType<typeof hearersOf>,
  signal: AbortSignal,
): Promise<OpenOutcome> {
  const { outcome, connection } = await serving.options.open(hearers, signal)
  if (signal.aborted || serving.closed) await connection?.close()
  else serving.connection = connection
  return outcome
}

function unavailable(root: Root, state: McpState): McpAnswer {
  const { reason } = root.getSnapshot().context
  return {
    trouble: `it is not connected (${state})${reason === '' ? '' : `: ${reason}`}`,
    transient: state === 'pending',
  }
}

/** A server that asks while several calls are in flight may mean any of them: it is told so. */
async function askTheOne(
  asking: ReadonlySet<AskInstance>,
  question: McpQuestion,
  signal: AbortSignal,
): Promise<McpReply> {
  const [one, ...others] = asking
  if (!one) return { refusal: 'nobody has called you, so there is nobody to ask' }
  if (others.length > 0)
    return { refusal: 'several calls are in flight, so nobody knows which of them the question belongs to' }
  return one.question(question, signal)
}
