import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { textOf } from '../../../../src/protocol/conversation/message.ts'
import { sendEvents, sendJson, type Asked } from '../support/model-server.ts'
import { anthropicSpoken } from '../support/spoken.ts'
import { cloudServer, hear, otherProcess } from './cloud.ts'

const model = 'vertex/claude-opus-5@20260901'
const placed = '/publishers/anthropic/models/claude-opus-5@20260901:streamRawPredict'

/** Vertex: whose token is another one is nobody. */
const vertex = (token: () => string) =>
  cloudServer(({ headers }, response) => {
    if (headers.authorization === `Bearer ${token()}`) sendEvents(response, anthropicSpoken)
    else sendJson(response, 401, [{ error: { code: 401, message: 'Invalid credentials', status: 'UNAUTHENTICATED' } }])
  })

test('a token of a command is sent to the project and region of the provider', async () => {
  const { root, asked } = await vertex(() => 'ya29.token')
  const servers = { vertex: { key: { command: 'echo ya29.token' }, region: 'europe-west1', project: 'p1' } }
  const message = await hear(model, { env: { VERTEX_BASE_URL: `${root}/v1` }, servers })
  expect(textOf(message)).toBe('One two three four.')
  const { path, body } = asked[0] as Asked
  expect(path).toBe(`/v1/projects/p1/locations/europe-west1${placed}`)
  expect(body).toMatchObject({ stream: true })
  expect(body).toHaveProperty('anthropic_version')
  expect(body).not.toHaveProperty('model')
})

interface Workload {
  /** The file that says who a workload is, and where its tokens are given. */
  readonly file: string
  /** What the server was shown for a token. */
  readonly shown: readonly (string | null)[]
}

/** A workload whose platform wrote it a token of its own, which a server changes for one of Google. */
async function workload(token: string): Promise<Workload> {
  const shown: (string | null)[] = []
  const issued_token_type = 'urn:ietf:params:oauth:token-type:access_token'
  const granted = { access_token: token, expires_in: 3600, token_type: 'Bearer', issued_token_type }
  const grant = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    shown.push(new URLSearchParams(await text(request)).get('subject_token'))
    sendJson(response, 200, granted)
  }
  const server = createServer((request, response) => void grant(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const dir = mkdtempSync(join(tmpdir(), 'troupe-google-'))
  onTestFinished(() => {
    server.close()
    rmSync(dir, { recursive: true })
  })
  writeFileSync(join(dir, 'subject'), 'of-the-platform')
  const { port } = server.address() as AddressInfo
  const account = {
    type: 'external_account',
    audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/platform',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `http://127.0.0.1:${port}/token`,
    credential_source: { file: join(dir, 'subject') },
  }
  writeFileSync(join(dir, 'identity.json'), JSON.stringify(account))
  return { file: join(dir, 'identity.json'), shown }
}

test('a workload of this environment changes its own token for one of Google', async () => {
  const other = await otherProcess({ GOOGLE_APPLICATION_CREDENTIALS: '/nowhere.json', ANTHROPIC_VERTEX_BASE_URL: '' })
  const { file, shown } = await workload('of-google')
  const { root, asked } = await vertex(() => 'of-google')
  const named = { CLOUD_ML_REGION: 'us-east5', GOOGLE_CLOUD_PROJECT: 'p2' }
  const env = { ...named, GOOGLE_APPLICATION_CREDENTIALS: file, VERTEX_BASE_URL: `${root}/v1` }
  expect(textOf(await hear(model, { env }))).toBe('One two three four.')
  expect(asked[0]?.path).toBe(`/v1/projects/p2/locations/us-east5${placed}`)
  expect(shown).toEqual(['of-the-platform'])
  expect(other.asked).toEqual([])
})

test("a person's login is found in the home of this environment, never in that of the process", async () => {
  const { file, shown } = await workload('of-google')
  const home = dirname(file)
  const login = join(home, '.config', 'gcloud', 'application_default_credentials.json')
  mkdirSync(dirname(login), { recursive: true })
  copyFileSync(file, login)
  const { root, asked } = await vertex(() => 'of-google')
  const env = { VERTEX_BASE_URL: `${root}/v1`, GOOGLE_CLOUD_PROJECT: 'p1' }
  expect(textOf(await hear(model, { env: { ...env, HOME: home } }))).toBe('One two three four.')
  // The metadata service of this machine has nothing to say.
  await otherProcess({ GOOGLE_APPLICATION_CREDENTIALS: file, HOME: home, GCE_METADATA_HOST: '127.0.0.1:1' })
  const { failure } = await hear(model, { env: { ...env, HOME: '/nowhere' } })
  expect(failure).toMatchObject({ code: 'unauthorized', retry: false })
  expect([shown.length, asked.length]).toEqual([1, 1])
})

test('a key file that is not there, and a project that nobody names, are told at once', async () => {
  const { root, asked } = await vertex(() => 'any')
  const env = { VERTEX_BASE_URL: `${root}/v1` }
  const absent = await hear(model, { env: { ...env, GOOGLE_APPLICATION_CREDENTIALS: '/nowhere/key.json' } })
  expect(absent.failure).toMatchObject({ code: 'unauthorized', retry: false })
  expect(absent.failure?.message).toContain('/nowhere/key.json')
  const nameless = await hear(model, { env, servers: { vertex: { key: { command: 'echo any' } } } })
  expect(nameless.failure).toMatchObject({ code: 'not_found', retry: false })
  expect(nameless.failure?.message).toContain('GOOGLE_CLOUD_PROJECT')
  expect(asked).toEqual([])
})
