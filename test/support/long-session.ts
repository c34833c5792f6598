import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createAgent, defineTool, z, type Agent } from '../../src/index.ts'
import { Skill } from '../../src/tools.ts'
import { cacheServer } from './cache-server.ts'
import { environmentFor, providerOf } from './faulty-server.ts'
import { streamOf, type Api, type Speech } from './vendors/speech.ts'
import { complaintsAt } from './vendors/vendors.ts'

/** Tokens of the window, counted by the server at four characters each. */
const longWindow = 32_000
const charsPerToken = 4

/** Where requests are counted. */
const counts = /\/(count_tokens|input_tokens|apply-template|tokenize)$/

/** What a vendor saw of a session. */
export interface LongSession {
  readonly root: string
  readonly complaints: readonly string[]
  /** The requests that were longer than the window, by turn. */
  readonly overflows: readonly number[]
  turns(): number
  summaries(): number
  /** Requests of the session that found less in Anthropic's cache than the one before held. */
  misses(): number
  /** The latest request of the session itself. */
  last(): string
  close(): Promise<void>
}

interface Plot {
  readonly api: Api
  readonly turns: number
  /** Turns whose answer holds a line to keep. */
  readonly facts: readonly number[]
  /** The skill that the first turn opens. */
  readonly skill?: string
}

/** `FACT-300: …`: the line that the answer of a turn plants. */
export function factOf(turn: number): string {
  return `FACT-${turn}: the sluice of lock ${turn} opens at ${turn * 7} cm`
}

/**
 * A vendor that takes a session through so many turns, refuses what vendors refuse and what is longer than the window, and
 * summarises by copying the lines marked as facts.
 */
export async function longSession({ api, turns, facts, skill }: Plot): Promise<LongSession> {
  const complaints: string[] = []
  const overflows: number[] = []
  const seen = { turn: 0, summaries: 0, last: '', held: 0, misses: 0 }
  const ask = cacheServer()
  const speech = (text: string): Speech => {
    if (text.includes('You summarise the conversation')) {
      seen.summaries += 1
      const kept = new Set(text.match(/FACT-\d+: [\w ]+/g))
      return { text: ['Facts:', ...kept].join('\n') }
    }
    seen.turn += 1
    seen.last = text
    if (api === 'anthropic') {
      const { read, all } = ask(text)
      if (read < seen.held) seen.misses += 1
      // A beginning of fewer tokens is not kept.
      seen.held = all < 1_024 ? 0 : all
    }
    if (skill !== undefined && seen.turn === 1) return { text: 'I look it up.', calls: [opening(skill)] }
    return seen.turn < turns ? working(seen.turn, facts) : { text: 'All is done.' }
  }
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      if (counts.test(request.url ?? '')) {
        const input_tokens = Math.ceil(text.length / charsPerToken)
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ input_tokens }))
        return
      }
      const wrong = complaintsAt(request.url ?? '', text)
      complaints.push(...wrong)
      const input = Math.ceil(text.length / charsPerToken)
      if (input > longWindow) overflows.push(seen.turn)
      if (wrong.length > 0 || input > longWindow) {
        const message = wrong.join('; ') || `prompt is too long: ${input} tokens > ${longWindow} maximum`
        response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }))
        return
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(streamOf(api, { ...speech(text), usage: { input, output: 40 } }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    root: `http://127.0.0.1:${port}`,
    complaints,
    overflows,
    turns: () => seen.turn,
    summaries: () => seen.summaries,
    misses: () => seen.misses,
    last: () => seen.last,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}

const opening = (skill: string) => ({ id: 'call_1', name: 'Skill', input: { skill } })

function working(turn: number, facts: readonly number[]): Speech {
  const fact = facts.includes(turn) ? ` ${factOf(turn)}.` : ''
  const chars = turn % 9 === 0 ? 9_000 : 1_200
  return {
    text: `Turn ${turn}: I go on to the next lock.${fact}`,
    calls: [{ id: `call_${turn}`, name: 'Measure', input: { lock: turn, chars } }],
  }
}

const measure = defineTool({
  name: 'Measure',
  description: 'Measures a lock.',
  input: z.strictObject({ lock: z.number(), chars: z.number() }),
  effect: 'none',
  isReadOnly: () => true,
  run: async ({ lock, chars }) => ({ content: [{ type: 'text', text: `lock ${lock} `.repeat(chars / 9) }] }),
})

/** The agent of such a session, with its journal in `dir`. */
export function sessionAgent(dir: string, { root, api }: { readonly root: string; readonly api: Api }): Agent {
  mkdirSync(join(dir, '.troupe'), { recursive: true })
  const sizes = { input: 0, output: 0, window: longWindow, max_output: 2_000 }
  writeFileSync(join(dir, '.troupe', 'models.json'), JSON.stringify({ [providerOf[api]]: sizes }))
  const model = providerOf[api]
  return createAgent({
    model,
    env: environmentFor(root),
    tools: [measure, Skill],
    cwd: dir,
    home: dir,
    runDir: dir,
    maxTurns: 5_000,
  })
}
