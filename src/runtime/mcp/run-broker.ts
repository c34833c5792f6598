import { isDeepStrictEqual } from 'node:util'
import { openBrokerSocket, type Guest } from '../../adapters/mcp/broker/broker-socket.ts'
import { markVariable } from '../../adapters/process/end-process.ts'
import type {
  BrokerChange,
  BrokerNews,
  BrokerOrders,
  BrokerServer,
  MemberLine,
  ServerView,
} from '../../protocol/mcp/broker-message.ts'
import type { McpQuestion, McpReply } from '../../protocol/mcp/listing.ts'
import { systemClock } from '../actors/clock.ts'
import { openServer } from './open-port.ts'
import { startInstance, type ServerInstance } from './server-instance.ts'
import { turnstile } from './turnstile.ts'

/** A broker that serves the members of one run. */
export interface RunningBroker {
  /** Starts servers anew whose entry is another one now; calls in flight there are over. */
  change(change: BrokerChange): void
  /** Ends every server. */
  close(): Promise<void>
}

/** One server as it runs, and for whom. */
interface Shared {
  server: BrokerServer
  instance: ServerInstance
  /** Starts it once another one of its kind has ended. */
  readonly start: (server: BrokerServer, ended: Promise<void>) => ServerInstance
  readonly users: Set<Guest>
  /** Ends it when nobody has used it for a while. */
  lingering: unknown
}

/** How long a server outlives its last user: a member that is started again finds it. */
const lingerMs = 10_000

/** Questions of a server to people and models during one call. */
const mostQuestions = 20

interface Broker {
  readonly orders: BrokerOrders
  /** The entries as they are now, by name. */
  readonly servers: Map<string, BrokerServer>
  /** Of this program, for servers that want to know. */
  readonly version: string
  readonly tell: (news: BrokerNews) => void
  readonly clock: ReturnType<typeof systemClock>
  readonly shared: Map<string, Shared>
  readonly gates: Readonly<Record<'local' | 'remote', ReturnType<typeof turnstile>>>
}

/**
 * Runs the servers of a run.
 * 1. A server is started for the first member that may use it, and shared with every other one for whom it would be the same.
 * 2. A member sees and reaches its own servers alone; that is decided here, whatever it asks.
 * 3. Whatever a server says goes to members as data.
 *
 * @param parts.tell hears what the leader shall know
 */
export async function runBroker(
  orders: BrokerOrders,
  { version, tell }: Pick<Broker, 'version' | 'tell'>,
): Promise<RunningBroker> {
  const { local, remote } = orders.batches
  const gates = { local: turnstile(local), remote: turnstile(remote) }
  const servers = new Map(orders.servers.map((server) => [server.name, server]))
  const broker: Broker = { orders, servers, version, tell, clock: systemClock(), shared: new Map(), gates }
  const desks = new Map<Guest, Desk>()
  const socket = await openBrokerSocket({
    path: orders.socket,
    members: orders.members,
    came(guest) {
      desks.set(guest, deskOf(broker, guest))
    },
    heard: (guest, line) => desks.get(guest)?.heard(line),
    left(guest) {
      desks.get(guest)?.leave()
      desks.delete(guest)
    },
  })
  tell({ type: 'ready' })
  return {
    change: (change) => restart(broker, change),
    async close() {
      socket.close()
      await Promise.all([...broker.shared.values()].map(({ instance }) => instance.close()))
    },
  }
}

function restart({ servers, shared }: Broker, change: BrokerChange): void {
  for (const server of change.servers) {
    if (isDeepStrictEqual(servers.get(server.name), server)) continue
    servers.set(server.name, server)
    for (const each of shared.values()) {
      if (each.server.name !== server.name) continue
      const ended = each.instance.close()
      each.server = server
      each.instance = each.start(server, ended)
      for (const user of each.users) user.say({ type: 'view', servers: [viewOf(each)] })
    }
  }
}

function viewOf({ server, instance }: Pick<Shared, 'server' | 'instance'>): ServerView {
  return { ...instance.view(), seen: server.seen, believed: server.spec.trustAnnotations === true }
}

/** The calls and questions of one member. */
interface Desk {
  heard(line: MemberLine): void
  leave(): void
}

