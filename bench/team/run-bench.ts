import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { median, type Figures } from '../figures.ts'
import { wires, type Wire } from '../noop.ts'
import { turns, workers } from './plan.ts'

/*
 * `npm run bench:team [rounds]`: a team of 200 workers × 10 turns in one process beside as many agents without a team and
 * as many loops of the raw vendor SDK, interleaved, each in a fresh process against one loopback server. Ratios of CPU time hold under other load too.
 * Most of the memory at the peak is the young heap that V8 allows itself, however many workers there are: what one
 * worker more takes is measured with twice as many.
 */
const rounds = Number(process.argv[2] ?? 3)
const here = import.meta.dirname
const peers = ['loops', 'lone', 'crew'] as const

const server = spawn(process.execPath, [join(here, 'server.ts')], { stdio: ['ignore', 'pipe', 'inherit'] })
const [line] = (await once(server.stdout, 'data')) as [Buffer]
const url = line.toString().trim()

function play(peer: (typeof peers)[number], wire: Wire, many: number): Figures {
  const words = ['--expose-gc', join(here, `${peer}.ts`), wire, url]
  const env = { ...process.env, BENCH_WORKERS: String(many) }
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', env })
  const last = stdout.trim().split('\n').at(-1) ?? ''
  if (!last.startsWith('{')) throw new Error(`${peer} over ${wire} failed: ${stderr}`)
  return JSON.parse(last) as Figures
}

try {
  console.log(`${workers} workers × ${turns} turns, ${rounds} rounds`)
  for (const wire of wires) {
    const [once = [], twice = []] = [workers, 2 * workers].map((many) =>
      Array.from({ length: rounds }, () => peers.map((peer) => play(peer, wire, many))),
    )
    const of = (played: readonly Figures[][], figure: keyof Figures): readonly number[] =>
      peers.map((_, peer) => median(played.map((round) => round[peer]?.[figure] ?? 0)))
    const ratios = peers.map((_, peer) =>
      median(once.map((round) => (round[peer]?.cpu_ms ?? 0) / (round[0]?.cpu_ms ?? 1))),
    )
    const atPeak = of(once, 'rss_kb')
    const ofOneMore = of(twice, 'rss_kb').map((each, peer) => 2 * each - (atPeak[peer] ?? 0))
    const written = (figures: readonly number[]): string => figures.map((figure) => figure.toFixed(0)).join(' → ')
    console.log(
      `${wire}: CPU ${written(of(once, 'cpu_ms'))} ms (× ${ratios.map((ratio) => ratio.toFixed(2)).join(' → ')}), ` +
        `memory of a worker at the peak ${written(atPeak)} kB, of one more ${written(ofOneMore)} kB`,
    )
  }
} finally {
  server.kill()
}
