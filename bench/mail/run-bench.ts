import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { backlog, blocked, emptyProcess, idle, restart, takeover } from './at-rest.ts'
import { builtReceiver } from './built.ts'
import { bareWithin, between, median, percentile, throughput, within } from './measures.ts'
import type { Throughput, Way } from './measures.ts'

/**
 * `npm run bench:mail`: prints the goals of mail, with a bare folder beside them in the same run, in turns: other load of
 * the machine meets both alike, and changes the CPU figures least. `--quick` measures less; `--json` adds everything as
 * one last line.
 */
const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } },
})
const scale = values.quick ? 0.1 : 1
const rounds = values.quick ? 1 : 3

interface Row {
  readonly what: string
  /** As the unit says; `bare` is null where there is nothing to compare with. */
  readonly mail: number
  readonly bare: number | null
  readonly unit: string
  readonly goal: string
  /** Null where there is no goal. */
  readonly met: boolean | null
}

const rows: Row[] = []

function row(what: string, measured: Pick<Row, 'mail' | 'bare' | 'unit'>, goal = '', met: boolean | null = null): void {
  rows.push({ what, ...measured, goal, met })
  const { mail, bare, unit } = measured
  const figure = (value: number | null) => (value === null ? '' : `${short(value)} ${unit}`).padStart(16)
  const ratio = bare ? (mail / bare).toFixed(2) : ''
  const verdict = met ? 'met' : 'missed'
  console.log(
    `${what.padEnd(44)} ${figure(mail)} ${figure(bare)} ${ratio.padStart(6)}   ${goal && `${verdict.padEnd(6)} ${goal}`}`,
  )
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2)
}

/** Each way in turn, as often as there are rounds. */
async function inTurns<Figure>(ways: readonly (() => Promise<Figure>)[]): Promise<Figure[][]> {
  const figures: Figure[][] = ways.map(() => [])
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, measure] of ways.entries()) figures[index]?.push(await measure())
  }
  return figures
}

async function latency(rate: number, count: number): Promise<void> {
  const load = { senders: 1, each: Math.max(50, Math.round((count * scale) / rounds)), rate }
  const spans = async (way: Way) => (await between(way, load)).ms
  const [mail = [], bare = []] = await inTurns([() => spans('mail'), () => spans('bare')])
  const compare = (what: string, part: number) => {
    const [ours, theirs] = [percentile(mail.flat(), part), percentile(bare.flat(), part)]
    row(`other process, ${rate}/s, ${what}`, { mail: ours, bare: theirs, unit: 'ms' })
  }
  compare('p50', 0.5)
  compare('p99', 0.99)
  // Nearly all code of both ends runs for the first time then: too few mails for a percentile, too slow to pass over.
  const first = (runs: readonly (readonly number[])[]) => median(runs.map(([ms = Number.NaN]) => ms))
  row('… the first mail of two processes', { mail: first(mail), bare: first(bare), unit: 'ms' })
}

async function rates(senders: number, count: number): Promise<void> {
  const [mail = [], bare = []] = await inTurns([
    () => throughput('mail', senders, count),
    () => throughput('bare', senders, count),
  ])
  const both = (key: keyof Throughput, unit: string) => {
    const [ours, theirs] = [mail, bare].map((each) => median(each.map((one) => one[key])))
    return { mail: ours ?? Number.NaN, bare: theirs ?? Number.NaN, unit }
  }
  const rate = both('rate', '/s')
  if (senders === 1) row('throughput 1 → 1', rate, '≥ 4,000/s', rate.mail >= 4_000)
  else row(`throughput ${senders} → 1`, rate)
  for (const [what, key] of [
    ['… CPU of a sender a mail', 'sender_ms'],
    ['… CPU of the receiver', 'receiver_ms'],
  ] as const) {
    const cost = both(key, 'ms')
    row(what, cost, '≤ 0.25 ms', cost.mail <= 0.25)
  }
}

