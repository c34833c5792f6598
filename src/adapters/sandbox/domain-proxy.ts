import type { IncomingMessage, ServerResponse } from 'node:http'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { processStart } from '../process/liveness.ts'

/*
 * The way out of a sandbox: an HTTP proxy at a socket of the file system that reaches the hosts it is told to.
 * Owns: the socket. Never: decides which hosts are open, looks into what goes through a tunnel.
 * 1. The host is the one of the address that is asked for; the header of the same name is rewritten to it. The connection
 *    goes to the address that was judged.
 * 2. It keeps no process alive.
 */

/** Loaded with the first proxy: most agents have none. */
const http = () => process.getBuiltinModule('node:http')

/** A socket's address may be no longer than this on any system. */
const longestAddress = 103

let opened = 0

/**
 * Opens a proxy in a folder, which is made; what dead processes left there is removed.
 *
 * @param reach The address that stands for a host, in small letters, now; null where it may not be reached.
 * @returns Where it listens.
 * @throws when the folder cannot be made, or lies too deep for a socket
 * @example openDomainProxy('/home/ann/.troupe/net', resolveHost(rules))
 */
export function openDomainProxy(folder: string, reach: Reach): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(folder))
    if (processStart(Number.parseInt(name, 10)) === null) rmSync(join(folder, name), { force: true })
  opened += 1
  const socket = join(folder, `${process.pid}-${opened}.sock`)
  if (Buffer.byteLength(socket) > longestAddress) throw new Error(`${socket} is too long for the address of a socket`)
  rmSync(socket, { force: true })
  const { createServer } = http()
  const server = createServer((request, answer) => void forward(request, answer, reach))
  server.on(
    'connect',
    (request: IncomingMessage, client: Duplex, head: Buffer) => void tunnel({ request, client, head }, reach),
  )
  // Without it the commands inside have no network: each says so itself.
  server.on('error', () => server.close())
  server.listen(socket).unref()
  process.once('exit', () => rmSync(socket, { force: true }))
  return socket
}

type Reach = (host: string) => Promise<string | null>

interface Wish {
  readonly request: IncomingMessage
  readonly client: Duplex
  readonly head: Buffer
}

async function tunnel({ request, client, head }: Wish, reach: Reach): Promise<void> {
  client.on('error', () => client.destroy())
  const url = URL.parse(`http://${request.url ?? ''}`)
  const host = url === null ? '' : plainHost(url)
  const address = url === null ? null : await reach(host)
  if (url === null || address === null) {
    // An answer is lost when its connection closes on input that nobody has read.
    client.resume()
    client.end(`HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${refusal(host)}\n`)
    return
  }
  // An address without a port means 80 here: that is what the URL leaves out.
  const far = connect(Number(url.port === '' ? 80 : url.port), address)
  far.once('connect', () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    if (head.length > 0) far.write(head)
    far.pipe(client).pipe(far)
  })
  far.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n'))
  far.on('close', () => client.destroy())
  client.on('close', () => far.destroy())
}

async function forward(request: IncomingMessage, answer: ServerResponse, reach: Reach): Promise<void> {
  const url = URL.parse(request.url ?? '')
  const host = url === null ? '' : plainHost(url)
  const address = url?.protocol === 'http:' ? await reach(host) : null
  if (url === null || address === null) {
    const refuse = (): void =>
      void answer.writeHead(403, { 'content-type': 'text/plain', connection: 'close' }).end(`${refusal(host)}\n`)
    request.once('end', refuse).resume()
    return
  }
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !name.startsWith('proxy-')))
  const to = { method: request.method, headers: { ...headers, host: url.host }, hostname: address }
  const far = http().request(url, to, (reply) => {
    answer.writeHead(reply.statusCode ?? 502, reply.headers)
    reply.pipe(answer)
  })
  far.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()))
  answer.on('close', () => far.destroy())
  request.pipe(far)
}

function plainHost({ hostname }: URL): string {
  return hostname.toLowerCase().replace(/\.$/, '')
}

function refusal(host: string): string {
  return `The sandbox does not let commands reach ${host === '' ? 'this address' : host}: sandbox.network.allowedDomains does not name it.`
}
