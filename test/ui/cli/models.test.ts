import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CheckedProvider } from '../../../src/runtime/models/check-models.ts'
import type { ModelList } from '../../../src/runtime/models/list-models.ts'
import { main } from '../../../src/ui/cli/main.ts'
import { modelServer, sendJson } from '../../adapters/models/support/model-server.ts'
import { fakeHost, type FakeHost } from './fake-host.ts'
import { directoryWith, emptyDirectory } from './process/troupe.ts'

const key = 'sk-ant-0123456789abcdef'

async function troupe(home: string, args: readonly string[], env: FakeHost['env'] = {}) {
  const host = fakeHost({ cwd: home, home, env })
  const code = await main(['models', ...args], host)
  expect(host.stdout.text + host.stderr.text).not.toContain(key)
  return { code, out: host.stdout.text, err: host.stderr.text }
}

async function listed(home: string, ...args: readonly string[]): Promise<ModelList> {
  const { code, out, err } = await troupe(home, [...args, '--json'])
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out) as ModelList
}

const own = (text: string): string => directoryWith({ '.troupe/models.json': text })

test('names who can be asked, by the variable and never by its value', async () => {
  const { code, out } = await troupe(emptyDirectory(), [], { ANTHROPIC_API_KEY: key })
  expect(code).toBe(0)
  expect(out).toMatch(/^anthropic +ANTHROPIC_API_KEY +yes, it is set$/m)
  expect(out).toMatch(/^openai +OPENAI_API_KEY +no, it is not set$/m)
  expect(out).toMatch(/^scripted +nothing +yes$/m)
})

test('shows the window and the prices of the models that the package knows', async () => {
  const { out, err } = await troupe(emptyDirectory(), ['sonnet-4-5'])
  expect([out, err]).toEqual([
    'MODEL                        WINDOW  MAX OUTPUT  INPUT $/M  OUTPUT $/M\n' +
      'anthropic/claude-sonnet-4-5  200k    64.0k       3.00       15.00\n',
    '',
  ])
})

test('a filter is words that the name holds, in any case', async () => {
  const { models, file } = await listed(emptyDirectory(), 'OPENAI mini')
  expect(models.length).toBeGreaterThan(2)
  for (const { name } of models) expect(name).toMatch(/^openai\/.*mini/)
  expect(file).toBeNull()
  const none = await troupe(emptyDirectory(), ['nobody-sells-this'])
  expect([none.code, none.out]).toEqual([0, ''])
  expect(none.err).toContain('No known model matches "nobody-sells-this"')
})

describe('~/.troupe/models.json', () => {
  test('goes before what the package knows, and adds what it does not', async () => {
    const home = own(`{
\t"openai-compatible/llama-4": { "input": 0, "output": 0.005, "window": 131072, "max_output": 8192 },
\t"anthropic/claude-sonnet-4-5": { "input": 2, "output": 9, "max_output": 64000 }
}`)
    const { models, file } = await listed(home)
    expect(file).toBe(`${home}/.troupe/models.json`)
    expect(models).toContainEqual({
      name: 'openai-compatible/llama-4',
      window: 131_072,
      max_output: 8192,
      input: 0,
      output: 0.005,
    })
    expect(models.filter(({ name }) => name === 'anthropic/claude-sonnet-4-5')).toEqual([
      { name: 'anthropic/claude-sonnet-4-5', window: 200_000, max_output: 64_000, input: 2, output: 9 },
    ])
    const { out } = await troupe(home, ['llama'])
    expect(out).toMatch(/llama-4 +131k +8\.2k +0\.00 +0\.005\n/)
  })

  test.each([
    ['{ "a/b": { "input": 1 "output": 2 } }', /models\.json:1:\d+ error yaml_syntax /],
    ['{ "a/b": { "input": 1 } }', /models\.json:1:3 error missing_key a\/b\.output is required\n/],
    [
      '{\n "a/b": { "input": 1, "output": 2,\n "windwo": 3 } }',
      /models\.json:3:2 error unknown_key .*did you mean "window"/s,
    ],
    ['{ "a/b": { "input": -1, "output": 2 } }', /models\.json:1:21 error invalid_value a\/b\.input /],
    ['{ "llama": { "input": 1, "output": 2 } }', /models\.json:1:3 error invalid_name "llama" must be provider\/model/],
    ['[]', /models\.json:1:1 error wrong_type the file must be /],
  ])('with a mistake ends with 2 and its place: %s', async (text, message) => {
    const { code, out, err } = await troupe(own(text), [])
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(message)
  })
})

