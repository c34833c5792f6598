import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createAgent, type Model, type ModelRequest } from '../../../src/index.ts'
import { tempDir } from '../support/stage.ts'

const script = join(import.meta.dirname, 'diskless-process.ts')

test.each(['none', 'tool'])('without a run directory nothing is written anywhere, tools: %s', (tools) => {
  const root = tempDir()
  const [home, cwd, temporary] = ['home', 'cwd', 'tmp'].map((name) => join(root, name))
  for (const dir of [home, cwd, temporary]) mkdirSync(dir ?? '')
  const env = { PATH: process.env['PATH'], HOME: home, TMPDIR: temporary, NODE_NO_WARNINGS: '1' }
  // Node itself refuses every write and every program.
  const args = ['--permission', '--allow-fs-read=*', script, tools]
  const options = { cwd, env, encoding: 'utf8' } as const
  expect(execFileSync(process.execPath, args, options)).toBe('completed: Done.')
  expect(new Set(readdirSync(root, { recursive: true, encoding: 'utf8' }))).toEqual(new Set(['cwd', 'home', 'tmp']))
})

test('an agent has no tools but those that it was given', async () => {
  const asked: ModelRequest[] = []
  const model: Model = {
    name: 'test/model',
    async *stream(request) {
      asked.push(request)
      const content = [{ type: 'text' as const, text: 'Done.' }]
      const usage = { input: 1, output: 1, cache_read: 0, cache_write: 0 }
      yield { type: 'settled', message: { role: 'assistant', model: 'test/model', content, stop: 'end', usage } }
    },
  }
  await createAgent({ model, home: tempDir(), env: {} }).run('Hello.').result
  expect(asked.map(({ tools, system }) => ({ tools, system }))).toEqual([{ tools: [], system: '' }])
})
