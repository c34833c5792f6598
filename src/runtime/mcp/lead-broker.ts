import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { killMarked } from '../../adapters/process/end-process.ts'
import { brokerCredential, writeBrokerPlace } from '../../adapters/mcp/broker/broker-place.ts'
import { startBrokerProgram, type BrokerProgram } from '../../adapters/mcp/broker/broker-program.ts'
import type { ServerPlaces } from '../../adapters/mcp/config/read-servers.ts'
import { seenKey } from '../../adapters/mcp/config/seen-listings.ts'
import type { BrokerMember, BrokerNews, BrokerOrders, BrokerServer } from '../../protocol/mcp/broker-message.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { MemberCard, ResolvedTeam } from '../../protocol/team/team-card.ts'
import type { ScopedServer } from '../../protocol/mcp/server-spec.ts'
import { expandServer } from '../../rules/mcp/expand-variables.ts'
import { needsTrust, serverGrant } from '../../rules/mcp/server-scopes.ts'
import { mcpServersOf } from '../../rules/mcp/member-servers.ts'
import { isTrusted } from '../../rules/settings/settings-trust.ts'
import type { Settings } from '../../protocol/permissions/settings.ts'
import type { Clock } from '../actors/clock.ts'
import { ownProgram } from '../runs/own-program.ts'
import { followServers } from './follow-servers.ts'

export interface LeadBrokerOptions {
  readonly team: ResolvedTeam
  readonly runDir: string
  readonly runKey: string | Uint8Array
  readonly socket: string | null
  readonly home: string
  /** For programs: without credentials. */
  readonly env: Readonly<Record<string, string>>
  /** Where `${NAME}` of a trusted entry is looked up. */
  readonly ownEnv: Readonly<Record<string, string | undefined>>
  readonly trusted: () => Settings['trusted']
  /** Calls back when something else is trusted; returns how to stop. */
  onTrust(changed: () => void): () => void
  /** Where the files with entries lie. */
  readonly places: ServerPlaces
  /** The surroundings of a member's servers. */
  readonly placeOf: (card: MemberCard) => Pick<BrokerMember, 'cwd' | 'roots' | 'env'>
  readonly clock: Clock
  record(facts: readonly Fact[]): void
}

/** The broker of a run that this process leads. */
export interface LeadBroker {
  /** Resolves when every server has ended. */
  close(): Promise<void>
}

const firstPauseMs = 200
const longestPauseMs = 10_000

/**
 * Starts the broker of a run, and starts it again when it dies; null where no member of the team may use a server, so
 * that nothing is started. The leader tells the broker which entries changed and which ones a person
 * trusts now.
 */
export function leadBroker(options: LeadBrokerOptions): LeadBroker | null {
  const orders = ordersOf(options)
  if (orders === null) return null
  writeBrokerPlace(options.runDir, { socket: orders.socket, pid: process.pid })
  const kept = keepProgram(orders, options)
  const unfollow = followEntries(orders, options, kept.change)
  return {
    async close() {
      unfollow()
      await kept.close()
    },
  }
}

/** A broker that runs with the entries that it was last told of, until it is closed. */
function keepProgram(orders: BrokerOrders, { clock, record }: Pick<LeadBrokerOptions, 'clock' | 'record'>) {
  let { servers } = orders
  let program: BrokerProgram
  let closed = false
  let pause = firstPauseMs
  let timer: unknown
  const start = (): void => {
    program = startBrokerProgram(
      [process.execPath, ownProgram, 'mcp-broker'],
      { ...orders, servers },
      {
        heard(news) {
          if (news.type === 'ready') pause = firstPauseMs
          else if (!closed) record([factOf(news)])
        },
        died(how) {
          killMarked(orders.mark)
          if (closed) return
          record([warning(`the broker of the MCP servers is started again: ${how}`)])
          timer = clock.setTimeout(start, pause)
          pause = Math.min(pause * 2, longestPauseMs)
        },
      },
    )
  }
  start()
  return {
    change(now: readonly BrokerServer[]) {
      if (closed || isDeepStrictEqual(now, servers)) return
      servers = now
      program.change({ servers })
    },
    async close() {
      closed = true
      clock.clearTimeout(timer)
      await program.close()
      killMarked(orders.mark)
    },
  }
}

