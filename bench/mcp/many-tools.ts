import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrokerClient } from '../../src/adapters/mcp/broker/broker-client.ts'
import { rememberListing } from '../../src/adapters/mcp/config/seen-listings.ts'
import { flatSchema } from '../../src/adapters/models/served/flat-schema.ts'
import type { ServerView } from '../../src/protocol/mcp/broker-message.ts'
import type { McpListing } from '../../src/protocol/mcp/listing.ts'
import { noForeignTools } from '../../src/runtime/agent/foreign-tools.ts'
import { turnToolSets } from '../../src/runtime/agent/turn-tools.ts'
import { foreignTools } from '../../src/runtime/mcp/offered-tools.ts'
import type { ServerSight } from '../../src/runtime/mcp/server-sight.ts'
import { median } from '../figures.ts'

/*
 * What a thousand tools of a server cost a member at each turn: the list of its tools and their translation for a vendor,
 * at the first turn, at a later one, and at the turn after the server said its list anew.
 * `node bench/mcp/many-tools.ts [tools]` prints one JSON line.
 */
const count = Number(process.argv[2] ?? 1_000)
const rounds = 30
const home = mkdtempSync(join(tmpdir(), 'troupe-bench-mcp-'))
rememberListing(home, 'key', listing())
const times = { first: [] as number[], later: [] as number[], anew: [] as number[] }

for (let round = 0; round < rounds; round += 1) {
  const views = new Map<string, ServerView>([['many', viewOf(listing())]])
  const sight = {
    options: { team: {}, card: { tools: ['mcp__many'] }, home } as unknown as ServerSight['options'],
    views,
    made: new Map(),
    client: {} as BrokerClient,
    changed: () => Promise.resolve(),
    renew: () => undefined,
  }
  const sets = turnToolSets()
  let foreign = noForeignTools
  const turn = (): void => {
    for (const { parameters } of sets(['Read'], new Set(['mcp__many__tool_7']), { foreign }).specs)
      flatSchema(parameters)
  }
  times.first.push(
    timed(() => {
      foreign = foreignTools(sight)
      turn()
    }),
  )
  times.later.push(timed(turn))
  views.set('many', viewOf(listing()))
  times.anew.push(
    timed(() => {
      foreign = foreignTools(sight)
      turn()
    }),
  )
}
rmSync(home, { recursive: true, force: true })
const { first, later, anew } = times
console.log(JSON.stringify({ tools: count, first: median(first), later: median(later), anew: median(anew), goal: 5 }))

/** Ten properties each, as servers made of an API have them; a copy of its own each time, as it comes over a line. */
function listing(): McpListing {
  const properties = Object.fromEntries(
    Array.from({ length: 10 }, (_, n) => [`field_${n}`, { type: 'string', description: `What field ${n} is about.` }]),
  )
  const tools = Array.from({ length: count }, (_, n) => ({
    name: `tool_${n}`,
    description: `Does thing ${n} of many that this server can do, and says what came of it.`,
    inputSchema: { type: 'object', properties, required: ['field_0'] },
    readOnly: false,
    mark: `mark ${n}`,
  }))
  return JSON.parse(
    JSON.stringify({ instructions: '', tools, prompts: [], resources: false, warnings: [] }),
  ) as McpListing
}

function viewOf(said: McpListing): ServerView {
  return { name: 'many', state: 'connected', reason: '', listing: said, seen: 'key', believed: false }
}

/** Processor time in milliseconds: a busy machine changes it little. */
function timed(work: () => void): number {
  const began = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1_000
}
