import { createHash, createHmac } from 'node:crypto'
import { createRequire } from 'node:module'
import { crc32 } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { openModel } from '../../../src/adapters/models/catalog.ts'
import { textOf } from '../../../src/protocol/conversation/message.ts'
import type { ProviderSpecs } from '../../../src/protocol/words/provider-spec.ts'
import { listen } from '../../contracts/model.ts'
import { modelServer, sendEvents, type Asked } from './support/model-server.ts'
import { anthropicSpoken, chatSpoken } from './support/spoken.ts'

/** The packages of the clouds are optional: without one its test has nothing to try. */
function isInstalled(name: string): boolean {
  try {
    return createRequire(import.meta.url).resolve(name) !== ''
  } catch {
    return false
  }
}

async function asked(
  name: string,
  reply: Parameters<typeof modelServer>[0],
  placed: { readonly path: string; readonly env: Record<string, string>; readonly servers?: ProviderSpecs },
): Promise<Asked> {
  const server = await modelServer(reply)
  onTestFinished(server.close)
  const variable = `${name.split('/', 1)[0]?.toUpperCase()}_BASE_URL`
  const env = { ...placed.env, [variable]: server.root + placed.path }
  const { message } = await listen(await openModel(name, { baseDir: '.', env, servers: placed.servers ?? {} }))
  expect(textOf(message)).toBe('One two three four.')
  return server.asked[0] as Asked
}

/** One event in the framing of AWS: lengths, headers, payload and two checksums. */
function framed(event: unknown): Buffer {
  const bytes = Buffer.from(JSON.stringify(event)).toString('base64')
  const payload = Buffer.from(JSON.stringify({ bytes }))
  const heads = Object.entries({
    ':event-type': 'chunk',
    ':content-type': 'application/json',
    ':message-type': 'event',
  })
  const headers = Buffer.concat(
    heads.map(([name, value]) => {
      const size = Buffer.alloc(2)
      size.writeUInt16BE(value.length)
      return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), size, Buffer.from(value)])
    }),
  )
  const prelude = Buffer.alloc(8)
  prelude.writeUInt32BE(16 + headers.length + payload.length)
  prelude.writeUInt32BE(headers.length, 4)
  const sum = (data: Buffer): Buffer => {
    const out = Buffer.alloc(4)
    out.writeUInt32BE(crc32(data))
    return out
  }
  const whole = Buffer.concat([prelude, sum(prelude), headers, payload])
  return Buffer.concat([whole, sum(whole)])
}

const sha256 = (data: string): string => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest()

/** The signature that AWS would make of a request, from its own description of Signature Version 4. */
function signatureOf(
  { path, headers, text }: Asked,
  secret: string,
): { readonly said: string; readonly right: string } {
  const pattern = /Credential=[^/]+\/(\d+)\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)/
  const [, date = '', region = '', service = '', names = '', said = ''] =
    pattern.exec(String(headers.authorization)) ?? []
  const resource = path.split('/').map(encodeURIComponent).join('/')
  const lines = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const canonical = ['POST', resource, '', lines.join(''), names, sha256(text)].join('\n')
  const scope = `${date}/${region}/${service}/aws4_request`
  const signed = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = ['aws4_request'].reduce(hmac, [date, region, service].reduce<string | Buffer>(hmac, `AWS4${secret}`))
  return { said, right: hmac(key, signed).toString('hex') }
}

test.skipIf(!isInstalled('@anthropic-ai/bedrock-sdk'))(
  'Bedrock is asked with a signature, and its framing is read',
  async () => {
    const env = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'a-secret', AWS_REGION: 'eu-west-1' }
    const seen = await asked(
      'bedrock/anthropic.claude-opus-5-v1:0',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' })
        for (const event of anthropicSpoken) response.write(framed(event))
        response.end()
      },
      { path: '', env },
    )
    expect(seen.path).toBe('/model/anthropic.claude-opus-5-v1:0/invoke-with-response-stream')
    expect(seen.body).not.toHaveProperty('model')
    const { said, right } = signatureOf(seen, 'a-secret')
    expect(said).toBe(right)
  },
)

test.skipIf(!isInstalled('@anthropic-ai/vertex-sdk'))(
  'Vertex is asked at its project with the token of a command',
  async () => {
    const vertex = { key: { command: 'echo ya29.token' }, region: 'europe-west1', project: 'p1' }
    const reply = (_: Asked, response: Parameters<typeof sendEvents>[0]) => sendEvents(response, anthropicSpoken)
    const seen = await asked('vertex/claude-opus-5', reply, { path: '/v1', env: {}, servers: { vertex } })
    expect(seen.path).toBe(
      '/v1/projects/p1/locations/europe-west1/publishers/anthropic/models/claude-opus-5:streamRawPredict',
    )
    expect(seen.headers.authorization).toBe('Bearer ya29.token')
  },
)

test('Azure is asked at its deployment, with its key or a token of Entra', async () => {
  const reply = (_: Asked, response: Parameters<typeof sendEvents>[0]) => sendEvents(response, chatSpoken)
  const env = { AZURE_OPENAI_API_KEY: 'a-key', OPENAI_API_VERSION: '2025-04-01-preview' }
  const seen = await asked('azure/gpt-5', reply, { path: '/openai', env })
  expect(seen).toMatchObject({
    path: '/openai/deployments/gpt-5/chat/completions?api-version=2025-04-01-preview',
    headers: { 'api-key': 'a-key' },
  })
  const token = await asked('azure/gpt-5', reply, {
    path: '/openai',
    env: { ...env, AZURE_OPENAI_API_KEY: 'eyJ.token' },
  })
  expect(token.headers.authorization).toBe('Bearer eyJ.token')
})
