import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import type { RunResult } from '../../src/protocol/run.ts'
import { recordOfRun } from '../../src/runtime/read-runs.ts'
import { apis, environmentFor, providerOf } from '../support/faulty-server.ts'
import { streamOf, type Api, type Speech } from '../support/vendors/speech.ts'
import { complaintsAt } from '../support/vendors/vendors.ts'
import { directoryWith, troupe } from '../ui/cli/process/troupe.ts'
import { goldenTranscript } from './support/transcript.ts'

/** Dollars per million tokens. */
const prices = { input: 3, output: 15 }
const usd = 1
const long = 4_000

const delegation = { subtasks: [{ worker: 'ana', task: 'Look everywhere.' }] }

/** The lead delegates and answers; its worker looks around until it is told to report. */
function spoken(agent: string, heard: string, step: number): Omit<Speech, 'usage'> {
  const call = (name: string, input: object) => ({ text: '', call: { id: `${agent}_${step}`, name, input } })
  if (agent === 'lead') return step === 0 ? call('Delegate', delegation) : { text: 'As far as it went: ana saw half.' }
  return heard.includes('Write your final report') ? { text: 'I saw half.' } : call('Glob', { pattern: `*.${step}` })
}

/** The longest answer that a request allows, in whatever words. */
function longestIn(body: string): number {
  return Number(/"max_(?:completion_|output_)?tokens":(\d+)/.exec(body)?.[1])
}

/** A vendor on loopback that keeps its own account of what it was asked. */
async function serve(api: Api) {
  const bill = { usd: 0, answers: 0, complaints: [] as string[] }
  const steps = new Map<string, number>()
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    bill.complaints.push(...complaintsAt(request.url ?? '', body))
    const agent = /You are ([a-z0-9-]+)@/.exec(body)?.[1] ?? ''
    const step = steps.get(agent) ?? 0
    steps.set(agent, step + 1)
    const usage = { input: Math.floor(body.length / 4), output: Math.min(long, longestIn(body)) }
    bill.usd += usage.input * prices.input + usage.output * prices.output
    bill.answers += 1
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(streamOf(api, { ...spoken(agent, body, step), usage }))
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { bill, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const hand = { description: 'Looks.', prompt: 'You look.', tools: ['Glob'], max_turns: 200 }

/** How often the worker looked around depends on how long a vendor's requests are: only the round of the warning is told. */
function withoutRounds(transcript: string): string {
  return transcript
    .replace(/^model requests: \d+\n/, '')
    .replaceAll(/ {2}asks its model\n {2}calls Glob [^\n]*\n {2}result: [^\n]*\n/g, '')
    .replaceAll(/\*\.\d+/g, '*.…')
}

test.for(apis)(
  'a budget that runs out in the middle: warning, report, last word and exit code 4 over %s',
  { timeout: 60_000 },
  async (api) => {
    const { bill, url } = await serve(api)
    const model = providerOf[api]
    const cwd = directoryWith({
      'teams/spender.yaml': stringify({
        name: 'spender',
        model,
        budget: { usd },
        coordinator: { prompt: 'You lead.', gather: { on_failure: { retry: 0 } } },
        workers: { ana: hand },
      }),
      '.troupe/models.json': JSON.stringify({ [model]: prices }),
    })
    const env = environmentFor(url)
    const { code, stdout, stderr } = await troupe(cwd, ['run', 'spender', 'Begin.', '--json'], { env })
    const result = JSON.parse(stdout) as RunResult
    expect({ code, complaints: bill.complaints }).toEqual({ code: 4, complaints: [] })
    expect(stderr).toContain("the team has used four fifths of the team's budget of dollars")
    expect(stderr).toContain('ana is to report: ')
    expect(bill.usd).toBeLessThanOrEqual(usd * 1_000_000)
    const cost = await troupe(cwd, ['cost', '--json'], { env })
    expect(JSON.parse(cost.stdout)).toMatchObject({ total: { answers: bill.answers } })
    expect(Math.round((result.cost_usd ?? 0) * 1_000_000)).toBe(bill.usd)
    const transcript = withoutRounds(goldenTranscript(recordOfRun(result.run_dir).recorded, result))
    await expect(transcript).toMatchFileSnapshot('golden/budget-exhausted-mid-run-with-a-final-report.txt')
  },
)
