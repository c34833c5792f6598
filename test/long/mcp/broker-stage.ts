import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { openBrokerClient, type BrokerClient } from '../../../src/adapters/mcp/broker/broker-client.ts'
import { startBrokerProgram } from '../../../src/adapters/mcp/broker/broker-program.ts'
import { processStart } from '../../../src/adapters/process/liveness.ts'
import type { BrokerMember, BrokerNews, BrokerServer, ServerView } from '../../../src/protocol/mcp/broker-message.ts'
import type { McpAnswer, McpReply } from '../../../src/protocol/mcp/listing.ts'
import type { McpServerSpec } from '../../../src/protocol/mcp/server-spec.ts'

const odd = fileURLToPath(new URL('../../support/mcp/odd-server-process.ts', import.meta.url))
const program = fileURLToPath(new URL('../../../src/ui/cli/bin.ts', import.meta.url))

/** The entry of a server that behaves in one way. */
export function oddServer(mode: string, log: string, more: McpServerSpec = {}): McpServerSpec {
  return {
    command: process.execPath,
    args: [odd, mode],
    env: { ODD_LOG: log },
    timeout: 2_000,
    startupTimeout: 5_000,
    ...more,
  }
}

export interface Stage {
  readonly home: string
  readonly log: string
  readonly news: readonly BrokerNews[]
  member(name: string): StageMember
  /** Ids of the processes that the servers said they were. */
  pids(): readonly number[]
  /** Ends the broker as its leader does; resolves when it has ended. */
  close(): Promise<void>
}

export interface StageMember {
  readonly client: BrokerClient
  view(server: string): ServerView | undefined
  call(server: string, tool: string, input?: object): Promise<McpAnswer>
}

/** A broker of its own, with these servers and members, in a fresh home. */
export function openStage(
  servers: (log: string) => Readonly<Record<string, McpServerSpec>>,
  members: readonly Partial<BrokerMember>[] = [{}],
  reply: McpReply = { refusal: 'nobody is there' },
): Stage {
  const home = mkdtempSync(join(tmpdir(), 'troupe-mcp-'))
  const log = join(home, 'odd.log')
  const socket = join(home, 'broker.sock')
  const entries = Object.entries(servers(log)).map(([name, spec]): BrokerServer => ({ name, spec, seen: name }))
  const cast = members.map((member, n): BrokerMember => {
    const name = member.name ?? `clerk${n === 0 ? '' : `-${n + 1}`}`
    return {
      cwd: home,
      roots: [home],
      env: {},
      servers: entries.map((each) => each.name),
      ...member,
      name,
      credential: `secret of ${name}`,
    }
  })
  const news: BrokerNews[] = []
  const { PATH = '' } = process.env
  const broker = startBrokerProgram(
    [process.execPath, program, 'mcp-broker'],
    {
      socket,
      home,
      env: { PATH, HOME: home },
      servers: entries,
      members: cast,
      mark: 'mcp-of-a-test',
      batches: { local: 3, remote: 20 },
    },
    { heard: (each) => news.push(each), died: (how) => news.push({ type: 'warning', message: how }) },
  )
  const clients: BrokerClient[] = []
  const pids = (): readonly number[] => {
    try {
      return readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => Number(line.split(' ')[1]))
    } catch {
      return []
    }
  }
  onTestFinished(async () => {
    for (const client of clients) client.close()
    await broker.close()
    rmSync(home, { recursive: true, force: true })
  })
  return {
    home,
    log,
    news,
    pids,
    close: broker.close,
    member(name) {
      const views = new Map<string, ServerView>()
      const client = openBrokerClient({
        place: () => socket,
        member: name,
        credential: `secret of ${name}`,
        seen: (all) => all.forEach((view) => views.set(view.name, view)),
      })
      clients.push(client)
      const signal = AbortSignal.timeout(60_000)
      const options = { signal, progress: () => undefined, question: () => Promise.resolve(reply) }
      return {
        client,
        view: (server) => views.get(server),
        call: (server, tool, input = { text: 'hi' }) => client.ask(server, { kind: 'tool', tool, input }, options),
      }
    },
  }
}

/** Whether a process still runs. */
export function runs(pid: number): boolean {
  return processStart(pid) !== null
}
