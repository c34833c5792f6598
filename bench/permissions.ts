import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Policy } from '../src/protocol/permissions/permission.ts'

/**
 * How many calls one process judges in a second against 50 and against 1,000 rules, as `troupe permissions test` does it:
 * from a JSON line to a JSON line, symlinks followed. Prints one line per kind; `--json` for the figures alone.
 */
const ruleCounts = [50, 1_000]
const lines = Number(process.env['BENCH_LINES'] ?? 200_000)
const programs =
  'git npm node python3 cargo go docker kubectl make curl jq rg sed awk terraform aws gcloud psql redis-cli ssh'.split(
    ' ',
  )
const words =
  'build test run status log push pull plan apply get list show src/main.ts ./dist a.json --all -v -n 5'.split(' ')

/** The same numbers in every run. */
function counter(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % below
  }
}

function rules(cwd: string, count: number): Policy {
  const pick = counter(1)
  const one = (i: number): string => {
    const kinds = [
      `Bash(${programs[pick(programs.length)]} ${words[pick(words.length)]} ${i}:*)`,
      `Bash(tool-${i} *)`,
      `Read(./area-${i}/**)`,
      `Edit(/src/part-${i}/*.ts)`,
      `WebFetch(domain:host-${i}.test)`,
      `mcp__server${i}__do_*`,
      `Read(**/secret-${i}.*)`,
    ]
    return kinds[i % kinds.length] ?? ''
  }
  const all = Array.from({ length: count }, (_, i) => one(i))
  const split = (from: number, to: number): string[] => all.slice(from * count, to * count)
  return {
    mode: 'default',
    rules: {
      policy: { deny: split(0, 0.1) },
      project: { allow: split(0.1, 0.4), ask: split(0.4, 0.45), deny: split(0.45, 0.5) },
      local: { allow: split(0.5, 0.65) },
      user: { allow: split(0.65, 0.85), deny: split(0.85, 0.95) },
      cliArg: { ask: split(0.95, 1) },
    },
    bounds: { protected: [join(cwd, '.troupe')], scope: [], blockedHosts: [] },
    directories: [cwd],
  }
}

function bashLine(pick: (below: number) => number, i: number): string {
  const simple = (): string =>
    `${programs[pick(programs.length)]} ${words[pick(words.length)]} ${words[pick(words.length)]} x${i}`
  const shapes = [
    simple(),
    `${simple()} && ${simple()}`,
    `${simple()} | head -n ${i % 50}`,
    `cd src && ${simple()} 2>&1`,
    `echo "$(${simple()})"`,
  ]
  return JSON.stringify({ tool: 'Bash', input: { command: shapes[pick(shapes.length)] } })
}

function otherLine(pick: (below: number) => number, i: number): string {
  const shapes = [
    { tool: 'Read', input: { file_path: `src/part-${i % 997}/file-${i}.ts` } },
    { tool: 'Edit', input: { file_path: `./area-${i % 991}/b-${i}.ts`, old_string: 'a', new_string: 'b' } },
    { tool: 'WebFetch', input: { url: `https://host-${i % 1_000}.test/page/${i}` } },
    { tool: `mcp__server${i % 1_000}__do_it`, input: { n: i } },
    { tool: 'Grep', input: { pattern: `x${i}`, path: 'src' } },
  ]
  return JSON.stringify(shapes[pick(shapes.length)])
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0
}

type Line = (pick: (below: number) => number, i: number) => string

async function measure(name: string, line: Line, count: number) {
  const { lineJudge } = await import('../src/runtime/permissions/judge-lines.ts')
  const cwd = mkdtempSync(join(tmpdir(), 'troupe-bench-'))
  try {
    const { judge } = lineJudge(rules(cwd, count), { cwd, home: '/home/nobody' })
    const pick = counter(7)
    const texts = Array.from({ length: lines }, (_, i) => line(pick, i))
    for (const text of texts.slice(0, 2_000)) judge(text)
    const took: number[] = []
    let printed = 0
    const started = performance.now()
    const cpu = process.cpuUsage()
    for (const text of texts) {
      const before = performance.now()
      printed += JSON.stringify(judge(text)).length
      took.push(performance.now() - before)
    }
    const seconds = (performance.now() - started) / 1_000
    const { user, system } = process.cpuUsage(cpu)
    const perCpuSecond = Math.round(lines / ((user + system) / 1e6))
    took.sort((a, b) => a - b)
    return {
      name,
      rules: count,
      per_second: Math.round(lines / seconds),
      per_cpu_second: perCpuSecond,
      p50_us: quantile(took, 0.5) * 1_000,
      p99_us: quantile(took, 0.99) * 1_000,
      printed,
    }
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

const before = performance.now()
const results = []
for (const count of ruleCounts) {
  results.push(await measure('Bash', bashLine, count), await measure('other tools', otherLine, count))
}
const total = performance.now() - before
if (process.argv.includes('--json')) console.log(JSON.stringify({ lines, results }))
else {
  for (const { name, rules: count, per_second, per_cpu_second, p50_us, p99_us } of results) {
    console.log(
      `${String(count).padStart(5)} rules, ${name.padEnd(12)} ${String(per_second).padStart(8)} decisions/s (${per_cpu_second} per CPU second)   p50 ${p50_us.toFixed(1)} µs   p99 ${p99_us.toFixed(1)} µs`,
    )
  }
  console.log(`${(total / 1_000).toFixed(1)} s in all, ${Math.round(process.memoryUsage.rss() / 1e6)} MB resident`)
}
