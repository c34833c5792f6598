import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sealOf } from '../../../../src/adapters/mailbox/files/read-mail.ts'
import type { Envelope } from '../../../../src/protocol/mail/envelope.ts'

const mail: Envelope = {
  v: 1,
  id: '01J0000000000000000000000A',
  key: 'k1',
  from: 'lead@demo',
  sender: 'lead',
  seq: 1,
  to: 'writer@demo',
  kind: 'text',
  priority: 'normal',
  body: 'Begin ✎',
  sent_at: 1,
}
const full: Envelope = {
  ...mail,
  kind: 'task',
  incarnation: '01J0000000000000000000000B',
  reply_to: '01J0000000000000000000000C',
  request: 'lead-1',
  status: 'done',
  artifact: { sha256: 'ab'.repeat(32), bytes: 7 },
  returns: { type: 'object' },
}

describe('a signature', () => {
  // Mail that lies on disk must stay genuine.
  test.each([
    [
      'of the required fields',
      Buffer.alloc(32, 1),
      mail,
      '3edf5a0a47426887be77ed6e5cd3adbfe21432bf4437275efbf0aff69c8e33d0',
    ],
    ['of all fields', Buffer.alloc(32, 1), full, '3f594af1ca2dd110a3919f622c713b9fe6d287eace383521ab4f9a69e216b05f'],
    [
      'with a key longer than a block',
      Buffer.alloc(100, 2),
      mail,
      '75d6e8e42a01c3f7f382e89df3a01939964d3d49058f2ea21c890648952e6a43',
    ],
  ])('%s stays what it was', (_, key, envelope, mac) => {
    expect(sealOf(key).sign(envelope).mac).toBe(mac)
  })

  test.each(Object.keys(full) as (keyof Envelope)[])('covers %s', (field) => {
    const seal = sealOf(Buffer.alloc(32, 1))
    const signed = seal.sign(full)
    expect(seal.complaint(signed)).toBeNull()
    expect(seal.complaint({ ...signed, [field]: undefined })).toMatch(/its signature is not of this run/)
  })

  test('covers restrictions, and does not take them for a contract', () => {
    const seal = sealOf(Buffer.alloc(32, 1))
    const restrictions = [{ of: 'ann@demo', deny: ['Bash'] }]
    const { restrictions: given, ...signed } = seal.sign({ ...mail, restrictions })
    expect(seal.complaint({ ...signed, restrictions: given })).toBeNull()
    expect(seal.complaint(signed)).toMatch(/not of this run/)
    expect(seal.complaint({ ...signed, returns: given } as unknown as Envelope)).toMatch(/not of this run/)
  })

  test('is asked for, and has to be of the same key', () => {
    const seal = sealOf(Buffer.alloc(32, 1))
    expect(seal.complaint(mail)).toBe('it is not signed')
    expect(seal.complaint({ ...mail, mac: 'short' })).toMatch(/not of this run/)
    expect(seal.complaint(sealOf(Buffer.alloc(32, 2)).sign(mail))).toMatch(/not of this run/)
  })
})

test('a pipe that nobody writes to is no mail, and nobody waits for it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-pipe-'))
  const file = 'lead-1-01J00000000000000000000001.json'
  execFileSync('mkfifo', [join(folder, file)])
  const module = join(import.meta.dirname, '../../../../src/adapters/mailbox/files/read-mail.ts')
  const read = `import { readMail } from ${JSON.stringify(module)}
    console.log(readMail(${JSON.stringify(join(folder, file))}, '${file}', { id: 'writer@demo', team: 'demo' }).reason)`
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', read], { encoding: 'utf8', timeout: 20_000 })
  rmSync(folder, { recursive: true })
  expect(child.stdout).toBe('it is not a plain file\n')
})
