import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { backlog, blocked, emptyProcess, idle, restart, takeover } from './at-rest.ts'
import { bareWithin, between, median, percentile, throughput, within, type Way } from './measures.ts'

/**
 * `npm run bench:mail`: each goal of mail beside a bare folder in the same run, in turns, so that what else the machine
 * does meets both alike. `--quick` measures less; `--json` adds everything as one last line.
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

async function latency(rate: number, count: number, enough: number): Promise<void> {
  const load = { senders: 1, each: Math.max(50, Math.round((count * scale) / rounds)), rate }
  const spans = async (way: Way) => (await between(way, load)).ms
  const [mail = [], bare = []] = (await inTurns([() => spans('mail'), () => spans('bare')])).map((each) => each.flat())
  const compare = (what: string, part: number, { times, ms }: { times: number; ms: number }) => {
    const [ours, theirs] = [percentile(mail, part), percentile(bare, part)]
    const met = ours <= ms || ours <= times * theirs
    row(`other process, ${rate}/s, ${what}`, { mail: ours, bare: theirs, unit: 'ms' }, `≤ ${times} × or ${ms} ms`, met)
  }
  compare('p50', 0.5, { times: 1.5, ms: enough })
  compare('p99', 0.99, { times: 2, ms: 5 })
}

async function rates(senders: number, count: number): Promise<number> {
  const ways = (['mail', 'bare'] as const).map((way) => () => throughput(way, senders, count))
  const [mail = [], bare = []] = await inTurns(ways)
  const [ours, theirs] = [mail, bare].map((each) => median(each.map(({ rate }) => rate)))
  const [cpu, bareCpu] = [mail, bare].map((each) => median(each.map(({ cpu_us }) => cpu_us)))
  if (!ours || !theirs || !cpu || !bareCpu) throw new Error('nothing was measured')
  row(`throughput ${senders} → 1`, { mail: ours, bare: theirs, unit: '/s' }, '≥ 0.8 ×', ours >= 0.8 * theirs)
  row('… CPU of the receiver a mail', { mail: cpu, bare: bareCpu, unit: 'µs' })
  const [sending, bareSending] = [mail, bare].map((each) => median(each.map(({ sender_us }) => sender_us)))
  if (sending && bareSending) row('… CPU of a sender', { mail: sending, bare: bareSending, unit: 'µs' })
  return ours
}

async function backlogs(size: number): Promise<void> {
  const [mail, bare] = [await backlog(size, 'mail'), await backlog(size, 'bare')]
  const of = (key: keyof typeof mail, unit: string) => ({ mail: mail[key], bare: bare[key], unit })
  row(`backlog of ${size}: first mail`, of('first_ms', 'ms'), '≤ 150 ms', mail.first_ms <= 150)
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
  const times = values.quick ? 3 : 15
  const [spans, empty]: [number[], number[]] = [[], []]
  for (let n = 0; n < times; n += 1) {
    spans.push(await restart())
    empty.push(await emptyProcess())
  }
  const bare = median(empty)
  row(
    'restart after kill -9 to first mail, p50',
    { mail: median(spans), bare, unit: 'ms' },
    '≤ 150 ms',
    median(spans) <= 150,
  )
  const most = Math.max(...spans)
  row('… at most', { mail: most, bare: Math.max(...empty), unit: 'ms' }, '≤ 300 ms', most <= 300)
}

console.log(`${''.padEnd(44)} ${'mail'.padStart(16)} ${'bare'.padStart(16)}  ratio   goal`)
// Measured before other things made this process large.
await idleBoxes(1000)
await latency(10, 300, 1)
await latency(1000, 6000, 0.3)
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
const one = await rates(1, Math.round(20_000 * scale))
const eight = await rates(8, Math.round(20_000 * scale))
row('8 → 1 beside 1 → 1', { mail: eight, bare: one, unit: '/s' }, 'not slower', eight >= one)
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
