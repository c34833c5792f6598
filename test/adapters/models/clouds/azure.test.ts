import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openModel } from '../../../../src/adapters/models/catalog.ts'
import { textOf } from '../../../../src/protocol/conversation/message.ts'
import { listen } from '../../../contracts/model.ts'
import { sendEvents, sendJson, type Asked } from '../support/model-server.ts'
import { anthropicSpoken, chatSpoken } from '../support/spoken.ts'
import { cloudServer, hear, otherProcess } from './cloud.ts'

const azure = (isGood: (asked: Asked) => boolean, spoken: readonly unknown[] = chatSpoken) =>
  cloudServer((asked, response) => {
    if (isGood(asked)) sendEvents(response, spoken)
    else sendJson(response, 401, { error: { code: '401', message: 'Access denied due to invalid subscription key.' } })
  })

test('Azure is asked at its deployment with its key, by resource and by whole address', async () => {
  const { root, asked } = await azure(({ headers }) => headers['api-key'] === 'a-key')
  const env = { AZURE_OPENAI_API_KEY: 'a-key', OPENAI_API_VERSION: '2025-04-01-preview' }
  for (const place of [{ AZURE_OPENAI_ENDPOINT: `${root}/` }, { AZURE_BASE_URL: `${root}/openai` }]) {
    expect(textOf(await hear('azure/gpt-5', { env: { ...env, ...place } }))).toBe('One two three four.')
  }
  expect(asked.map(({ path }) => path)).toEqual(
    Array.from({ length: 2 }, () => '/openai/deployments/gpt-5/chat/completions?api-version=2025-04-01-preview'),
  )
  const { failure } = await hear('azure/gpt-5', {
    env: { ...env, AZURE_OPENAI_API_KEY: 'b', AZURE_OPENAI_ENDPOINT: root },
  })
  expect(failure).toMatchObject({
    code: 'unauthorized',
    status: 401,
    remedy: 'Check AZURE_OPENAI_API_KEY',
  })
})

test('a token of Entra is asked again from its command when it was refused', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-azure-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const file = join(dir, 'token')
  writeFileSync(file, 'eyJ.one')
  let good = 'eyJ.one'
  const { root } = await azure(({ headers }) => headers.authorization === `Bearer ${good}`)
  const servers = { azure: { key: { command: `cat ${file}` }, base_url: `${root}/openai` } }
  const model = await openModel('azure/gpt-5', { baseDir: '.', env: {}, servers })
  expect((await listen(model)).message.stop).toBe('tools')
  good = 'eyJ.two'
  writeFileSync(file, good)
  expect((await listen(model)).message.failure).toMatchObject({ code: 'unauthorized' })
  expect(await model.renew?.()).toBe(true)
  expect((await listen(model)).message.stop).toBe('tools')
})

test('Foundry is asked in the Messages API, with its key or a token of Entra', async () => {
  const { root, asked } = await azure(() => true, anthropicSpoken)
  const env = { FOUNDRY_BASE_URL: `${root}/anthropic` }
  for (const key of ['a-key', 'eyJ.token']) {
    const message = await hear('foundry/claude-opus-5', { env: { ...env, FOUNDRY_API_KEY: key } })
    expect(textOf(message)).toBe('One two three four.')
  }
  expect(asked.map(({ path }) => path)).toEqual(['/anthropic/v1/messages', '/anthropic/v1/messages'])
  expect(asked[0]?.headers).toMatchObject({ 'x-api-key': 'a-key' })
  expect(asked[0]?.headers).not.toHaveProperty('authorization')
  expect(asked[1]?.headers).toMatchObject({ authorization: 'Bearer eyJ.token' })
  expect(asked[1]?.headers).not.toHaveProperty('x-api-key')
})

test('neither takes an address, a key or an organization from the environment of the process', async () => {
  const other = await otherProcess({
    OPENAI_BASE_URL: '',
    AZURE_OPENAI_ENDPOINT: '',
    ANTHROPIC_FOUNDRY_BASE_URL: '',
    ANTHROPIC_FOUNDRY_RESOURCE: 'other',
    ANTHROPIC_API_KEY: 'of-the-process',
    OPENAI_ORG_ID: 'org-of-the-process',
    OPENAI_PROJECT_ID: 'of-the-process',
    OPENAI_CUSTOM_HEADERS: 'x-leak: of-the-process',
    ANTHROPIC_CUSTOM_HEADERS: 'x-leak: of-the-process',
  })
  for (const [model, named] of [
    ['azure/gpt-5', 'AZURE_OPENAI_ENDPOINT'],
    ['foundry/claude-opus-5', 'ANTHROPIC_FOUNDRY_RESOURCE'],
  ] as const) {
    const { failure } = await hear(model, { env: { AZURE_OPENAI_API_KEY: 'a-key', FOUNDRY_API_KEY: 'a-key' } })
    expect(failure).toMatchObject({ code: 'not_found', retry: false })
    expect(failure?.message).toContain(named)
  }
  const { root, asked } = await azure(() => true)
  await hear('azure/gpt-5', { env: { AZURE_OPENAI_API_KEY: 'a-key', AZURE_OPENAI_ENDPOINT: root } })
  await hear('foundry/m', { env: { FOUNDRY_API_KEY: 'a-key', FOUNDRY_BASE_URL: root } })
  expect(asked).toHaveLength(2)
  expect(JSON.stringify(asked)).not.toContain('of-the-process')
  expect(other.asked).toEqual([])
})
