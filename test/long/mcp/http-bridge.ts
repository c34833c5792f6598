import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** Offers a server of standard input and output at an address: a program of its own for each session, messages as they are. */
export async function bridged(program: Program): Promise<string> {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  const server = createServer((request, response) => void answer(request, response))
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const known = sessions.get(String(request.headers['mcp-session-id']))
    const transport = known ?? (await openSession(program, sessions))
    await transport.handleRequest(request, response)
  }
  onTestFinished(async () => {
    server.close()
    server.closeAllConnections()
    for (const session of sessions.values()) await session.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

async function openSession(
  { command, args, env, cwd }: Program,
  sessions: Map<string, StreamableHTTPServerTransport>,
): Promise<StreamableHTTPServerTransport> {
  const far = new StdioClientTransport({ command, args: [...args], env: { ...env }, cwd })
  const near = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, near),
  })
  Object.assign(near, {
    onmessage: (message: JSONRPCMessage) => void far.send(message),
    onclose: () => void far.close(),
  })
  Object.assign(far, { onmessage: (message: JSONRPCMessage) => void near.send(message) })
  await far.start()
  await near.start()
  return near
}
