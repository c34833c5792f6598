import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { directoryWith, journalOf, onlyRun, troupe, type Ended } from '../ui/cli/process/troupe.ts'
import { call, delegate } from './scenes/scene.ts'
import { serveMessages } from './support/messages-server.ts'

const key = 'sk-test-4f9d2c71b6e8a035'
const fromFile = 'sk-file-91c0aa5e77d24b68'

const team = `name: prying
coordinator: { prompt: You lead. }
workers:
  hand: { description: Runs a command., prompt: You run it., tools: [Bash] }
`
/** A directory whose .env would like to be read. */
const directory = (): string =>
  directoryWith({
    'teams/prying.yaml': team,
    '.env': ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENAI_COMPATIBLE_API_KEY']
      .map((n) => `${n}=${fromFile}\n`)
      .join(''),
  })

/** Every file below a directory with its text, the .env left out. */
function texts(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== '.env')
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => `${file}\n${readFileSync(file, 'utf8')}`)
}

function expectNowhere(secrets: readonly string[], dir: string, { stdout, stderr }: Ended): void {
  for (const secret of secrets) {
    for (const text of [stdout, stderr, ...texts(dir)]) expect(text).not.toContain(secret)
  }
}

function credentialIn(headers: IncomingHttpHeaders): string {
  return String(headers['x-api-key'] ?? headers.authorization).replace(/^Bearer /, '')
}

const answers = {
  lead: [{ calls: delegate(['hand', 'Run env and tell what it prints.']) }, { say: 'The hand has told it.' }],
  hand: [{ calls: [call('Bash', { command: 'env' })] }, { say: 'That is what it printed.' }],
}

test('a key goes to its server and nowhere else: no journal, no screen, no child', async () => {
  const server = await serveMessages(answers)
  onTestFinished(() => server.close())
  const dir = directory()
  const ended = await troupe(
    dir,
    ['run', 'prying', 'Look.', '--model', 'anthropic/any', '--stream-json', '--partial', '--allow', 'Bash(env)'],
    {
      env: {
        ANTHROPIC_API_KEY: key,
        ANTHROPIC_BASE_URL: server.url,
        OPENAI_API_KEY: `${key}-openai`,
        MY_SERVICE_TOKEN: `${key}-token`,
        DATABASE_PASSWORD: `${key}-password`,
        HARMLESS: 'this may be seen',
        TROUPE_TOOL_ENV: 'HARMLESS',
        TROUPE_DEBUG: '1',
      },
    },
  )
  expect(ended).toMatchObject({ code: 0 })
  expect(server.requests).toHaveLength(4)
  expect(new Set(server.requests.map(({ headers }) => credentialIn(headers)))).toEqual(new Set([key]))
  expect(server.requests.map(({ text }) => text).join('\n')).not.toContain(key)
  const told = JSON.stringify(journalOf(onlyRun(dir), 'hand'))
  expect(told).toContain('HARMLESS=this may be seen')
  expect(told).not.toContain('MY_SERVICE_TOKEN')
  expect(texts(dir).length).toBeGreaterThan(5)
  expectNowhere([key, fromFile], dir, ended)
})

const providers = [
  { provider: 'anthropic', variable: 'ANTHROPIC_API_KEY', base: 'ANTHROPIC_BASE_URL', path: '' },
  { provider: 'openai', variable: 'OPENAI_API_KEY', base: 'OPENAI_BASE_URL', path: '/v1' },
  {
    provider: 'openai-compatible',
    variable: 'OPENAI_COMPATIBLE_API_KEY',
    base: 'OPENAI_COMPATIBLE_BASE_URL',
    path: '/v1',
  },
]

/** A server that repeats the credential it refuses, as some do. */
async function refuser(): Promise<{ readonly url: string; readonly given: readonly string[] }> {
  const given: string[] = []
  const server = createServer((request, response) => {
    const credential = credentialIn(request.headers)
    given.push(credential)
    response.writeHead(401, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ type: 'error', error: { type: 'authentication_error', message: `not a key: ${credential}` } }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, given }
}

test.for(providers)(
  '$provider: a server that repeats the key is not quoted',
  async ({ provider, variable, base, path }) => {
    const { url, given } = await refuser()
    const dir = directory()
    const ended = await troupe(dir, ['run', 'prying', 'Look.', '--model', `${provider}/any`, '--stream-json'], {
      env: { [variable]: key, [base]: url + path, TROUPE_DEBUG: '1' },
    })
    expect(ended.code).toBe(5)
    expect(given[0]).toBe(key)
    expect(ended.stdout + ended.stderr).toContain('not a key')
    expectNowhere([key, fromFile], dir, ended)
  },
)

test.for(providers.slice(0, 2))('$provider: a key in .env is no key', async ({ provider, variable, base, path }) => {
  const { url, given } = await refuser()
  const dir = directory()
  const ended = await troupe(dir, ['run', 'prying', 'Look.', '--model', `${provider}/any`], {
    env: { [base]: url + path },
  })
  expect(ended.code).toBe(5)
  expect(ended.stderr).toContain(`${variable}, which is not set`)
  expect(given).toEqual([])
  expectNowhere([fromFile], dir, ended)
})
