import { createConnection, type Socket } from 'node:net'
import type { BrokerLine, MemberLine, ServerView } from '../../../protocol/mcp/broker-message.ts'
import type { McpAnswer, McpAsk, McpQuestion, McpReply } from '../../../protocol/mcp/listing.ts'
import { lineChannel, type LineChannel } from './line-channel.ts'

/** The way of one member to the broker of its run. */
export interface BrokerClient {
  ask(server: string, asked: McpAsk, options: AskBroker): Promise<McpAnswer>
  close(): void
}

export interface AskBroker {
  readonly signal: AbortSignal
  progress(text: string): void
  /** The server asks something while it works on this. */
  question(question: McpQuestion): Promise<McpReply>
}

interface ClientOptions {
  /** Where the broker's socket is now; null while nobody knows. */
  readonly place: () => string | null
  readonly member: string
  readonly credential: string
  /** The servers that the member may see are so. */
  seen(servers: readonly ServerView[]): void
}

interface Waiting {
  readonly settle: (answer: McpAnswer) => void
  readonly options: AskBroker
}

interface Line {
  readonly channel: LineChannel<MemberLine>
  readonly waiting: Map<number, Waiting>
}

const firstPauseMs = 50
const longestPauseMs = 1_000
/** How long a call waits for a broker that is not there. */
const patienceMs = 15_000

const restarting: McpAnswer = {
  trouble: 'the server is restarting. What the call had done by then is unknown.',
  transient: true,
}

/**
 * Keeps a line to the broker for as long as the member lives: one that breaks is opened again, and whatever was asked
 * over it is settled at once.
 */
export function openBrokerClient(options: ClientOptions): BrokerClient {
  let ids = 0
  const keeper = keepLine(options)
  return {
    async ask(server, asked, how) {
      const line = await keeper.present(how.signal)
      if (line === null) return restarting
      ids += 1
      return askOver(line, { type: 'ask', id: ids, server, asked }, how)
    },
    close: keeper.close,
  }
}

/** The state of the line: there is one, or somebody waits for one. */
interface Keeping {
  line: Line | null
  closed: boolean
  pause: number
  timer: NodeJS.Timeout | undefined
  readonly arrivals: Set<(line: Line | null) => void>
}

function keepLine(options: ClientOptions) {
  const keeping: Keeping = { line: null, closed: false, pause: firstPauseMs, timer: undefined, arrivals: new Set() }
  openLine(keeping, options)
  return {
    present: (signal: AbortSignal) => presentLine(keeping, signal),
    close() {
      keeping.closed = true
      clearTimeout(keeping.timer)
      arrive(keeping, null)
      keeping.line?.channel.close()
    },
  }
}

function arrive({ arrivals }: Keeping, line: Line | null): void {
  for (const each of arrivals) each(line)
  arrivals.clear()
}

function openLine(keeping: Keeping, options: ClientOptions): void {
  const again = (): void => {
    if (keeping.closed) return
    keeping.timer = setTimeout(() => openLine(keeping, options), keeping.pause)
    keeping.timer.unref()
    keeping.pause = Math.min(keeping.pause * 2, longestPauseMs)
  }
  const path = options.place()
  if (path === null) {
    again()
    return
  }
  const line: Line = greeted(createConnection(path), options, {
    began() {
      keeping.pause = firstPauseMs
      keeping.line = line
      arrive(keeping, line)
    },
    broke() {
      if (keeping.line === line) keeping.line = null
      for (const { settle } of line.waiting.values()) settle(restarting)
      line.waiting.clear()
      again()
    },
  })
}

/** The line, once there is one; null when it does not come in time. */
function presentLine({ line, closed, arrivals }: Keeping, signal: AbortSignal): Promise<Line | null> {
  if (line !== null || closed) return Promise.resolve(line)
  return new Promise((resolve) => {
    const give = (there: Line | null): void => {
      clearTimeout(late)
      signal.removeEventListener('abort', none)
      arrivals.delete(give)
      resolve(there)
    }
    const none = (): void => give(null)
    const late = setTimeout(none, patienceMs)
    signal.addEventListener('abort', none, { once: true })
    arrivals.add(give)
  })
}

function greeted(
  socket: Socket,
  { member, credential, seen }: ClientOptions,
  { began, broke }: { readonly began: () => void; readonly broke: () => void },
): Line {
  const waiting = new Map<number, Waiting>()
  // Without a call it keeps no process alive.
  socket.unref()
  const channel = lineChannel<MemberLine, BrokerLine>(socket, {
    heard(line) {
      if (line.type === 'view') {
        seen(line.servers)
        return
      }
      const asked = waiting.get(line.type === 'question' ? line.ask : line.id)
      if (!asked) return
      if (line.type === 'progress') asked.options.progress(line.text)
      else if (line.type === 'answer') asked.settle(line.answer)
      else
        void asked.options.question(line.question).then((reply) => channel.say({ type: 'reply', id: line.id, reply }))
    },
    gone: broke,
  })
  socket.once('connect', () => {
    channel.say({ type: 'hello', member, credential })
    began()
  })
  return { channel, waiting }
}

function askOver({ channel, waiting }: Line, ask: MemberLine & { readonly id: number }, options: AskBroker) {
  return new Promise<McpAnswer>((resolve) => {
    const { id } = ask
    const cancel = (): void => channel.say({ type: 'cancel', id })
    const settle = (answer: McpAnswer): void => {
      waiting.delete(id)
      options.signal.removeEventListener('abort', cancel)
      resolve(answer)
    }
    waiting.set(id, { settle, options })
    options.signal.addEventListener('abort', cancel, { once: true })
    channel.say(ask)
  })
}
