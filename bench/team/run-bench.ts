import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { turns, wires, workers, type Figures, type Wire } from './plan.ts'

/*
 * `npm run bench:team [rounds]`: a team of 200 workers × 10 turns in one process beside as many loops of the raw vendor
 * SDK, interleaved, each in a fresh process against one loopback server. Ratios of CPU time hold under other load too.
 */
const rounds = Number(process.argv[2] ?? 3)
const here = import.meta.dirname
const peers = ['loops', 'crew'] as const

const server = spawn(process.execPath, [join(here, 'server.ts')], { stdio: ['ignore', 'pipe', 'inherit'] })
const [line] = (await once(server.stdout, 'data')) as [Buffer]
const url = line.toString().trim()

function play(peer: (typeof peers)[number], wire: Wire): Figures {
  const words = ['--expose-gc', join(here, `${peer}.ts`), wire, url]
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  const last = stdout.trim().split('\n').at(-1) ?? ''
  if (!last.startsWith('{')) throw new Error(`${peer} over ${wire} failed: ${stderr}`)
  return JSON.parse(last) as Figures
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

try {
  console.log(`${workers} workers × ${turns} turns, ${rounds} rounds`)
  for (const wire of wires) {
    const played = Array.from({ length: rounds }, () => peers.map((peer) => play(peer, wire)))
    const of = (peer: number, figure: keyof Figures) => median(played.map((round) => round[peer]?.[figure] ?? 0))
    const ratio = median(played.map(([raw, ours]) => (ours?.cpu_ms ?? 0) / (raw?.cpu_ms ?? 1)))
    console.log(
      `${wire}: CPU ${of(0, 'cpu_ms').toFixed(0)} → ${of(1, 'cpu_ms').toFixed(0)} ms (× ${ratio.toFixed(2)}), ` +
        `memory of a worker ${of(0, 'rss_kb').toFixed(0)} → ${of(1, 'rss_kb').toFixed(0)} kB`,
    )
  }
} finally {
  server.kill()
}
