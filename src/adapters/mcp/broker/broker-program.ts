import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { BrokerChange, BrokerNews, BrokerOrders } from '../../../protocol/mcp/broker-message.ts'
import { parseJson } from '../../fs/parse-json.ts'
import { hearLines } from '../hear-lines.ts'

/** The broker's process, as its leader holds it. */
export interface BrokerProgram {
  /** Tells it that entries of its servers are others now. */
  change(change: BrokerChange): void
  /** Resolves when it has ended, and every server with it. */
  close(): Promise<void>
}

interface Hearing {
  heard(news: BrokerNews): void
  /** The broker ended although nobody closed it. */
  died(how: string): void
}

/** For its servers to end. */
const patienceMs = 8_000

const longestNews = 64 * 1024 * 1024

/** Starts a broker: it lives as long as its standard input is open, so it ends when this process does, however. */
export function startBrokerProgram(
  argv: readonly [string, ...string[]],
  orders: BrokerOrders,
  { heard, died }: Hearing,
): BrokerProgram {
  const [file, ...args] = argv
  // A group of its own: a key in the terminal is meant for the leader, who then ends it.
  const child = spawn(file, args, { env: orders.env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  const gone = Promise.withResolvers<void>()
  let closing = false
  child.stdin.on('error', () => undefined)
  child.stdin.write(`${JSON.stringify(orders)}\n`)
  hearLines(child.stdout, {
    longest: longestNews,
    heard(line) {
      const news = parseJson(line) as BrokerNews | undefined
      if (news !== undefined) heard(news)
    },
    tooLong: () => child.kill('SIGKILL'),
  })
  whenEnded(child, (how) => {
    gone.resolve()
    if (!closing) died(how)
  })
  for (const each of [child, child.stdin, child.stdout, child.stderr]) (each as { unref?(): void }).unref?.()
  return {
    change: (change) => void child.stdin.write(`${JSON.stringify(change)}\n`),
    async close() {
      closing = true
      child.stdin.end()
      const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
      // A broker that is waited for keeps this process alive until it has ended.
      child.ref()
      await gone.promise
      clearTimeout(timer)
    },
  }
}

/** Calls back once when a program has ended or could not be started, with its last words. */
function whenEnded(child: ChildProcessByStdio<Writable, Readable, Readable>, ended: (how: string) => void): void {
  let words = ''
  child.stderr.setEncoding('utf8')
  child.stderr.on('data', (text: string) => {
    words = (words + text).slice(-2_000)
  })
  let told = false
  const over = (how: string): void => {
    if (told) return
    told = true
    ended(words.trim() === '' ? how : `${how}; the last it said:\n${words.trim()}`)
  }
  child.once('error', (error) => over(error.message))
  child.once('exit', (code, signal) => over(signal === null ? `it ended with ${code ?? 0}` : `it ended by ${signal}`))
}
