import { createRequire } from 'node:module'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadTeam, runTeam, type Model } from '../../src/index.ts'
import { median } from '../figures.ts'

/*
 * What ten local servers cost before the first request to a model: a run with them beside one without, each in turn, in a
 * home that has never seen them and in one that has. `node bench/mcp/first-request.ts [rounds]` prints one JSON line.
 */
const require = createRequire(import.meta.url)
const program = require.resolve('@modelcontextprotocol/server-memory/dist/index.js')
const rounds = Number(process.argv[2] ?? 11)
const env = { PATH: process.env['PATH'] ?? '' }
const names = Array.from({ length: 10 }, (_, n) => `memory-${n}`)
const dir = mkdtempSync(join(tmpdir(), 'troupe-bench-mcp-'))
const times = { without: [] as number[], unseen: [] as number[], seen: [] as number[] }

for (let round = 0; round <= rounds; round += 1) {
  const home = join(dir, `home-${round}`)
  const figures = { without: await run([], home), unseen: await run(names, home), seen: await run(names, home) }
  // The first loads the code.
  if (round === 0) continue
  for (const kind of ['without', 'unseen', 'seen'] as const) times[kind].push(figures[kind])
}
rmSync(dir, { recursive: true, force: true })
const [without, unseen, seen] = [median(times.without), median(times.unseen), median(times.seen)]
console.log(JSON.stringify({ rounds, without, unseen: unseen - without, seen: seen - without, goal: 50 }))

/** Milliseconds from the beginning of a run to its first request. */
async function run(servers: readonly string[], home: string): Promise<number> {
  const cwd = mkdtempSync(join(dir, 'run-'))
  mkdirSync(home, { recursive: true })
  const entry = { command: process.execPath, args: [program], env: { MEMORY_FILE_PATH: join(cwd, 'memory.jsonl') } }
  const file = join(cwd, 'team.yaml')
  const team = {
    name: 'alone',
    model: 'acme/one',
    partition: 'relaxed',
    mcp_servers: Object.fromEntries(servers.map((name) => [name, entry])),
    coordinator: { prompt: 'You answer.', tools: servers.map((name) => `mcp__${name}`) },
    workers: { clerk: { description: 'Works.', prompt: 'You work.', tools: [] } },
  }
  writeFileSync(file, JSON.stringify(team))
  let asked = 0
  const model: Model = {
    name: 'acme/one',
    async *stream() {
      asked ||= performance.now()
      const usage = { input: 0, output: 0, cache_read: 0, cache_write: 0 }
      const content = [{ type: 'text', text: 'Done.' }] as const
      yield {
        type: 'settled',
        message: { role: 'assistant', model: 'acme/one', content: [...content], stop: 'end', usage },
      }
    },
  }
  const providers = { acme: () => model }
  const loaded = await loadTeam(file, { env, providers })
  const began = performance.now()
  const { result } = runTeam(loaded, { task: 'Go.', cwd, home, env, providers, trusted: true })
  await result
  return asked - began
}
