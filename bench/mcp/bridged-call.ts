import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openBrokerClient } from '../../src/adapters/mcp/broker/broker-client.ts'
import { startBrokerProgram } from '../../src/adapters/mcp/broker/broker-program.ts'
import { bridgeTool } from '../../src/adapters/tools/mcp/bridge-tool.ts'
import type { ServerView } from '../../src/protocol/mcp/broker-message.ts'
import { median } from '../figures.ts'

/*
 * A call of a tool by a member, over the broker, beside the same call by the SDK's client alone, and beside that call by
 * way of a process that only passes bytes on: the least that a broker of its own process can cost. Each in turn.
 * `node bench/mcp/bridged-call.ts [calls] [bin]` prints one JSON line for an echo, and for calls of 1, 2, 5 and 20 ms.
 */
const require = createRequire(import.meta.url)
const calls = Number(process.argv[2] ?? 1_000)
const bin = resolve(process.argv[3] ?? 'dist/src/ui/cli/bin.js')
const dir = mkdtempSync(join(tmpdir(), 'troupe-bench-mcp-'))
const env = { PATH: process.env['PATH'] ?? '', HOME: dir }
const everything = require.resolve('@modelcontextprotocol/server-everything/dist/index.js')
const relay = `
  const server = require('node:child_process').spawn(process.argv[1], process.argv.slice(2), { stdio: ['pipe', 'pipe', 'ignore'] })
  process.stdin.on('data', (bytes) => server.stdin.write(bytes)).on('end', () => server.stdin.end())
  server.stdout.on('data', (bytes) => process.stdout.write(bytes))
`

/** A member's call shows progress: a server that is asked for it has more to do. */
const heeding = { onprogress: () => undefined }
await compare('everything', [everything, 'stdio'], { tool: 'echo', input: { message: 'ahoy' } })
for (const duration of [0.001, 0.002, 0.005, 0.02]) {
  const work = { tool: 'trigger-long-running-operation', input: { duration, steps: 1 } }
  await compare('everything', [everything, 'stdio'], work)
}
rmSync(dir, { recursive: true, force: true })

interface Call {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

async function compare(server: string, args: readonly string[], { tool, input }: Call): Promise<void> {
  const bare = new Client({ name: 'bare', version: '1' })
  await bare.connect(
    new StdioClientTransport({ command: process.execPath, args: [...args], env, cwd: dir, stderr: 'ignore' }),
  )
  await bare.listTools()
  const relayed = new Client({ name: 'relayed', version: '1' })
  const argv = ['-e', relay, process.execPath, ...args]
  await relayed.connect(
    new StdioClientTransport({ command: process.execPath, args: argv, env, cwd: dir, stderr: 'ignore' }),
  )
  const bridge = await openBridge(server, args)
  const bridged = bridge.tool(tool)
  const context = {
    cwd: dir,
    home: dir,
    callId: 'c',
    signal: new AbortController().signal,
    progress: () => undefined,
    env: {},
    memory: new Map(),
  } as unknown as Parameters<typeof bridged.run>[1]
  const times = { bare: [] as number[], relayed: [] as number[], bridged: [] as number[] }
  for (let n = -50; n < calls; n += 1) {
    const alone = await timed(() => bare.callTool({ name: tool, arguments: input }, undefined, heeding))
    const passed = await timed(() => relayed.callTool({ name: tool, arguments: input }, undefined, heeding))
    const whole = await timed(async () => {
      bridged.input.parse(input)
      return bridged.run(input, context)
    })
    if (n < 0) continue
    times.bare.push(alone)
    times.relayed.push(passed)
    times.bridged.push(whole)
  }
  await bare.close()
  await relayed.close()
  await bridge.close()
  const [alone, passed, whole] = [median(times.bare), median(times.relayed), median(times.bridged)]
  const ms = { bare: alone, relayed: passed, bridged: whole }
  console.log(JSON.stringify({ tool, input, calls, ms, relayed: passed / alone, bridged: whole / alone, goal: 1.2 }))
}

async function openBridge(server: string, args: readonly string[]) {
  const socket = join(dir, `${randomUUID().slice(0, 8)}.sock`)
  const member = { name: 'clerk', credential: 'secret', servers: [server], cwd: dir, roots: [dir], env: {} }
  const spec = { command: process.execPath, args: [...args] }
  const program = startBrokerProgram(
    [process.execPath, bin, 'mcp-broker'],
    {
      socket,
      home: dir,
      env,
      servers: [{ name: server, spec, seen: server }],
      members: [member],
      mark: 'mcp-of-a-bench',
      batches: { local: 3, remote: 20 },
    },
    { heard: () => undefined, died: (how) => console.error(how) },
  )
  const there = Promise.withResolvers<ServerView>()
  const client = openBrokerClient({
    place: () => socket,
    member: 'clerk',
    credential: 'secret',
    seen: (views) => views.forEach((view) => view.state === 'connected' && there.resolve(view)),
  })
  const { listing } = await there.promise
  return {
    tool(name: string) {
      const found = listing?.tools.find((each) => each.name === name)
      if (!found) throw new Error(`${server} has no ${name}`)
      return bridgeTool({
        name,
        server,
        tool: found,
        defer: false,
        changed: false,
        believed: false,
        ask: (asked, { signal, progress }) =>
          client.ask(server, asked, { signal, progress, question: () => Promise.resolve({ refusal: 'no' }) }),
        agreed: () => undefined,
      })
    },
    async close() {
      client.close()
      await program.close()
    },
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
