import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openModel } from '../../../src/adapters/models/catalog.ts'
import { specOf, variableOf } from '../../../src/rules/settings/known-providers.ts'
import { textOf } from '../../../src/protocol/conversation/message.ts'
import { providersSchema } from '../../../src/protocol/words/provider-spec.ts'
import { createAgent } from '../../../src/runtime/agent/create-agent.ts'
import { listen } from '../../contracts/model.ts'
import { virtualClock } from '../../support/virtual-clock.ts'
import { modelServer, sendEvents, sendJson, type Asked } from './support/model-server.ts'
import { chatSpoken } from './support/spoken.ts'

async function server(...given: Parameters<typeof modelServer>) {
  const opened = await modelServer(...given)
  onTestFinished(opened.close)
  return opened
}

const speaking = () => server((_, response) => sendEvents(response, chatSpoken))

function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-providers-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

test('several servers have names of their own, each with its address, key, headers and parameters', async () => {
  const [one, two] = [await speaking(), await speaking()]
  const servers = {
    one: { base_url: `${one.root}/v1`, key: '$ONE_KEY', headers: { 'x-title': 'for ${WHO}' }, query: { v: '7' } },
    two: { base_url: `${two.root}/api`, api: 'chat' as const },
  }
  const vendor = {
    OPENAI_API_KEY: 'key-of-another',
    OPENAI_CUSTOM_HEADERS: 'x-gate: key-of-a-gateway',
    OPENAI_ORG_ID: 'org-of-another',
  }
  const env = { ONE_KEY: 'key-of-one', WHO: 'ann', ...vendor }
  for (const name of ['one/small', 'two/large']) {
    const { message } = await listen(await openModel(name, { baseDir: '.', env, servers }))
    expect(textOf(message)).toBe('One two three four.')
  }
  expect(one.asked[0]).toMatchObject({
    path: '/v1/chat/completions?v=7',
    headers: { authorization: 'Bearer key-of-one', 'x-title': 'for ann' },
    body: { model: 'small' },
  })
  expect(two.asked[0]?.path).toBe('/api/chat/completions')
  expect(JSON.stringify(two.asked[0]?.headers)).not.toContain('-of-')
})

test('known providers need only their key; a person says otherwise what they like', async () => {
  expect(specOf('openrouter', {})).toEqual({ base_url: 'https://openrouter.ai/api/v1', key: '$OPENROUTER_API_KEY' })
  expect(specOf('ollama', {})).toEqual({ base_url: 'http://127.0.0.1:11434/v1', local: true })
  expect(specOf('groq', { groq: { key: '$MINE' } })).toMatchObject({
    base_url: 'https://api.groq.com/openai/v1',
    key: '$MINE',
  })
  expect(specOf('nobody', {})).toBeNull()
  expect(variableOf('groq', {})).toBe('GROQ_API_KEY')
  expect(variableOf('groq', { groq: { key: { command: 'pass groq' } } })).toBeNull()
  expect(variableOf('ollama', {})).toBeNull()
  const local = await speaking()
  const env = { OLLAMA_BASE_URL: `${local.root}/v1` }
  expect(textOf((await listen(await openModel('ollama/qwen', { baseDir: '.', env }))).message)).toBe(
    'One two three four.',
  )
})

const refusals: readonly (readonly [how: string, refuse: Parameters<typeof modelServer>[0]])[] = [
  ['with 401', (_, response) => sendJson(response, 401, { error: { message: 'invalid key' } })],
  [
    'with 403 as expired',
    (_, response) => sendJson(response, 403, { message: 'The security token included in the request is expired' }),
  ],
  ['inside an answer', (_, response) => sendEvents(response, [{ error: { code: 401, message: 'no such user' } }])],
]

test.each(refusals)('a key that a command prints is asked for again when it is refused %s', async (_, refuse) => {
  const dir = scratch()
  const keyFile = join(dir, 'key')
  writeFileSync(keyFile, 'first-key-123\n')
  const authorised = ({ headers }: Asked): string => String(headers.authorization)
  let valid = 'Bearer first-key-123'
  const rotating = await server((asked, response) => {
    if (authorised(asked) === valid)
      sendEvents(response, [{ choices: [{ index: 0, delta: { content: 'Yes.' }, finish_reason: 'stop' }] }, '[DONE]'])
    else refuse(asked, response)
  })
  const providers = {
    mine: {
      base_url: `${rotating.root}/v1`,
      key: { command: `cat ${keyFile}; echo "$OPENAI_API_KEY" >> ${join(dir, 'seen')}` },
    },
  }
  const env = { PATH: process.env['PATH'], OPENAI_API_KEY: 'secret-of-another' }
  const agent = createAgent({ model: 'mine/m', env, servers: providers, clock: virtualClock(), cwd: dir, home: dir })
  expect((await agent.run('One.').result).text).toBe('Yes.')
  writeFileSync(keyFile, 'second-key-456\n')
  valid = 'Bearer second-key-456'
  expect(await agent.run('Two.').result).toMatchObject({ text: 'Yes.', reason: 'completed' })
  expect(rotating.asked.map(authorised)).toEqual([
    'Bearer first-key-123',
    'Bearer first-key-123',
    'Bearer second-key-456',
  ])
})

test('a command that prints no key ends the run at once', async () => {
  const dir = scratch()
  const servers = { mine: { base_url: 'http://127.0.0.1:1', key: { command: 'exit 7' } } }
  const clock = virtualClock()
  const agent = createAgent({ model: 'mine/m', env: {}, servers, clock, cwd: dir, home: dir })
  const { failure } = await agent.run('One.').result
  expect(failure).toMatchObject({ code: 'unauthorized', message: 'the command for the key gave none: it ended with 7' })
  expect(clock.waits).toEqual([])
})

test('the environment of the process is nobody else’s', async () => {
  const [asked, other] = [await speaking(), await speaking()]
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'x-process: yes')
  vi.stubEnv('OPENAI_BASE_URL', `${other.root}/v1`)
  vi.stubEnv('OPENAI_API_KEY', 'key-of-the-process')
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${asked.root}/v1`, OPENAI_CUSTOM_HEADERS: 'x-own: yes' }
  await listen(await openModel('openai-compatible/m', { baseDir: '.', env }))
  expect(other.asked).toHaveLength(0)
  expect(asked.asked[0]?.headers).toMatchObject({ 'x-own': 'yes' })
  expect(JSON.stringify(asked.asked[0]?.headers)).not.toMatch(/x-process|key-of-the-process/)
})

test('a key itself stands in no file', () => {
  expect(providersSchema.safeParse({ mine: { key: 'sk-1234567890' } }).success).toBe(false)
  expect(providersSchema.safeParse({ mine: { key: '$MY_KEY', base_url: 'ftp://x' } }).success).toBe(false)
  expect(providersSchema.safeParse({ mine: { key: { command: 'pass mine' }, local: true } }).success).toBe(true)
})
