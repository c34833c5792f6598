import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openModel } from '../../../src/adapters/models/catalog.ts'
import { parseScript } from '../../../src/adapters/models/scripted/script.ts'
import { scriptedModel } from '../../../src/adapters/models/scripted/scripted.ts'
import { ModelUnavailable } from '../../../src/adapters/models/served/model-unavailable.ts'
import { providers } from '../../../src/rules/settings/known-providers.ts'
import { modelContract } from '../../contracts/model.ts'

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'troupe-catalog-'))
  writeFileSync(join(dir, 'ok.yaml'), 'agents: { lead: { steps: [{ say: hi }] } }')
  writeFileSync(join(dir, 'bad.yaml'), 'agents: 3')
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const refusal = async (name: string, env: Record<string, string> = {}): Promise<ModelUnavailable> => {
  const error: unknown = await openModel(name, { baseDir: dir, env }).catch((reason: unknown) => reason)
  if (!(error instanceof ModelUnavailable)) throw new Error(`${name} was opened`)
  return error
}

test('scripts are found beside the team file, or by absolute path', async () => {
  const options = { baseDir: dir, env: {} }
  expect((await openModel('scripted/ok.yaml', options)).name).toBe('scripted/ok.yaml')
  expect((await openModel(`scripted/${join(dir, 'ok.yaml')}`, { ...options, baseDir: '/' })).report?.()).toHaveLength(1)
})

test.for(providers.filter(({ variable }) => variable !== null))(
  '$name without its credential names the variable and the quickstart',
  async ({ name, variable }) => {
    const { failure, message } = await refusal(`${name}/some-model`, { [String(variable)]: '' })
    expect(failure.code).toBe('missing_credential')
    expect(message).toContain(`${name}/some-model needs ${variable}, which is not set`)
    expect(failure.remedy).toContain('teams/quickstart.yaml')
  },
)

test.for([
  ['nonsense', /names no provider/, /Known: scripted, recorded, anthropic/],
  ['antropic/x', /names no provider/, /Did you mean anthropic/],
  ['scripted/absent.yaml', /cannot be read: ENOENT/, /Check the path/],
  ['scripted/bad.yaml', /bad\.yaml:1:9 agents/, /A script reads/],
] as const)('%s says what is wrong and what helps', async ([name, message, remedy]) => {
  const { failure } = await refusal(name)
  expect(failure.message).toMatch(message)
  expect(failure.remedy).toMatch(remedy)
})

test('the same environment leads to a server the same way, until its key or its address is another', async () => {
  const env: Record<string, string> = { ANTHROPIC_API_KEY: 'k1', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' }
  const open = (name = 'anthropic/one', from = env) => openModel(name, { baseDir: dir, env: from })
  const first = await open()
  expect(await open()).toBe(first)
  expect(await open('anthropic/two')).not.toBe(first)
  expect(await open('anthropic/one', { ...env })).not.toBe(first)
  env['ANTHROPIC_API_KEY'] = 'k2'
  const second = await open()
  expect(second).not.toBe(first)
  env['ANTHROPIC_BASE_URL'] = 'http://127.0.0.1:10'
  expect([first, second]).not.toContain(await open())
})

/** A provider of a program: its models are what their names say. */
const acme = (model: string) =>
  scriptedModel(`acme/${model}`, parseScript('acme.yaml', `agents: { speaker: { steps: [{ ${model} }] } }`))
const opened = (model: string) => openModel(`acme/${model}`, { baseDir: '/', env: {}, providers: { acme } })

modelContract('a model of a provider that a program adds', {
  speaks: () =>
    opened(`think: 'Let me see.', say: 'One two three.', calls: [{ tool: Read, input: { file_path: a/b } }]`),
  fails: () => opened('fail: overloaded'),
  hangs: () => opened('say: I never end, hang: true'),
})

test('a provider that a program adds is among those that are known', async () => {
  const error: unknown = await openModel('acne/x', { baseDir: '/', env: {}, providers: { acme } }).catch(
    (e: unknown) => e,
  )
  expect(error).toMatchObject({ failure: { remedy: expect.stringContaining('Did you mean acme/…?') as string } })
  await expect(openModel('constructor/x', { baseDir: '/', env: {}, providers: { acme } })).rejects.toThrow(
    'no provider',
  )
})

test('a key that is missing names the members whose model needs it, and the variable', async () => {
  const opening = openModel('anthropic/claude-opus-5', { baseDir: '.', env: {}, users: ['ana', 'ben'] })
  await expect(opening).rejects.toMatchObject({
    message: expect.stringMatching(
      /^anthropic\/claude-opus-5 needs ANTHROPIC_API_KEY, which is not set \(the model of ana, ben\)/,
    ) as string,
  })
})
