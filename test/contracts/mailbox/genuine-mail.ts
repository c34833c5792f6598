import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sealOf } from '../../../src/adapters/mailbox/files/read-mail.ts'
import { bodies, draft, type MailWorld } from '../mail-world.ts'

/** Which mail a box believes: what the run signed, for the life it was meant for. */
export function genuineMailContract(world: () => MailWorld): void {
  describe('a sealed box', () => {
    const seal = sealOf(Buffer.alloc(32, 7))
    const sealed = (owner: string) => world().open(owner, { seal })
    const alter = (change: (mail: Record<string, unknown>) => void) => {
      const [file = ''] = world().files('writer', 'new')
      const path = join(world().dir, 'writer/new', file)
      const mail = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
      change(mail)
      writeFileSync(path, JSON.stringify(mail))
    }

    test('takes mail that was signed, also before a restart of either side', () => {
      const sent = sealed('lead').send({ ...draft('writer', 'one'), request: 'r1', status: 'done', kind: 'result' })
      expect(sent.ok && sent.envelope.mac).toMatch(/^[0-9a-f]{64}$/)
      sealed('lead').send(draft('writer', 'two'))
      expect(bodies(sealed('writer'))).toEqual(['one', 'two'])
    })

    const changes: readonly (readonly [string, unknown])[] = [
      ['body', 'two'],
      ['key', 'k'],
      ['kind', 'task'],
      ['priority', 'interrupt'],
      ['request', 'r9'],
      ['reply_to', 'x'],
      ['status', 'done'],
      ['incarnation', 'i'],
      ['sent_at', 99],
      ['artifact', { sha256: '0'.repeat(64), bytes: 1 }],
      ['mac', '00'],
      ['mac', 'zz'.repeat(32)],
      ['mac', undefined],
    ]
    test.each(changes)('gives up mail whose %s was changed to %j, and says so', (field, value) => {
      sealed('lead').send(draft('writer', 'one'))
      alter((mail) => {
        mail[field] = value
      })
      const writer = sealed('writer')
      expect(writer.receive()).toEqual([])
      const [death] = world().deaths('writer')
      expect(death?.reason).toMatch(value === undefined ? 'it is not signed' : 'signature is not of this run')
      expect(world().files('writer', 'dead')).toHaveLength(1)
    })

    test.each([{ hurry: 'now' }, { artifact: { sha256: '0'.repeat(64), bytes: 1, note: 'x' } }])(
      'gives up mail that says more than was signed: %j',
      (more) => {
        const artifact = { sha256: '0'.repeat(64), bytes: 1 }
        const store = () => ({ ...artifact, path: '/p' })
        const lead = world().open('lead', { seal, store })
        lead.send(draft('writer', 'artifact' in more ? 'x'.repeat(300_000) : 'one', 'key'))
        alter((mail) => Object.assign(mail, more))
        const writer = sealed('writer')
        expect(writer.receive()).toEqual([])
        expect(world().deaths('writer')).toMatchObject([
          { reason: expect.stringContaining('it has a field that no signature covers') as string },
        ])
      },
    )

    test('takes what was mended and put back, late as it is, once', () => {
      const lead = sealed('lead')
      lead.send(draft('writer', 'one'))
      const file = world().files('writer', 'new')[0] ?? ''
      const path = join(world().dir, 'writer/new', file)
      const genuine = readFileSync(path, 'utf8')
      writeFileSync(path, genuine.replace('one', 'won'))
      lead.send(draft('writer', 'two'))
      const writer = sealed('writer')
      expect(bodies(writer)).toEqual(['two'])
      writeFileSync(path, genuine)
      expect(bodies(writer)).toEqual(['one'])
      writeFileSync(path, genuine)
      expect(bodies(sealed('writer'))).toEqual([])
      expect(world().received('writer')).toEqual(['two', 'one'])
    })

    test('gives up what another key signed, and what speaks for somebody else', () => {
      world()
        .open('lead', { seal: sealOf(Buffer.alloc(32, 8)) })
        .send(draft('writer', 'one'))
      world().open('historian', { seal, from: 'lead@demo' }).send(draft('writer', 'two'))
      world().open('historian', { seal, from: 'user' }).send(draft('writer', 'three'))
      expect(sealed('writer').receive()).toEqual([])
      expect(
        world()
          .deaths('writer')
          .map(({ reason }) => reason),
      ).toEqual([
        expect.stringContaining('signature'),
        'it says it is from lead@demo, and historian wrote it',
        'it says it is from user, and historian wrote it',
      ])
    })
  })

  describe('a fence', () => {
    test('lets mail through to the life it is meant for, and to nobody after it', () => {
      const lead = world().open('lead')
      lead.send({ ...draft('writer', 'stop'), kind: 'control', incarnation: 'first' })
      expect(bodies(world().open('writer', { incarnation: 'first' }))).toEqual(['stop'])
      lead.send({ ...draft('writer', 'stop again'), kind: 'control', incarnation: 'first' })
      lead.send(draft('writer', 'to whoever it is'))
      expect(bodies(world().open('writer', { incarnation: 'second' }))).toEqual(['to whoever it is'])
      const reason = 'it is meant for the life first of writer@demo, and this is second'
      expect(world().deaths('writer')).toMatchObject([{ reason }])
    })
  })
}
