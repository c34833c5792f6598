import { parseArgs } from 'node:util'
import { backlog, between, idle, percentile, takeover, throughput, within, type Way } from './measures.ts'

/** `npm run bench:mail`: mail beside a bare folder in the same run. `--json` prints one document, `--quick` measures less. */
const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } },
})
const scale = values.quick ? 0.1 : 1
const rows: Row[] = []

interface Row {
  readonly what: string
  readonly mail: string
  readonly bare: string
  readonly goal: string
}

function row(what: string, mail: string, bare: string, goal: string): void {
  rows.push({ what, mail, bare, goal })
  if (!values.json) console.log(`${what.padEnd(44)} ${mail.padStart(22)} ${bare.padStart(22)}   ${goal}`)
}

const spread = (ms: readonly number[]): string =>
  `${percentile(ms, 0.5).toFixed(2)} / ${percentile(ms, 0.99).toFixed(1)} ms`

async function latency(rate: number, count: number, goal: string): Promise<void> {
  const load = { senders: 1, each: Math.max(50, Math.round(count * scale)), rate }
  // Alternating, so that what else the machine does meets both alike.
  const [first, second] = [await between('mail', load), await between('bare', load)]
  const [third, fourth] = [await between('mail', load), await between('bare', load)]
  row(
    `other process, ${rate}/s, p50 / p99`,
    spread([...first.ms, ...third.ms]),
    spread([...second.ms, ...fourth.ms]),
    goal,
  )
}

async function rates(senders: number, count: number): Promise<void> {
  const run = async (way: Way): Promise<number> => {
    const figures = [await throughput(way, senders, count), await throughput(way, senders, count)]
    return Math.max(...figures)
  }
  const [bare, mail] = [await run('bare'), await run('mail')]
  const ratio = (mail / bare).toFixed(2)
  row(`throughput ${senders} → 1, mails/s (ratio ${ratio})`, mail.toFixed(0), bare.toFixed(0), '≥ 0.8 × bare')
}

if (!values.json) console.log(`${''.padEnd(44)} ${'mail'.padStart(22)} ${'bare folder'.padStart(22)}   goal`)
await latency(10, 100, '≤ 1.5 × / 2 × bare')
await latency(1000, 4000, '≤ 1.5 × / 2 × bare')
row('same process, p50 / p99', spread(await within(Math.round(5000 * scale))), '', 'p50 ≤ 0.3 ms')
row(
  'power-cut safe, 100/s, p50 / p99',
  spread((await between('power', { senders: 1, each: Math.round(600 * scale), rate: 100 })).ms),
  '',
  '≤ 3 / 15 ms',
)
await rates(1, Math.round(20_000 * scale))
await rates(8, Math.round(20_000 * scale))
const size = Math.round(100_000 * scale)
const { first_ms, send_empty_us, send_full_us, per_second, memory_mb } = await backlog(size)
row(`backlog of ${size}: first mail`, `${first_ms.toFixed(0)} ms`, '', '≤ 150 ms')
row(
  '… a send into it / into an empty box',
  `${send_full_us.toFixed(0)} / ${send_empty_us.toFixed(0)} µs`,
  '',
  '≤ 1.3 ×',
)
row('… read, and memory above the start', `${per_second.toFixed(0)}/s, ${memory_mb.toFixed(0)} MB`, '', '≤ 64 MB')
const rest = await idle(1000, values.quick ? 5_000 : 20_000)
row(
  '1,000 idle boxes: CPU, memory',
  `${rest.cpu_percent.toFixed(2)} %, ${rest.memory_mb.toFixed(0)} MB`,
  '',
  '≤ 0.05 %, 35 MB',
)
const takeovers = [await takeover(), await takeover(), await takeover()]
row('take-over of a dead owner', `${Math.max(...takeovers).toFixed(1)} ms`, '', '≤ 200 ms')
if (values.json) console.log(JSON.stringify({ rows }, null, 2))
