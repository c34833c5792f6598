import { createInterface } from 'node:readline'
import { runBroker, type RunningBroker } from '../../runtime/mcp/run-broker.ts'
import { packageVersion } from './host/package-root.ts'
import type { BrokerChange, BrokerNews, BrokerOrders } from '../../protocol/mcp/broker-message.ts'

/**
 * `troupe mcp-broker`: the process that runs the MCP servers of one run, started by its leader. It reads its orders as
 * one line from standard input, changes of its servers as later ones, and ends with all servers when that input ends: however the leader went.
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
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      if (broker === null) broker = begun(line, tell)
      else void broker.then(({ change }) => change(JSON.parse(line) as BrokerChange))
    })
    .once('close', () => void end())
}

function begun(orders: string, tell: (news: BrokerNews) => void): Promise<RunningBroker> {
  const broker = runBroker(JSON.parse(orders) as BrokerOrders, { version: packageVersion(), tell })
  broker.catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  })
  return broker
}
