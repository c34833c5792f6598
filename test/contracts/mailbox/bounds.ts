import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { maxBodyBytes } from '../../../src/adapters/mailbox/send/write-envelope.ts'
import { storeArtifact } from '../../../src/adapters/sessions/artifacts.ts'
import { bodies, draft, type MailWorld } from '../mail-world.ts'

/** How much a box, a mail and the archive hold. */
export function boundsContract(world: () => MailWorld): void {
  describe('the archive', () => {
    test('keeps the newest, drops the rest in batches and when it is opened, and a dropped mail stays received', () => {
      const keep = { count: 10, ms: Number.MAX_SAFE_INTEGER }
      const lead = world().open('lead')
      const writer = world().open('writer', { keep })
      for (let n = 1; n <= 300; n += 1) lead.send(draft('writer', `m${n}`))
      while (bodies(writer, 20).length > 0);
      expect(world().files('writer', 'done').length).toBeLessThan(10 + 256)
      world().open('writer', { keep })
      const numbers = world()
        .files('writer', 'done')
        .map((file) => Number(file.split('-')[1]))
      expect(numbers.toSorted((a, b) => a - b)).toEqual([...Array(10).keys()].map((n) => 291 + n))
      expect(world().received('writer')).toHaveLength(300)
      expect(world().open('lead').send(draft('writer', 'm300'))).toMatchObject({ ok: true })
      expect(bodies(world().open('writer'))).toEqual([])
    })

    test('drops what is too old', () => {
      const lead = world().open('lead')
      lead.send(draft('writer', 'old'))
      const late = { keep: { count: 10, ms: 1_000 }, now: () => Date.UTC(2100, 1) }
      expect(bodies(world().open('writer', late))).toEqual(['old'])
      world().open('writer', late)
      expect(world().files('writer', 'done')).toEqual([])
    })
  })

  test('of dead letters the 10,000 newest stay', () => {
    world().open('lead').send(draft('writer', 'm1'))
    const dead = join(world().dir, 'writer', 'dead')
    mkdirSync(dead)
    const name = (n: number) => `lead-${n}-01J0000000${String(n).padStart(16, '0')}.json`
    for (let n = 1; n <= 10_003; n += 1) writeFileSync(join(dead, name(n)), '')
    world().open('writer')
    expect(readdirSync(dead)).toHaveLength(10_000)
    expect([1, 3, 4].map((n) => existsSync(join(dead, name(n))))).toEqual([false, false, true])
  })

  describe('bounds', () => {
    test('a longer text is put aside whole; its beginning and its place are sent', () => {
      const text = `${'x'.repeat(8 * 1024 - 1)}🎭${'y'.repeat(maxBodyBytes)}`
      const lead = world().open('lead', { store: (whole) => storeArtifact(join(world().home, 'artifacts'), whole) })
      const sent = lead.send(draft('writer', text, 'long'))
      const [mail] = world().open('writer').receive()
      if (!sent.ok || !mail?.artifact) throw new Error('not sent')
      const path = join(world().home, 'artifacts', mail.artifact.sha256)
      expect(readFileSync(path, 'utf8')).toBe(text)
      expect(mail.artifact.bytes).toBe(Buffer.byteLength(text))
      expect(mail.body.startsWith(`${'x'.repeat(8 * 1024 - 1)}\n\n[The beginning of`)).toBe(true)
      expect(mail.body).toContain(path)
    })

    test('a body of the largest size arrives, one byte more is refused with the remedy and without a trace', () => {
      const lead = world().open('lead')
      const most = '\u0001'.repeat(maxBodyBytes)
      expect(lead.send(draft('writer', most, 'fits')).ok).toBe(true)
      expect(bodies(world().open('writer'))).toEqual([most])
      const sent = lead.send(draft('writer', `${'x'.repeat(maxBodyBytes - 1)}ü`, 'too large'))
      expect(sent).toMatchObject({ ok: false, error: expect.stringContaining('send the path') as string })
      expect(world().entries('lead')).toHaveLength(1)
      expect(world().files('writer', 'new')).toEqual([])
    })

    test('fields that no reader would take are refused without a trace', () => {
      const lead = world().open('lead')
      const long = 'k'.repeat(64 * 1024)
      const more = [{ key: long }, { request: long }, { reply_to: long }, { returns: { enum: [long] } }]
      for (const field of more) {
        const sent = lead.send({ ...draft('writer', 'one'), ...field })
        expect(sent.ok ? '' : sent.error).toMatch(/malformed: its fields besides the body have \d+ characters/)
      }
      expect(world().entries('lead')).toEqual([])
      expect(lead.send({ ...draft('writer', 'one'), request: long.slice(1_000) }).ok).toBe(true)
      expect(bodies(world().open('writer'))).toEqual(['one'])
    })

    test.each(['to', 'body', 'key'])('a draft without a text as %s is refused in words', (field) => {
      const lead = world().open('lead')
      const wrong = 5 as unknown as string
      const sent = lead.send({ ...draft('writer', 'one'), [field]: wrong })
      expect(sent).toEqual({ ok: false, error: `The mail is malformed: ${field} is no text.` })
    })

    test('a full box refuses its senders until it is read, and nobody else', () => {
      const lead = world().open('lead', { maxUnread: 3 })
      for (const text of ['a', 'b', 'c']) expect(lead.send(draft('writer', text)).ok).toBe(true)
      expect(lead.send(draft('writer', 'd'))).toMatchObject({
        ok: false,
        error: expect.stringContaining('3 unread') as string,
      })
      expect(lead.send(draft('historian', 'd', 'other')).ok).toBe(true)
      const writer = world().open('writer')
      expect(bodies(writer, 1)).toEqual(['a'])
      expect(lead.send(draft('writer', 'd')).ok).toBe(true)
      expect(bodies(writer)).toEqual(['b', 'c', 'd'])
    })

    test('what somebody waits for finds room in a full box', () => {
      const lead = world().open('lead', { maxUnread: 1 })
      lead.send(draft('writer', 'a'))
      expect(lead.send({ ...draft('writer', 'Done.'), kind: 'result' }).ok).toBe(true)
      expect(lead.send({ ...draft('writer', 'Yes.'), kind: 'answer' }).ok).toBe(true)
      expect(lead.send({ ...draft('writer', 'Well?'), kind: 'question' }).ok).toBe(false)
      expect(bodies(world().open('writer'))).toEqual(['a', 'Done.', 'Yes.'])
    })
  })
}
