import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { eventsOf, type Answer } from './vendors.ts'

/*
 * Workers in processes of their own behind a server that answers five requests a second and refuses the others (429,
 * retry-after 1): the whole run, starts of the processes and all, beside the time in which the server can answer as many
 * requests. `node bench/pace.ts [workers] [turns] [executor]` prints one JSON line.
 */
const [count = '50', each = '2', executor = 'process'] = process.argv.slice(2)
const [workers, turns] = [Number(count), Number(each)]
const rate = 5
const home = mkdtempSync(join(tmpdir(), 'troupe-pace-'))
const served: number[] = []
const refused: number[] = []

/** A bucket of a second's requests. */
let tokens = rate
let filled = performance.now()
function takes(): boolean {
  const now = performance.now()
  tokens = Math.min(rate, tokens + ((now - filled) / 1_000) * rate)
  filled = now
  if (tokens < 1) return false
  tokens -= 1
  return true
}

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
  readonly system?: unknown
}

function answerTo({ messages, system }: Asked): Answer {
  const step = messages.filter(({ role }) => role === 'assistant').length
  const call = (name: string, input: unknown): Answer => ({
    calls: [{ id: `call-${step}`, name, input: [JSON.stringify(input)] }],
  })
  if (!JSON.stringify(system).includes('You lead.'))
    return step % turns === turns - 1 ? { said: ['Done.'] } : call('LS', { path: `teams/../${'./'.repeat(step)}teams` })
  if (step > 0) return { said: [`Of ${workers} results ${JSON.stringify(messages).split('Done.').length - 1} came.`] }
  return call('Delegate', {
    subtasks: Array.from({ length: workers }, (_, n) => ({ worker: 'w', task: `piece ${n}` })),
  })
}

function serve(body: string, response: ServerResponse): void {
  if (!takes()) {
    refused.push(performance.now())
    const error = { type: 'error', error: { type: 'rate_limit_error', message: 'Too many requests.' } }
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' }).end(JSON.stringify(error))
    return
  }
  served.push(performance.now())
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(eventsOf('messages', answerTo(JSON.parse(body) as Asked)).join(''))
}

const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => serve(Buffer.concat(parts).toString(), response))
})

try {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const team = {
    name: 'many',
    model: 'anthropic/claude-sonnet-4-5',
    coordinator: { prompt: 'You lead.' },
    workers: { w: { description: 'Works.', prompt: 'You work.', tools: ['LS'], replicas: workers, executor } },
  }
  mkdirSync(join(home, 'teams'))
  writeFileSync(join(home, 'teams/many.yaml'), JSON.stringify(team))
  const bin = resolve(import.meta.dirname, '../dist/src/ui/cli/bin.js')
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const began = performance.now()
  const run = spawn(process.execPath, [bin, 'run', 'many', 'Begin.', '--json'], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: root },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const out: Buffer[] = []
  run.stdout.on('data', (part: Buffer) => out.push(part))
  await once(run, 'close')
  const total = (performance.now() - began) / 1_000
  const { status, result } = JSON.parse(Buffer.concat(out).toString()) as { status: string; result: string | null }
  if (status !== 'completed' || result === null) throw new Error(`the run ended ${status}: ${result}`)
  const ideal = served.length / rate
  const asking = ((served.at(-1) ?? 0) - (served[0] ?? 0)) / 1_000
  const figures = { served: served.length, refused: refused.length, ideal_s: ideal, asking_s: asking, total_s: total }
  console.log(JSON.stringify({ executor, workers, ...figures, ratio: total / ideal, result }))
} finally {
  server.close()
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
}