function factOf(news: Exclude<BrokerNews, { readonly type: 'ready' }>): Fact {
  return news.type === 'warning' ? warning(news.message) : { ...news, type: 'mcp.changed' }
}

function warning(message: string): Fact {
  return { type: 'warning.raised', code: 'mcp', message }
}

function followEntries(
  orders: BrokerOrders,
  options: LeadBrokerOptions,
  change: (servers: readonly BrokerServer[]) => void,
): () => void {
  const names = orders.servers.map(({ name }) => name)
  const entries = new Map<string, Entry | null>(names.map((name) => [name, entryAtLaunch(name, options)]))
  const look = (): void => change(names.map((name) => ready(name, entries.get(name) ?? null, options)))
  const unfollow = followServers(options.places, names, (name, server) => {
    entries.set(name, server)
    look()
  })
  const distrust = options.onTrust(look)
  return () => {
    distrust()
    void unfollow()
  }
}

function ordersOf(options: LeadBrokerOptions): BrokerOrders | null {
  const { team, socket, home, env, ownEnv, runKey, placeOf } = options
  const members = team.members.flatMap((card) => {
    const servers = mcpServersOf(card, team)
    const credential = brokerCredential(runKey, card.name)
    return servers.length === 0 ? [] : [{ name: card.name, credential, servers, ...placeOf(card) }]
  })
  if (members.length === 0) return null
  if (socket === null) throw new Error('there is no place for the socket of the MCP servers: every path is too long')
  const wanted = new Set(members.flatMap(({ servers }) => servers))
  const servers = Object.keys(team.mcp_servers ?? {}).filter((name) => wanted.has(name))
  return {
    socket,
    home,
    env,
    servers: servers.map((name) => ready(name, entryAtLaunch(name, options), options)),
    members,
    mark: `mcp-${createHash('sha256').update(socket).digest('hex').slice(0, 16)}`,
    batches: {
      local: countIn(ownEnv['MCP_SERVER_CONNECTION_BATCH_SIZE'], 3),
      remote: countIn(ownEnv['MCP_REMOTE_SERVER_CONNECTION_BATCH_SIZE'], 20),
    },
  }
}

type Entry = Pick<ScopedServer, 'spec' | 'scope'>

function entryAtLaunch(name: string, { team }: Pick<LeadBrokerOptions, 'team'>): Entry | null {
  return team.mcp_servers?.[name] ?? null
}

/** A server with its variables filled in. Nothing of an entry that nobody trusts is looked at. */
function ready(
  name: string,
  entry: Entry | null,
  { ownEnv, trusted }: Pick<LeadBrokerOptions, 'ownEnv' | 'trusted'>,
): BrokerServer {
  if (entry === null) return { name, spec: {}, seen: seenKey(name, {}), fault: 'no file has an entry for it any more' }
  const { spec, scope } = entry
  const seen = seenKey(name, spec)
  if (needsTrust({ scope }) && !isTrusted(trusted(), serverGrant(name, spec)))
    return { name, spec, seen, fault: 'nobody trusted it yet (troupe trust, or --trust)' }
  const expanded = expandServer(spec, ownEnv)
  if ('spec' in expanded) return { name, seen, spec: expanded.spec }
  const variables = expanded.missing.map((each) => `$${each}`).join(', ')
  return { name, spec, seen, fault: `it needs ${variables}, which is not set` }
}

function countIn(text: string | undefined, usual: number): number {
  const count = Number(text)
  return Number.isSafeInteger(count) && count > 0 ? count : usual
}
