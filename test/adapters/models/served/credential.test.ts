import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { processStart } from '../../../../src/adapters/process/liveness.ts'
import { proxiesOf } from '../../../../src/adapters/models/http/proxies.ts'
import { credentialOf } from '../../../../src/adapters/models/served/credential.ts'

function commandIn() {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-key-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const file = join(dir, 'key')
  return { file, credential: credentialOf({ key: { command: `cat ${file}` } }, process.env) }
}

test('a command that failed once is asked again', async () => {
  const { file, credential } = commandIn()
  await expect(credential.read()).rejects.toThrow('the command for the key gave none')
  writeFileSync(file, 'one\n')
  expect(await credential.read()).toBe('one')
})

test('a command that fails is told with its own words, and leaves nothing behind', async () => {
  const { file } = commandIn()
  const env = { PATH: process.env['PATH'], HOME: '/nowhere', SECRET: 'of-the-process' }
  const told = credentialOf({ key: { command: `env > ${file}; echo no such entry >&2; exit 3` } }, env)
  await expect(told.read()).rejects.toThrow('gave none: it ended with 3 (no such entry)')
  expect(readFileSync(file, 'utf8')).not.toContain('SECRET')
  const leaving = credentialOf({ key: { command: `sleep 600 & echo $! > ${file}; exit 1` } }, env)
  await expect(leaving.read()).rejects.toThrow('it ended with 1')
  const pid = Number(readFileSync(file, 'utf8'))
  expect(processStart(pid)).toBeNull()
})

test.each([
  ['yes', 'it printed more than 20000 characters'],
  ['true', 'it printed nothing'],
  ['echo', 'it printed nothing'],
])('a command that prints no key, %s, is told so', async (command, why) => {
  await expect(credentialOf({ key: { command } }, process.env).read()).rejects.toThrow(
    `the command for the key gave none: ${why}`,
  )
})

test('a key is new when the command prints another one, also after it failed', async () => {
  const { file, credential } = commandIn()
  await expect(credential.read()).rejects.toThrow('gave none')
  writeFileSync(file, 'one\n')
  expect(await credential.renew()).toBe(true)
  credential.refused('one')
  expect(await credential.renew()).toBe(false)
  writeFileSync(file, 'two\n')
  expect([await credential.renew(), await credential.read()]).toEqual([true, 'two'])
})

test('the members that share a key get the next one, whoever asks for it first', async () => {
  const { file, credential } = commandIn()
  writeFileSync(file, 'one\n')
  const keys = await Promise.all([credential.read(), credential.read(), credential.read()])
  writeFileSync(file, 'two\n')
  for (const key of keys) credential.refused(key)
  expect(await credential.renew()).toBe(true)
  expect(await Promise.all([credential.renew(), credential.renew()])).toEqual([true, true])
  expect(await credential.read()).toBe('two')
  credential.refused('two')
  expect(await credential.renew()).toBe(false)
})

test('only this machine is reached past a proxy that cannot be used', () => {
  const { complaint } = proxiesOf({ ALL_PROXY: 'socks5://127.0.0.1:1' })
  const refused = (url: string): boolean => complaint(new URL(url)) !== undefined
  expect(['http://localhost:1', 'http://127.0.0.2:1', 'http://[::1]:1'].map(refused)).toEqual([false, false, false])
  expect(['http://localhost.evil.example', 'http://127.evil.example', 'http://a.test'].map(refused)).toEqual([
    true,
    true,
    true,
  ])
})
