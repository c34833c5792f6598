import { expect, test } from 'vitest'
import { httpTool } from '../../../../src/adapters/tools/own/http-tool.ts'
import type { HttpToolCard } from '../../../../src/protocol/team/team-tools.ts'
import { blockedAddresses } from '../../../../src/adapters/tools/web/blocked-addresses.ts'
import { toolContract } from '../../../contracts/tool.ts'
import { webSites } from '../web-site.ts'
import { workshop } from '../workshop.ts'

const shop = workshop()
const sites = webSites()
const input = { type: 'object' as const, properties: { title: { type: 'string' } }, required: ['title'] }

/** The tool may reach this machine, and its variables are trusted. */
const here = (env: Record<string, string> = {}) => ({ env, trusted: true, blocked: blockedAddresses(['127.0.0.0']) })

/** A server that tells what it was sent, and the declaration of a tool that calls it. */
async function desk(answer: { body: string; type?: string; status?: number }) {
  const heard: { headers: Record<string, unknown>; body: unknown }[] = []
  const { port } = await sites.open((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      heard.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) })
      response.writeHead(answer.status ?? 200, { 'content-type': answer.type ?? 'text/plain' }).end(answer.body)
    })
  })
  const card: HttpToolCard = {
    description: 'Opens a ticket.',
    url: `http://127.0.0.1:${port}/open`,
    headers: { authorization: 'Bearer ${TICKET_KEY}' },
    input,
  }
  return { heard, card }
}

test('a call is posted with its id and its secret, and the answer is text', async () => {
  const { heard, card } = await desk({ body: 'ticket 7' })
  const output = await shop.call(httpTool('Ticket', card, here({ TICKET_KEY: 'k1' })), { title: 'Broken' })
  expect(output).toEqual({ text: 'ticket 7', isError: false })
  expect(heard[0]?.body).toEqual({ tool: 'Ticket', call_id: 'call-1', input: { title: 'Broken' } })
  expect(heard[0]?.headers).toMatchObject({ authorization: 'Bearer k1', 'idempotency-key': 'call-1' })
})

test('an answer in JSON may say that it is an error', async () => {
  const { card } = await desk({
    body: '{"text":"no such queue","is_error":true}',
    type: 'application/json; charset=utf-8',
  })
  const output = await shop.call(httpTool('Ticket', card, here({ TICKET_KEY: 'k' })), { title: 'x' })
  expect(output).toEqual({ text: 'no such queue', isError: true })
})

test('what goes wrong is said: a refusal, a missing variable, nobody there, a wrong argument', async () => {
  const { card } = await desk({ body: 'closed today', status: 503 })
  const call = (
    more: Partial<HttpToolCard>,
    env: Record<string, string> = { TICKET_KEY: 'k' },
    given: unknown = { title: 'x' },
  ) => shop.call(httpTool('Ticket', { ...card, ...more }, here(env)), given)
  expect(await call({})).toEqual({ text: 'Ticket answered 503: closed today', isError: true })
  expect((await call({}, {})).text).toBe('Ticket needs the variable TICKET_KEY, which is not set.')
  expect((await call({ url: 'http://127.0.0.1:1/' })).text).toContain('could not be reached')
  expect((await call({}, {}, { titel: 'x' })).text).toMatch(/^InputValidationError/)
})

test('a redirect is not followed: the secret stays with the declared address', async () => {
  const { port } = await sites.open((_request, response) =>
    response.writeHead(307, { location: 'http://127.0.0.1:9999/' }).end(),
  )
  const tool = httpTool('Ticket', { description: 'x', url: `http://127.0.0.1:${port}/` }, here())
  expect(await shop.call(tool, {})).toMatchObject({ isError: true })
})

test('an address that is not of the public web is closed to it, as to WebFetch', async () => {
  const { heard, card } = await desk({ body: 'instance data' })
  const output = await shop.call(httpTool('Meta', card, { env: { TICKET_KEY: 'k' }, trusted: true }), { title: 'x' })
  expect(output.isError).toBe(true)
  expect(output.text).toMatch(/^Meta: 127\.0\.0\.1:\d+ leads to an address that is closed to tools\./)
  expect(heard).toEqual([])
})

test('a variable is sent only when a person trusted that', async () => {
  const { heard, card } = await desk({ body: 'fine' })
  const tool = httpTool('Ticket', card, { ...here({ TICKET_KEY: 'k' }), trusted: false })
  const output = await shop.call(tool, { title: 'x' })
  expect(output.text).toMatch(/^Not sent: tool Ticket sends \$TICKET_KEY to http:/)
  expect(heard).toEqual([])
})

let port = 0
const echo = (address: number): HttpToolCard => ({
  description: 'Opens a ticket in the queue of this team. It cannot be undone, so look for an old one first.',
  url: `http://127.0.0.1:${address}/`,
  input: {
    type: 'object',
    properties: { title: { type: 'string', description: 'What is wrong.' } },
    required: ['title'],
  },
})
toolContract({
  tool: {
    ...httpTool('Ticket', echo(0), here()),
    run: (given, context) => httpTool('Ticket', echo(port), here()).run(given, context),
  },
  context: shop.context,
  sample: async () => {
    port = (await sites.open((_request, response) => response.end('done'))).port
    return { title: 'Broken' }
  },
})
