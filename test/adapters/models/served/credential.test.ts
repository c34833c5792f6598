import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
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
