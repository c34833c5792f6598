import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished, expect, test } from 'vitest'
import type { RunResult } from '../../../src/protocol/team/run.ts'
import { main } from '../../../src/ui/cli/main.ts'
import { fakeHost } from './fake-host.ts'
import { directoryWith } from './process/troupe.ts'

/** What is wrong with the way to a model ends the run with 5, at once, and names the place and the cure. */
const key = 'sk-0123456789abcdef'
const team = 'name: t\ncoordinator: { prompt: You lead. }\nworkers: { w: { description: Works., prompt: You work. } }\n'

type Answer = (response: ServerResponse) => void
const says =
  (status: number, headers: Record<string, string>, body: string): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(body)
const html = { 'content-type': 'text/html' }
const page = (title: string): string => `<!doctype html><html><body><h1>${title}</h1></body></html>`
const refused = JSON.stringify({ error: { message: `Incorrect API key provided: ${key}`, code: 'invalid_api_key' } })

const good = 'data: {"choices":[{"index":0,"delta":{"content":"All is well."},"finish_reason":"stop"}]}\n\n'

async function listen(answer: Answer, asked: string[] = []): Promise<number> {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece))
    request.on('end', () => {
      asked.push(body)
      answer(response)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

test.for([
  ['another path', 'http', says(404, html, page('404 Not Found')), 'not_found', 'check name and base URL'],
  ['a page', 'http', says(200, html, page('Sign in')), 'not_found', 'it must lead to the API itself'],
  ['a way elsewhere', 'http', says(302, { location: 'https://x.test' }, ''), 'not_found', 'to the API itself'],
  ['a page that forbids', 'http', says(405, html, page('405')), 'not_found', 'to the API itself'],
  ['a proxy that wants a password', 'http', says(407, html, page('Proxy')), 'forbidden', 'Check HTTP_PROXY'],
  ['a wrong key', 'http', says(401, {}, refused), 'unauthorized', 'Check OPENAI_COMPATIBLE_API_KEY'],
  ['http asked over https', 'https', says(200, html, ''), 'not_found', 'a server of http:// was asked over https'],
] as const)('%s', async ([, protocol, answer, code, cure]) => {
  const place = `${protocol}://127.0.0.1:${await listen(answer)}/v1`
  const cwd = directoryWith({ 'teams/t.yaml': team })
  const env = { OPENAI_COMPATIBLE_BASE_URL: place, OPENAI_COMPATIBLE_API_KEY: key }
  const host = fakeHost({ cwd, home: cwd, env })
  const exit = await main(['run', 't', 'Go.', '--model', 'openai-compatible/m', '--json'], host)
  const { status, reason, failure } = JSON.parse(host.stdout.text) as RunResult
  expect({ exit, status, failure }).toMatchObject({ exit: 5, status: 'failed', failure: { code } })
  for (const said of [reason, host.stderr.text]) {
    expect(said).toContain(cure)
    expect(said).toContain(place)
    expect(said).not.toContain(key)
  }
})

test('the run goes on when the server is mended, and knows what it was asked', async () => {
  const asked: string[] = []
  const cwd = directoryWith({ 'teams/t.yaml': team })
  const troupe = async (answer: Answer, ...args: readonly string[]) => {
    const place = `http://127.0.0.1:${await listen(answer, asked)}/v1`
    const env = { OPENAI_COMPATIBLE_BASE_URL: place, OPENAI_COMPATIBLE_API_KEY: key }
    const host = fakeHost({ cwd, home: cwd, env })
    const exit = await main([...args, '--json'], host)
    return { exit, told: host.stderr.text, result: JSON.parse(host.stdout.text) as RunResult }
  }
  const failed = await troupe(says(401, {}, refused), 'run', 't', 'Look into it.', '--model', 'openai-compatible/m')
  expect(failed.told).toContain(`troupe continue ${failed.result.run}`)
  const stream = says(200, { 'content-type': 'text/event-stream' }, good)
  const mended = await troupe(stream, 'continue', failed.result.run, 'Go on.')
  expect(mended).toMatchObject({
    exit: 0,
    result: { run: failed.result.run, status: 'completed', result: 'All is well.' },
  })
  expect(asked.at(-1)).toContain('Look into it.')
})
