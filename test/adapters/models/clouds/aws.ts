import { createRequire } from 'node:module'
import { crc32 } from 'node:zlib'
import type { Asked } from '../support/model-server.ts'

/** A body in the framing of AWS: of each message lengths, headers, payload and two checksums. */
export function framed(
  messages: readonly { readonly heads: Readonly<Record<string, string>>; readonly payload: object }[],
) {
  return Buffer.concat(messages.map(({ heads, payload }) => frame(heads, Buffer.from(JSON.stringify(payload)))))
}

/** An event of a model, as Bedrock wraps it. */
export const chunk = (event: unknown) => ({
  heads: { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' },
  payload: { bytes: Buffer.from(JSON.stringify(event)).toString('base64') },
})

/** An error in the middle of an answer. */
export const exception = (name: string, message: string) => ({
  heads: { ':exception-type': name, ':content-type': 'application/json', ':message-type': 'exception' },
  payload: { message },
})

function frame(heads: Readonly<Record<string, string>>, payload: Buffer): Buffer {
  const headers = Buffer.concat(Object.entries(heads).map(([name, value]) => header(name, value)))
  const prelude = Buffer.concat([big(16 + headers.length + payload.length), big(headers.length)])
  const whole = Buffer.concat([prelude, big(crc32(prelude)), headers, payload])
  return Buffer.concat([whole, big(crc32(whole))])
}

function header(name: string, value: string): Buffer {
  const size = Buffer.alloc(2)
  size.writeUInt16BE(value.length)
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), size, Buffer.from(value)])
}

function big(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

interface Aws4 {
  sign(request: object, account: AwsAccount): { readonly headers: Readonly<Record<string, unknown>> }
}

const { sign } = createRequire(import.meta.url)('aws4') as Aws4

/** The key pair of an account. */
export interface AwsAccount {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** Whether an account signed a request: another implementation of Signature Version 4 signs the same and compares. */
export function isSignedBy(account: AwsAccount, region: string, { path, headers, text }: Asked): boolean {
  const said = String(headers.authorization)
  const names = (/SignedHeaders=([^,]+)/.exec(said)?.[1] ?? '').split(';')
  const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]))
  const signing = {
    extraHeadersToInclude: Object.fromEntries(names.map((name) => [name, true])),
    extraHeadersToIgnore: names.includes('content-length') ? {} : { 'content-length': true },
  }
  const request = { method: 'POST', host: String(headers.host), path, body: text, service: 'bedrock', region }
  const right = sign({ ...request, ...signing, headers: signed }, account)
  return (
    right.headers['Authorization'] === said &&
    names.includes('host') &&
    headers['x-amz-security-token'] === account.sessionToken
  )
}
