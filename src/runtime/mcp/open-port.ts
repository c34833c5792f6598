import type { OpenOutcome } from '../../../machines/mcp/connection.ts'
import { connectServer, HopelessServer, LoginNeeded, type ServerConnection } from '../../adapters/mcp/client/connect.ts'
import { authOf } from '../../adapters/mcp/client/oauth.ts'
import { loginFile } from '../../adapters/mcp/client/token-file.ts'
import { rememberListing } from '../../adapters/mcp/config/seen-listings.ts'
import type { McpListing, McpQuestion, McpReply } from '../../protocol/mcp/listing.ts'
import type { BrokerServer } from '../../protocol/mcp/broker-message.ts'
import { errorText } from '../../protocol/words/error-text.ts'

/** How long it is believed that a login is needed, without looking again. */
const needsLoginMs = 15 * 60_000

interface OpenPortOptions extends Pick<BrokerServer, 'spec' | 'fault' | 'seen'> {
  readonly home: string
  readonly cwd: string
  readonly roots: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly version: string
  readonly now: () => number
  changed(listing: McpListing): void
  closed(reason: string): void
  unauthorized(reason: string): void
  question(question: McpQuestion, signal: AbortSignal): Promise<McpReply>
}

/** Connects one server as a run does, with nobody at a browser. What it offers is remembered for the next run. */
export async function openServer(
  options: OpenPortOptions,
  signal: AbortSignal,
): Promise<{ readonly outcome: OpenOutcome; readonly connection: ServerConnection | null }> {
  const { spec, fault, seen, home, cwd, roots, env, version, now, question } = options
  const failed = (reason: string, final: boolean) =>
    ({ outcome: { kind: 'failed', reason, final }, connection: null }) as const
  if (fault !== undefined) return failed(fault, true)
  const file = spec.url === undefined ? null : await loginFile({ home, env }, spec.url)
  const { neededAt = 0, tokens } = file?.read() ?? {}
  const needed = { kind: 'needs-auth', reason: 'it wants a login: troupe mcp login' } as const
  if (tokens === undefined && now() - neededAt < needsLoginMs) return { outcome: needed, connection: null }
  try {
    const connection = await connectServer(spec, {
      cwd,
      env,
      version,
      roots,
      signal,
      question,
      ...authOf(spec, file),
      changed(listing) {
        rememberListing(home, seen, listing)
        options.changed(listing)
      },
      closed: options.closed,
      unauthorized: options.unauthorized,
    })
    rememberListing(home, seen, connection.listing)
    return { outcome: { kind: 'connected', listing: connection.listing }, connection }
  } catch (error) {
    if (error instanceof LoginNeeded) {
      await file?.change({ neededAt: now() })
      return { outcome: needed, connection: null }
    }
    return failed(errorText(error), error instanceof HopelessServer)
  }
}
