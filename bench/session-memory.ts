import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { failure } from '../src/protocol/conversation/failure.ts'
import { noUsage } from '../src/protocol/conversation/message.ts'
import type { Model } from '../src/protocol/models/model.ts'
import { defineTool } from '../src/adapters/tools/define/define-tool.ts'
import { createAgent } from '../src/runtime/agent/create-agent.ts'
import { systemClock } from '../src/runtime/actors/clock.ts'

/**
 * What a session of a thousand turns holds in memory, with a failure in every tenth: how much the heap grew against
 * the size of its own messages. `node --expose-gc bench/session-memory.ts [turns]`
 */
const turns = Number(process.argv[2] ?? 1_000)
const result = 'x'.repeat(1_000)
let bytes = 0
const heapAt = new Map<number, number>()

const collect = (globalThis as { gc?: () => void }).gc
if (!collect) throw new Error('run it with --expose-gc')

const failed = new Set<number>()
const model: Model = {
  name: 'bench/m',
  async *stream(request) {
    const turn = request.messages.filter(({ role }) => role === 'assistant').length + 1
    if (turn === 100 || turn === turns) {
      collect()
      heapAt.set(turn, process.memoryUsage().heapUsed)
    }
    const message = { role: 'assistant' as const, model: 'bench/m', usage: noUsage }
    if (turn % 10 === 0 && !failed.has(turn)) {
      failed.add(turn)
      const told = failure('overloaded', 'busy')
      yield { type: 'settled', message: { ...message, content: [], stop: 'error', failure: told } }
      return
    }
    const call = { type: 'tool_use' as const, id: `c${turn}`, name: 'Fetch', input: { turn } }
    const said = { type: 'text' as const, text: `Turn ${turn}.` }
    yield { type: 'text', text: said.text }
    const last = turn >= turns
    if (turn > 100) bytes += JSON.stringify({ ...message, content: [said, call], stop: 'tools' }).length
    yield {
      type: 'settled',
      message: { ...message, content: last ? [said] : [said, call], stop: last ? 'end' : 'tools' },
    }
  },
}

const fetch = defineTool({
  name: 'Fetch',
  description: 'Fetches.',
  input: z.strictObject({ turn: z.number() }),
  effect: 'none',
  isReadOnly: () => true,
  run: async ({ turn }) => ({ content: [{ type: 'text', text: `${turn} ${result}` }] }),
})

// Waits are over at once: memory is measured, not patience.
const clock = {
  ...systemClock(),
  setTimeout: (fn: () => void) => setImmediate(fn),
  clearTimeout: (id: unknown) => clearImmediate(id as NodeJS.Immediate),
}
const runDir = mkdtempSync(join(tmpdir(), 'troupe-session-memory-'))
const agent = createAgent({
  model,
  tools: [fetch],
  clock,
  maxTurns: turns + 1,
  runDir,
})
const run = agent.run('Go.')
let turn = 0
for await (const event of run) {
  if (event.type === 'request.start') turn = event.turn
  if (event.type === 'tool.result' && turn > 100)
    bytes += JSON.stringify({ role: 'tool', results: [event.result] }).length
}
const { reason } = await run.result
agent.close()
rmSync(runDir, { recursive: true })
const grown = (heapAt.get(turns) ?? 0) - (heapAt.get(100) ?? 0)
console.log(
  JSON.stringify({
    reason,
    turns,
    grown_kb: Math.round(grown / 1024),
    messages_kb: Math.round(bytes / 1024),
    ratio: Number((grown / bytes).toFixed(2)),
  }),
)
