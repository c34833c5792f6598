import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { eventsOf, type Answer } from './vendors.ts'

/*
 * What a worker in a process of its own holds in memory: at its hello, before any SDK is there, and after its first turn.
 * `node bench/worker-memory.ts [anthropic|chat] [bin]` prints one JSON line, in megabytes; `bin` is
 * dist/src/ui/cli/bin.js.
 */
const wire = process.argv[2] === 'chat' ? 'chat' : 'anthropic'
const bin = resolve(process.argv[3] ?? 'dist/src/ui/cli/bin.js')
const goal = { hello: 90, first_turn: 120 }
const resident: Partial<Record<keyof typeof goal, number>> = {}
const cwd = mkdtempSync(join(tmpdir(), 'troupe-memory-'))
let worker: number | null = null

const server = createServer((request, response) => void respond(request, response))
server.listen(0, '127.0.0.1', () => run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request)
  const step = body.split('"role":"assistant"').length - 1
  const isLead = body.includes('the coordinator of a team')
  if (!isLead && step === 1) note('first_turn')
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(eventsOf(request.url ?? '', isLead ? led(step) : worked(step)).join(''))
}

function led(step: number): Answer {
  if (step > 0) return { said: ['Done.'] }
  const subtasks = [{ worker: 'hand', task: 'Look around.' }]
  return { calls: [{ id: 'lead', name: 'Delegate', input: [JSON.stringify({ subtasks })] }] }
}

function worked(step: number): Answer {
  return step > 0
    ? { said: ['Seen.'] }
    : { calls: [{ id: 'call', name: 'LS', input: [JSON.stringify({ path: '.' })] }] }
}

function run(url: string): void {
  const model = wire === 'chat' ? 'openai-compatible/m' : 'anthropic/m'
  const hand = { description: 'Works.', prompt: 'You work.', tools: ['Read', 'LS', 'Bash'], executor: 'process' }
  const team = { name: 'crew', model, coordinator: { prompt: 'You lead.' }, workers: { hand } }
  writeFileSync(join(cwd, 'team.yaml'), JSON.stringify(team))
  const runs = join(cwd, '.troupe', 'runs')
  mkdirSync(runs, { recursive: true })
  const servers = { ANTHROPIC_API_KEY: 'key-of-the-bench', ANTHROPIC_BASE_URL: url, OPENAI_COMPATIBLE_BASE_URL: url }
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(cwd, 'home'), ...servers }
  const seen = watch(runs, { recursive: true }, () => lookForHello(runs))
  const troupe = spawn(process.execPath, [bin, 'run', join(cwd, 'team.yaml'), 'Begin.'], { cwd, env, stdio: 'ignore' })
  troupe.on('exit', (code) => {
    seen.close()
    server.close()
    rmSync(cwd, { recursive: true, force: true })
    console.log(JSON.stringify({ wire, code, ...resident, goal }))
  })
}

/** The worker names its process in the run directory when it says hello. */
function lookForHello(runs: string): void {
  if (worker !== null) return
  for (const run of readdirSync(runs)) {
    try {
      const { pid, state } = JSON.parse(readFileSync(join(runs, run, 'members', 'hand.json'), 'utf8')) as {
        readonly pid?: number
        readonly state: string
      }
      if (pid === undefined || state !== 'starting') continue
      worker = pid
      note('hello')
    } catch {
      // Not there yet.
    }
  }
}

function note(moment: keyof typeof goal): void {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${worker}/status`, 'utf8'))?.[1]
  resident[moment] ??= Math.round(Number(kilobytes) / 1_024)
}