async function backlogs(size: number): Promise<void> {
  const [mail, bare] = [await backlog(size, 'mail'), await backlog(size, 'bare')]
  const of = (key: keyof typeof mail, unit: string) => ({ mail: mail[key], bare: bare[key], unit })
  row(`backlog of ${size}: first mail`, of('first_ms', 'ms'), '≤ 300 ms', mail.first_ms <= 300)
  row('… a send into an empty box', of('send_empty_us', 'µs'))
  const dearer = mail.send_full_us / mail.send_empty_us
  row('… a send into the full one', of('send_full_us', 'µs'), '≤ 1.3 × the empty one', dearer <= 1.3)
  row('… read', of('per_second', '/s'))
  row('… memory above the start', of('memory_mb', 'MB'), '≤ 64 MB', mail.memory_mb <= 64)
}

async function idleBoxes(count: number): Promise<void> {
  const ms = values.quick ? 5_000 : 20_000
  const [mail, bare] = [await idle(count, ms, 'mail'), await idle(count, ms, 'bare')]
  const of = (key: keyof typeof mail, unit: string) => ({ mail: mail[key], bare: bare[key], unit })
  row(`${count} idle boxes: CPU`, of('cpu_percent', '%'), '≤ 0.05 %', mail.cpu_percent <= 0.05)
  row('… memory', of('memory_mb', 'MB'), '≤ 35 MB', mail.memory_mb <= 35)
  row('… watches of the kernel', of('watches', ''), '≤ 1 each', mail.watches <= count)
}

async function restarts(): Promise<void> {
  const built = await builtReceiver()
  const spans = { built: [] as number[], sources: [] as number[], empty: [] as number[] }
  for (let n = 0; n < (values.quick ? 3 : 15); n += 1) {
    spans.built.push(await restart(built))
    spans.sources.push(await restart('receiver-process.ts'))
    spans.empty.push(await emptyProcess())
  }
  for (const [what, each] of [
    ['as the package ships it', spans.built],
    ['from its sources', spans.sources],
  ] as const) {
    const [half, most] = [median(each), Math.max(...each)]
    const name = `restart after kill -9, ${what}`
    row(`${name}, p50`, { mail: half, bare: median(spans.empty), unit: 'ms' }, '≤ 150 ms', half <= 150)
    row('… at most', { mail: most, bare: Math.max(...spans.empty), unit: 'ms' }, '≤ 300 ms', most <= 300)
  }
}

console.log(`${''.padEnd(44)} ${'mail'.padStart(16)} ${'bare'.padStart(16)}  ratio   goal`)
// Measured before other things made this process large.
await idleBoxes(1000)
await latency(10, 750)
await latency(1000, 6000)
const together = Math.round(5000 * scale)
const [inside, bareInside] = [median(await within(together)), median(await bareWithin(together))]
row('same process, p50', { mail: inside, bare: bareInside, unit: 'ms' }, '≤ 0.3 ms', inside <= 0.3)
const synced = { senders: 1, each: Math.round(600 * scale), rate: 100 }
const [safe, bareSafe] = [(await between('power', synced)).ms, (await between('bare-power', synced)).ms]
for (const [what, part, most] of [
  ['p50', 0.5, 3],
  ['p99', 0.99, 15],
] as const) {
  const [ours, theirs] = [percentile(safe, part), percentile(bareSafe, part)]
  row(`power-cut safe, 100/s, ${what}`, { mail: ours, bare: theirs, unit: 'ms' }, `≤ ${most} ms`, ours <= most)
}
await rates(1, Math.round(40_000 * scale))
await rates(8, Math.round(40_000 * scale))
await backlogs(Math.round(100_000 * scale))
const renames = Math.round(40_000 * scale)
const { left, ms } = await blocked(renames)
row(`${renames} while the loop is blocked: left`, { mail: left, bare: null, unit: '' }, '0', left === 0)
row('… until all are in the journal', { mail: ms, bare: null, unit: 'ms' })
await restarts()
const takeovers = [await takeover(), await takeover(), await takeover()]
const longest = Math.max(...takeovers)
row('take-over of a dead owner', { mail: longest, bare: null, unit: 'ms' }, '≤ 200 ms', longest <= 200)
if (values.json) console.log(JSON.stringify({ load: loadavg(), rows }))