describe('--check', () => {
  const nobody = 'http://127.0.0.1:9/v1'
  // The usual servers of this machine may be there where the tests run.
  const off = {
    OLLAMA_BASE_URL: nobody,
    LMSTUDIO_BASE_URL: nobody,
    VLLM_BASE_URL: nobody,
    LLAMA_CPP_BASE_URL: nobody,
  }
  const offering = async (status: number, body: object) => {
    const server = await modelServer((_, response) => sendJson(response, status, body))
    onTestFinished(server.close)
    return server
  }
  const asked = async (env: FakeHost['env'], settings = {}) => {
    const home = directoryWith({ '.troupe/settings.json': JSON.stringify(settings) })
    const { code, out } = await troupe(home, ['--check', '--json'], { ...off, ...env })
    return { code, all: JSON.parse(out) as readonly CheckedProvider[] }
  }
  test('asks each provider that is configured, with its key, and no other', async () => {
    const claude = await offering(200, { data: [{ id: 'claude-b' }, { id: 'claude-a' }] })
    const mine = await offering(200, { data: [{ id: 'small' }] })
    const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: claude.root, MINE_KEY: 'key-of-mine' }
    const { code, all } = await asked(env, { providers: { mine: { base_url: `${mine.root}/v1`, key: '$MINE_KEY' } } })
    expect(code).toBe(0)
    expect(all.find(({ name }) => name === 'anthropic')).toMatchObject({
      state: 'answers',
      models: ['claude-a', 'claude-b'],
    })
    expect(all.find(({ name }) => name === 'mine')).toMatchObject({ state: 'answers', models: ['small'] })
    expect(all.find(({ name }) => name === 'ollama')).toMatchObject({ state: 'silent' })
    expect(all.map(({ name }) => name)).not.toContain('openai')
    expect(mine.asked.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/v1/models', 'Bearer key-of-mine'],
    ])
  })

  test('a provider that refuses is a fault of the environment, told without the key', async () => {
    const refusing = await offering(401, { error: { message: `${key} is wrong` } })
    const { code, all } = await asked({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: refusing.root })
    expect(code).toBe(5)
    expect(all.find(({ name }) => name === 'anthropic')).toMatchObject({
      state: 'refuses',
      failure: { code: 'unauthorized', status: 401, remedy: `Check ANTHROPIC_API_KEY (${refusing.root}/)` },
    })
  })

  test.each([
    ['mine', 'not asked, nobody trusts it here: provider mine sends $MINE to https://mine.invalid/ (see troupe trust)'],
    ['openai', 'openai is not configured: OPENAI_API_KEY is not set'],
    ['nobody', '"nobody" names no provider that is known here: troupe models lists them'],
  ])('%s, which cannot be asked, is told as that, and is no success', async (name, why) => {
    const providers = { mine: { base_url: 'https://mine.invalid/\u001b[2J', key: '$MINE' } }
    const project = directoryWith({ '.troupe/settings.json': JSON.stringify({ providers }) })
    const host = fakeHost({ cwd: project, home: emptyDirectory(), env: { ...off } })
    expect(await main(['models', '--check', name], host)).toBe(5)
    expect([host.stdout.text, host.stderr.text]).toEqual(['', `${why}\n`])
  })

  test('says what to do where nothing is configured, and which providers of the project wait for trust', async () => {
    const home = emptyDirectory()
    const project = directoryWith({
      '.troupe/settings.json': JSON.stringify({
        providers: { mine: { base_url: 'https://mine.invalid', key: { command: 'touch ran' } } },
      }),
    })
    const host = fakeHost({ cwd: project, home, env: { ...off } })
    expect(await main(['models', '--check'], host)).toBe(0)
    expect(host.stderr.text).toContain(
      'nobody trusts it here: provider mine runs `touch ran` and asks https://mine.invalid',
    )
    expect(host.stderr.text).toContain('No provider is configured')
    expect(existsSync(join(project, 'ran'))).toBe(false)
  })
})
