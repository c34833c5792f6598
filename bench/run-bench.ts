import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { cases, type Case } from './beside/cases.ts'
import { median, type Figures } from './figures.ts'
import { wires, type Wire } from './noop.ts'

/*
 * `npm run bench [-- --rounds 5] [--case loop,fan] [--vs DIR] [--json]`: the library beside loops of the raw vendor SDK, interleaved, each in
 * a fresh process against one loopback server. `--vs` takes another checkout (built, if it is to be measured so) into the
 * same rounds; `--json` prints one document and nothing else. Ratios are medians of each round's own.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    case: { type: 'string' },
    vs: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)
const wanted = values.case?.split(',') ?? cases.map(({ name }) => name)
const folder = join(import.meta.dirname, 'beside')

interface Peer {
  readonly name: string
  readonly kind: 'raw' | 'own'
  readonly checkout?: string
}

const peers: readonly Peer[] = [
  { name: 'raw', kind: 'raw' },
  ...(values.vs === undefined ? [] : [{ name: 'before', kind: 'own', checkout: resolve(values.vs) } as const]),
  { name: 'now', kind: 'own' },
]

interface Row {
  readonly case: string
  readonly wire: Wire
  readonly figure: string
  readonly unit: 'ms' | 'kB'
  /** By peer, medians. */
  readonly medians: Readonly<Record<string, number>>
  /** To the raw loop, by peer, medians of rounds. */
  readonly ratios: Readonly<Record<string, number>>
  readonly goal: number | null
}

function play(peer: Peer, wire: Wire, played: Case, url: string): Figures {
  const words = ['--expose-gc', join(folder, 'play.ts'), peer.kind, wire, url, played.name, String(played.size)]
  const env = { ...process.env, ...(peer.checkout === undefined ? {} : { BENCH_CHECKOUT: peer.checkout }) }
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', env })
  const last = stdout.trim().split('\n').at(-1) ?? ''
  if (!last.startsWith('{')) throw new Error(`${played.name} of ${peer.name} over ${wire} failed: ${stderr}`)
  return JSON.parse(last) as Figures
}

function rowsOf(played: Case, wire: Wire, url: string): readonly Row[] {
  const all = Array.from({ length: rounds }, (_, round) => {
    // Every second round the other way round: whoever comes first is not always the same.
    const order = round % 2 === 0 ? peers : peers.toReversed()
    return new Map(order.map((peer) => [peer.name, play(peer, wire, played, url)]))
  })
  return played.shown.map(({ figure, per, goal = null }): Row => {
    const share = played.each && figure !== 'rss_kb' ? played.size : 1
    const figures = (name: string) => all.map((round) => (round.get(name)?.[figure] ?? Number.NaN) / share)
    const raw = figures('raw')
    const byPeer = (value: (name: string) => number) => Object.fromEntries(peers.map(({ name }) => [name, value(name)]))
    return {
      case: played.name,
      wire,
      figure: `${played.what}, ${per}`,
      unit: figure === 'rss_kb' ? 'kB' : 'ms',
      medians: byPeer((name) => median(figures(name))),
      ratios: byPeer((name) => median(figures(name).map((value, n) => value / (raw[n] ?? Number.NaN)))),
      goal,
    }
  })
}

function line({ figure, wire, unit, medians, ratios, goal }: Row): string {
  const told = peers.map(({ name }) => `${name} ${short(medians[name])} ${unit}`).join(' → ')
  const times = peers.slice(1).map(({ name }) => `× ${short(ratios[name])}`)
  const verdict = goal === null ? '' : ` (goal ${goal}: ${(ratios['now'] ?? Infinity) <= goal ? 'met' : 'missed'})`
  return `${figure.padEnd(44)} ${wire.padEnd(9)} ${told}   ${times.join(' → ')}${verdict}`
}

function short(value = Number.NaN): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2)
}

const server = spawn(process.execPath, [join(folder, 'server.ts')], { stdio: ['ignore', 'pipe', 'inherit'] })
try {
  const [said] = (await once(server.stdout, 'data')) as [Buffer]
  const rows: Row[] = []
  const load = loadavg()[0] ?? 0
  if (!values.json) console.log(`${rounds} rounds, Node ${process.versions.node}, load ${load.toFixed(1)}`)
  for (const played of cases.filter(({ name }) => wanted.includes(name))) {
    for (const wire of wires) {
      const found = rowsOf(played, wire, said.toString().trim())
      rows.push(...found)
      if (!values.json) for (const row of found) console.log(line(row))
    }
  }
  if (values.json) console.log(JSON.stringify({ node: process.versions.node, rounds, load, rows }, null, 2))
} finally {
  server.kill()
}
