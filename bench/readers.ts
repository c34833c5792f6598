import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { leadingPid } from '../src/runtime/runs/leader.ts'
import { recordOfRun } from '../src/runtime/runs/read-runs.ts'
import { median } from './figures.ts'

/*
 * A run with and without readers of its stream at `troupe serve`, half of whom never read: three processes, the leader, the
 * server and this one, which reads. A turn takes 0.2 s and a little. Each round has a run without readers twice, which says how far
 * two equal runs differ, one with a single reader, and one with all. `node bench/readers.ts [readers] [rounds] [turns]` prints
 * one JSON line.
 */
const [count = '500', rounds = '5', each = '60'] = process.argv.slice(2)
const [readers, pairs, turns] = [Number(count), Number(rounds), Number(each)]
const home = mkdtempSync(join(tmpdir(), 'troupe-readers-'))
mkdirSync(join(home, 'teams'))
const team = {
  name: 'walk',
  model: 'scripted/walk.script.yaml',
  coordinator: { prompt: 'You lead.' },
  workers: { ana: { description: 'Walks.', prompt: 'You walk.', tools: ['Bash'], max_turns: turns + 2 } },
}
const calls = Array.from({ length: turns }, (_, n) => ({
  calls: [{ tool: 'Bash', input: { command: `sleep 0.2; echo ${n}` } }],
}))
const delegate = { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Walk.' }] } }] }
const agents = { lead: { steps: [delegate, { say: 'Walked.' }] }, ana: { steps: [...calls, { say: 'There.' }] } }
writeFileSync(join(home, 'teams/walk.yaml'), JSON.stringify(team))
writeFileSync(join(home, 'teams/walk.script.yaml'), JSON.stringify({ agents }))

const bin = resolve(import.meta.dirname, '../src/ui/cli/bin.ts')
const env = { PATH: process.env['PATH'], HOME: home }
const server = spawn(process.execPath, [bin, 'serve', '--port', '0', '--json'], { cwd: home, env, stdio: 'pipe' })
let said = ''
for await (const chunk of server.stdout) {
  said += String(chunk)
  if (said.endsWith('}\n')) break
}
const { url, tokens, pid } = JSON.parse(said) as { url: string; tokens: string; pid: number }
const known = JSON.parse(readFileSync(tokens, 'utf8')) as { tokens: { token: string }[] }
const headers = { authorization: `Bearer ${known.tokens.at(-1)?.token}`, 'content-type': 'application/json' }

/** Milliseconds of a run from its first fact to its last, as its journals say, and of its leader's CPU until just before its end. */
async function runWith(number: number): Promise<{ readonly wall: number; readonly cpu: number }> {
  const body = JSON.stringify({ team: 'walk', task: 'Walk.' })
  const started = await fetch(`${url}/api/runs`, { method: 'POST', headers, body })
  const { run, run_dir } = (await started.json()) as { run: string; run_dir: string }
  const streams = Array.from({ length: number }, (_, n) => {
    const asked = get(`${url}/api/runs/${run}/events`, { agent: false, headers }, (stream: IncomingMessage) => {
      stream.on('error', () => undefined)
      if (n % 2 === 0) stream.resume()
    })
    return asked.on('error', () => undefined)
  })
  while (leadingPid(run_dir, null) === null || recordOfRun(run_dir).recorded.length === 0) await pause(50)
  let cpu = 0
  for (let leader = leadingPid(run_dir, null); leader !== null; leader = leadingPid(run_dir, null)) {
    cpu = cpuOf(leader) ?? cpu
    await pause(50)
  }
  for (const stream of streams) stream.destroy()
  const times = recordOfRun(run_dir).recorded.map(({ entry }) => entry.at)
  return { wall: Math.max(...times) - Math.min(...times), cpu }
}

/** Milliseconds that a process has worked; null for one that is gone. Source: proc(5), in ticks of 10 ms */
function cpuOf(leader: number): number | null {
  try {
    const fields = readFileSync(`/proc/${leader}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return null
  }
}

function residentMb(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
}

try {
  await runWith(0)
  const rows: Awaited<ReturnType<typeof runWith>>[][] = []
  for (let n = 0; n < pairs; n += 1) {
    const row: (typeof rows)[number] = []
    for (const number of [0, 0, 1, readers]) row.push(await runWith(number))
    rows.push(row)
  }
  const figuresOf = (kind: 'wall' | 'cpu') => {
    const [alone, again, one, read] = [0, 1, 2, 3].map((at) => {
      const more = median(rows.map((row) => (row[at]?.[kind] ?? Number.NaN) / (row[0]?.[kind] ?? Number.NaN) - 1))
      return {
        ms: median(rows.map((row) => row[at]?.[kind] ?? Number.NaN)),
        more_percent: Math.round(more * 1_000) / 10,
      }
    })
    return { alone, again, one, read }
  }
  const figures = { wall: figuresOf('wall'), leader_cpu: figuresOf('cpu'), server_peak_mb: residentMb() }
  console.log(JSON.stringify({ readers, pairs, turns, ...figures }))
} finally {
  server.kill('SIGTERM')
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
}