function deskOf(broker: Broker, guest: Guest): Desk {
  const { member, say } = guest
  const servers = [...broker.servers.values()].filter(({ name }) => member.servers.includes(name))
  const mine = new Map(servers.map((server) => [server.name, use(broker, server, guest)]))
  const calls = new Map<number, AbortController>()
  const questions = openQuestions(guest)
  say({ type: 'view', servers: [...mine.values()].map(viewOf) })
  const ask = async ({ id, server, asked }: Asking): Promise<void> => {
    const found = mine.get(server)
    if (!found) {
      say({ type: 'answer', id, answer: { trouble: `this member may not use ${server}`, transient: false } })
      return
    }
    const stop = new AbortController()
    let asks = 0
    calls.set(id, stop)
    const answer = await found.instance.ask(asked, {
      signal: stop.signal,
      progress: (text) => say({ type: 'progress', id, text }),
      async question(question, signal) {
        asks += 1
        if (asks > mostQuestions) return { refusal: `more than ${mostQuestions} questions in one call` }
        return questions.put(id, question, AbortSignal.any([signal, stop.signal]))
      },
    })
    calls.delete(id)
    say({ type: 'answer', id, answer })
  }
  return {
    heard(line) {
      if (line.type === 'ask') void ask(line)
      else if (line.type === 'cancel') calls.get(line.id)?.abort()
      else if (line.type === 'reply') questions.settle(line.id, line.reply)
    },
    leave() {
      for (const stop of calls.values()) stop.abort()
      for (const { name, spec } of servers) leave(broker, shareKey({ name, spec }, guest), guest)
    },
  }
}

type Asking = MemberLine & { readonly type: 'ask' }

/** Questions of servers to one member, until it replies or the call is over. */
function openQuestions({ say }: Guest) {
  const open = new Map<number, (reply: McpReply) => void>()
  let count = 0
  return {
    settle: (id: number, reply: McpReply): void => open.get(id)?.(reply),
    put(ask: number, question: McpQuestion, over: AbortSignal): Promise<McpReply> {
      count += 1
      const id = count
      return new Promise((resolve) => {
        const settle = (reply: McpReply): void => {
          open.delete(id)
          resolve(reply)
        }
        open.set(id, settle)
        over.addEventListener('abort', () => settle({ refusal: 'the call is over' }), { once: true })
        say({ type: 'question', id, ask, question })
      })
    },
  }
}

/**
 * Members share a server when it would be the same for each. Its credentials are: those of the entry and the login are of
 * the person who leads the run, for all members.
 */
function shareKey({ name, spec }: Pick<BrokerServer, 'name' | 'spec'>, { member }: Guest): string {
  const { cwd, roots, env } = member
  const variables = Object.entries(env).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([name, cwd, roots.toSorted(), variables, spec.isolation === 'per-member' ? member.name : null])
}

function use(broker: Broker, server: BrokerServer, guest: Guest): Shared {
  const key = shareKey(server, guest)
  const known = broker.shared.get(key)
  if (known) {
    broker.clock.clearTimeout(known.lingering)
    known.users.add(guest)
    return known
  }
  const users = new Set([guest])
  const start: Shared['start'] = (now, ended) => startServer(broker, now, { guest, users, ended })
  const shared: Shared = { server, start, instance: start(server, Promise.resolve()), users, lingering: undefined }
  broker.shared.set(key, shared)
  return shared
}

interface Starting {
  /** The member for whom it is started: it is the same for all others. */
  readonly guest: Guest
  readonly users: ReadonlySet<Guest>
  readonly ended: Promise<void>
}

function startServer(broker: Broker, server: BrokerServer, { guest, users, ended }: Starting): ServerInstance {
  const { orders, version, clock, gates, tell } = broker
  const { name, spec } = server
  const gate = spec.url === undefined ? gates.local : gates.remote
  const { home, mark } = orders
  const { cwd, roots, env: own } = guest.member
  const env = { ...orders.env, ...own, [markVariable]: mark }
  const place = { home, env, version, cwd, roots, now: clock.now }
  const instance = startInstance({
    name,
    clock,
    disabled: spec.disabled === true,
    async open(hearers, signal) {
      await ended
      return gate(() => openServer({ ...server, ...place, ...hearers }, signal))
    },
    changed({ type: _, ...fact }) {
      tell({ type: 'changed', ...fact })
      const view = viewOf({ server, instance })
      for (const warning of view.listing?.warnings ?? []) tell({ type: 'warning', message: `${name}: ${warning}` })
      for (const user of users) user.say({ type: 'view', servers: [view] })
    },
    crashed: (error) => tell({ type: 'warning', message: `${name}: ${String(error)}` }),
  })
  return instance
}

function leave({ shared, clock }: Broker, key: string, guest: Guest): void {
  const left = shared.get(key)
  if (!left) return
  left.users.delete(guest)
  if (left.users.size > 0) return
  left.lingering = clock.setTimeout(() => {
    if (left.users.size > 0) return
    shared.delete(key)
    void left.instance.close()
  }, lingerMs)
}
