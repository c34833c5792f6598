import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { loadTeam } from '../src/runtime/team-files/load-team.ts'
import { runTeam } from '../src/runtime/run/run-team.ts'
import { median } from './figures.ts'

/*
 * The price of a turn with telemetry: a lead with 180 turns of one call, sent to a collector in a process of its own, against
 * the same without. Nothing but the machinery is in such a turn: no time of a model, and one small file that is read. `node bench/telemetry.ts` prints one JSON line: medians of 21 interleaved pairs, and the bare side against itself (A/A).
 */
const [pairs, turns] = [21, 180]
const dir = mkdtempSync(join(tmpdir(), 'troupe-telemetry-'))
const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' }
const steps = Array.from({ length: turns }, (_, n) => ({
  calls: [{ tool: 'Read', input: { file_path: `in/${n}.txt` } }],
}))
mkdirSync(join(dir, 'in'))
for (const n of steps.keys()) writeFileSync(join(dir, 'in', `${n}.txt`), `line ${n}`)
writeFileSync(join(dir, 'script.yaml'), stringify({ agents: { lead: { steps: [...steps, { say: 'Done.' }] } } }))
writeFileSync(
  join(dir, 'team.yaml'),
  stringify({
    name: 'bench',
    model: 'scripted/script.yaml',
    partition: 'relaxed',
    coordinator: { prompt: 'p', tools: ['Read'], max_turns: turns + 5 },
    workers: { ana: { description: 'd', prompt: 'p' } },
  }),
)
const team = await loadTeam(join(dir, 'team.yaml'), { env })
const collecting = `const server = require('node:http').createServer((request, response) => {
  request.resume().on('end', () => response.end('{}'))
}).listen(0, '127.0.0.1', () => console.log(server.address().port))`
const collector = spawn(process.execPath, ['-e', collecting], { stdio: ['ignore', 'pipe', 'inherit'] })
const [port] = (await once(collector.stdout, 'data')) as [Buffer]
const otlp = `http://127.0.0.1:${port.toString('utf8').trim()}`

/** Milliseconds of CPU of one run, for each turn. */
async function turnOf(more: object): Promise<number> {
  const before = process.cpuUsage()
  const { status, reason } = await runTeam(team, { task: 'Begin.', cwd: dir, home: join(dir, 'home'), env, ...more })
    .result
  const { user, system } = process.cpuUsage(before)
  if (status !== 'completed') throw new Error(`${status}: ${reason}`)
  return (user + system) / 1_000 / turns
}

const [bare, traced, again]: [number[], number[], number[]] = [[], [], []]
for (const warm of [{}, { otlp }, {}, { otlp }]) await turnOf(warm)
for (let pair = 0; pair < pairs; pair += 1) {
  bare.push(await turnOf({}))
  traced.push(await turnOf({ otlp }))
  again.push(await turnOf({}))
}
const round = (value: number): number => Math.round(value * 1_000) / 1_000
const ratio = median(traced.map((value, n) => (2 * value) / ((bare[n] ?? 1) + (again[n] ?? 1))))
const aa = median(again.map((value, n) => value / (bare[n] ?? 1)))
const ms = { bare: round(median(bare)), traced: round(median(traced)), bare_again: round(median(again)) }
console.log(
  JSON.stringify({ name: 'cpu of a turn with telemetry', pairs, turns, ms, ratio: round(ratio), aa: round(aa) }),
)
collector.kill()
rmSync(dir, { recursive: true, force: true })
