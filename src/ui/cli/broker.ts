import { runBroker, type RunningBroker } from '../../runtime/mcp/run-broker.ts'
import { packageVersion } from './host/package-root.ts'
import type { BrokerNews, BrokerOrders } from '../../protocol/mcp/broker-message.ts'

/**
 * `troupe mcp-broker`: the process that runs the MCP servers of one run, started by its leader. It reads its orders as
 * one line from standard input, and ends with all servers when that input ends: however the leader went.
 */
export async function brokerProcess(): Promise<void> {
  process.title = 'troupe mcp-broker'
  const tell = (news: BrokerNews): void => void process.stdout.write(`${JSON.stringify(news)}\n`)
  process.stdout.on('error', () => undefined)
  // The broker ends when its leader does, not with a key in the leader's terminal.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
  let broker: Promise<RunningBroker> | null = null
  const end = async (): Promise<void> => {
    await (await broker)?.close()
    process.exit()
  }
  process.on('SIGTERM', () => void end())
  let text = ''
  process.stdin.setEncoding('utf8')
  process.stdin.on('data', (part: string) => {
    if (broker !== null) return
    text += part
    const line = text.indexOf('\n')
    if (line < 0) return
    broker = runBroker(JSON.parse(text.slice(0, line)) as BrokerOrders, { version: packageVersion(), tell })
    text = ''
    broker.catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error)
      process.exit(1)
    })
  })
  process.stdin.once('end', () => void end())
}
