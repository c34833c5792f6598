import { readdirSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import { openModel, type OpenModelOptions } from '../../src/adapters/models/catalog.ts'
import type { Model } from '../../src/protocol/models/model.ts'
import { modelServer, sendJson, type ModelServer } from '../adapters/models/support/model-server.ts'

/** Whole answers of the three APIs as their bytes, and beside each what it means. */
const samples = resolve(import.meta.dirname, 'samples/wire')

const meaningSchema = z.strictObject({
  text: z.string(),
  thinking: z.array(z.string()),
  /** Thoughts that their vendor wants back as they were. */
  signed: z.number(),
  redacted: z.array(z.string()),
  calls: z.array(z.strictObject({ id: z.string(), name: z.string(), input: z.unknown() })),
  /** What is kept unread: its type and its id. */
  items: z.array(z.tuple([z.string(), z.string().nullable()])),
  stop: z.string(),
  failure: z.string().optional(),
  usage: z.strictObject({
    input: z.number(),
    output: z.number(),
    cache_read: z.number(),
    cache_write: z.number(),
    reasoning: z.number(),
    searches: z.number().optional(),
  }),
})

export type Meaning = z.output<typeof meaningSchema>

/** One sample: `anthropic/two-calls`. */
export interface Sample {
  readonly id: string
  readonly bytes: number
}

export const all: readonly Sample[] = readdirSync(samples).flatMap((api) =>
  readdirSync(join(samples, api))
    .filter((file) => file.endsWith('.sse'))
    .map((file) => {
      const id = `${api}/${file.slice(0, -'.sse'.length)}`
      return { id, bytes: bytesOf(id).length }
    }),
)

export function bytesOf(id: string): Buffer {
  return readFileSync(join(samples, `${id}.sse`))
}

export function meaningOf(id: string): Meaning {
  return meaningSchema.parse(JSON.parse(readFileSync(join(samples, `${id}.json`), 'utf8')))
}

/**
 * A server of these answers on a free port. The model's name says which: `wire:openai-chat/call?bytes=7`, where
 * `bytes` is the size of the pieces, `cut` and `stall` the bytes before the connection is lost or falls silent, and
 * `crlf` and `gzip` are other ways to write the same.
 */
export async function startWireServer(): Promise<ModelServer> {
  return modelServer(({ body }, response) => {
    const [id = '', query] = String(body['model']).replace('wire:', '').split('?')
    if (all.every((sample) => sample.id !== id)) sendJson(response, 404, { error: { message: `no sample "${id}"` } })
    else void play(response, bytesOf(id), new URLSearchParams(query))
  })
}

async function play(response: ServerResponse, sample: Buffer, how: URLSearchParams): Promise<void> {
  const lines = how.has('crlf') ? Buffer.from(sample.toString().replaceAll(/\r?\n/g, '\r\n')) : sample
  const body = how.has('gzip') ? gzipSync(lines) : lines
  const broken = how.get('cut') ?? how.get('stall')
  const end = broken === null ? body.length : Number(broken)
  const size = Number(how.get('bytes') ?? body.length)
  const coded = how.has('gzip') ? { 'content-encoding': 'gzip' } : {}
  response.writeHead(200, { 'content-type': 'text/event-stream', ...coded })
  response.flushHeaders()
  for (let at = 0; at < end; at += size) {
    // oxlint-disable-next-line no-await-in-loop -- each piece leaves before the next one is written
    await new Promise((resolve) => response.write(body.subarray(at, Math.min(at + size, end)), resolve))
  }
  if (how.has('cut')) response.destroy()
  else if (!how.has('stall')) response.end()
}

/** The model of ours that speaks the API which the sample belongs to. */
export function modelFor(sample: string, root: string, patience: OpenModelOptions['patience'] = {}): Promise<Model> {
  return wireModel(sample.split('/', 1)[0] ?? '', sample, { root, patience })
}

interface Place {
  readonly root: string
  readonly patience?: NonNullable<OpenModelOptions['patience']>
}

/** A model that speaks this API and is answered with this transcript. */
export function wireModel(api: string, transcript: string, { root, patience = {} }: Place): Promise<Model> {
  const env = {
    ANTHROPIC_API_KEY: 'test-key-anthropic',
    OPENAI_API_KEY: 'test-key-openai',
    ANTHROPIC_BASE_URL: root,
    OPENAI_BASE_URL: `${root}/v1`,
    OPENAI_COMPATIBLE_BASE_URL: `${root}/v1`,
  }
  return openModel(`${providerOf(api)}/wire:${transcript}`, { baseDir: '.', env, patience })
}

function providerOf(api: string): string {
  if (api === 'anthropic') return 'anthropic'
  return api === 'openai-chat' ? 'openai-compatible' : 'openai'
}
