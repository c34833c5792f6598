import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bodies, draft, type MailWorld } from '../mail-world.ts'

/** What sending and receiving do when nothing goes wrong. */
export function deliveryContract(world: () => MailWorld): void {
  describe('a mail on its way', () => {
    test('is written, then acked; both journals know it, and it carries who, whose and when', () => {
      const [lead, writer] = [world().open('lead', { now: () => 42 }), world().open('writer')]
      const sent = lead.send({
        ...draft('writer', 'hello', 'k1'),
        kind: 'task',
        request: 'r1',
        priority: 'interrupt',
      })
      if (!sent.ok) throw new Error(sent.error)
      expect(sent.envelope).toEqual({
        v: 1,
        id: sent.envelope.id,
        key: 'k1',
        from: 'lead@demo',
        sender: 'lead',
        seq: 1,
        to: 'writer@demo',
        kind: 'task',
        priority: 'interrupt',
        request: 'r1',
        body: 'hello',
        sent_at: 42,
      })
      expect(lead.state('writer', sent.envelope.id)).toBe('written')
      expect(
        world()
          .tree()
          .filter((path) => path.endsWith('.json')),
      ).toEqual([`writer/new/lead-1-${sent.envelope.id}.json`])
      expect(writer.unread()).toBe(1)
      expect(writer.receive()).toEqual([sent.envelope])
      expect(writer.unread()).toBe(0)
      expect(writer.receive()).toEqual([])
      expect(lead.state('writer', sent.envelope.id)).toBe('acked')
      expect(world().entries('lead')).toMatchObject([{ type: 'mail.sent', envelope: sent.envelope }])
      expect(world().entries('writer')).toMatchObject([{ type: 'mail.received', envelope: sent.envelope }])
    })

    test('is from who sent it, whatever else a draft without types says', () => {
      const alien = { from: 'historian@demo', sender: 'historian', seq: 9, id: '0'.repeat(26), sent_at: 7 }
      const sent = world()
        .open('lead')
        .send({ ...draft('writer', 'hello'), ...alien })
      expect(sent).toMatchObject({
        ok: true,
        envelope: { from: 'lead@demo', sender: 'lead', seq: 1, sent_at: 1 },
      })
      expect(bodies(world().open('writer'))).toEqual(['hello'])
    })

    test('a mail nobody sent is unknown, and asking makes nothing', () => {
      const lead = world().open('lead')
      expect(lead.state('writer', '01J00000000000000000000000')).toBe('unknown')
      expect(lead.state('../writer', '01J00000000000000000000000')).toBe('unknown')
      expect(lead.unread()).toBe(0)
      expect(lead.receive()).toEqual([])
      expect(world().tree()).toEqual([])
    })

    test('a person outside the team can write too', () => {
      const person = world().open('user-01J0000000000000000000000A')
      expect(person.send(draft('lead', 'please hurry')).ok).toBe(true)
      expect(world().open('lead').receive()).toMatchObject([
        { from: 'user', sender: 'user-01J0000000000000000000000A' },
      ])
    })
  })

  describe('order', () => {
    test("is each sender's own, also beyond nine, and whatever the limit", () => {
      const [lead, writer] = [world().open('lead'), world().open('writer')]
      const texts = [...Array(23).keys()].map((n) => `m${n}`)
      for (const text of texts) lead.send(draft('writer', text))
      const taken: string[] = []
      for (let batch = bodies(writer, 5); batch.length > 0; batch = bodies(writer, 5)) {
        expect(batch.length).toBeLessThanOrEqual(5)
        taken.push(...batch)
      }
      expect(taken).toEqual(texts)
    })

    test('is by time between two senders, and a clock that is set back does not reorder one of them', () => {
      const late = ['01J00000000000000000000009', '01J00000000000000000000001']
      const lead = world().open('lead', { mint: () => late.shift() ?? '' })
      const historian = world().open('historian', { mint: () => '01J00000000000000000000005' })
      lead.send(draft('writer', 'lead 1'))
      lead.send(draft('writer', 'lead 2'))
      historian.send(draft('writer', 'historian 1'))
      expect(bodies(world().open('writer'))).toEqual(['historian 1', 'lead 1', 'lead 2'])
    })

    test('goes on across a restart of the sender', () => {
      world().open('lead').send(draft('writer', 'one'))
      const again = world().open('lead').send(draft('writer', 'two'))
      expect(again.ok && again.envelope.seq).toBe(2)
      expect(bodies(world().open('writer'))).toEqual(['one', 'two'])
    })
  })

  describe('the same key', () => {
    test('is the same mail: same id and number, one file', () => {
      const lead = world().open('lead')
      const first = lead.send(draft('writer', 'once', 'key'))
      expect(lead.send(draft('writer', 'once', 'key'))).toEqual(first)
      const later = world().open('lead')
      expect(later.send(draft('writer', 'once', 'key'))).toEqual(first)
      expect(world().files('writer', 'new')).toHaveLength(1)
      expect(world().entries('lead')).toHaveLength(1)
    })

    test('sends nothing again once the mail was read', () => {
      const [lead, writer] = [world().open('lead'), world().open('writer')]
      const first = lead.send(draft('writer', 'once', 'key'))
      writer.receive()
      expect(lead.send(draft('writer', 'once', 'key'))).toEqual(first)
      const later = world().open('lead')
      expect(later.send(draft('writer', 'once', 'key'))).toEqual(first)
      expect(writer.unread()).toBe(0)
    })

    test('finishes a send that was journaled and never written, before anything newer', () => {
      const before = world().open('lead')
      before.send(draft('writer', 'one'))
      renameSync(join(world().dir, 'writer/new'), join(world().home, 'lost'))
      const after = world().open('lead')
      after.send(draft('writer', 'two'))
      expect(bodies(world().open('writer'))).toEqual(['one', 'two'])
      expect(world().entries('lead')).toHaveLength(2)
    })
  })

  describe('power', () => {
    test('is the same to everybody else, and leaves nothing in tmp', () => {
      const lead = world().open('lead', { durability: 'power' })
      lead.send(draft('writer', 'one'))
      lead.send(draft('all', 'two'))
      expect(bodies(world().open('writer', { durability: 'power' }))).toEqual(['one', 'two'])
      expect(world().files('writer', 'tmp')).toEqual([])
      expect(world().files('writer', 'done')).toHaveLength(2)
    })
  })

  test('a closed mailbox neither sends nor receives', () => {
    const lead = world().open('lead')
    lead.close()
    expect(lead.send(draft('writer', 'x'))).toEqual({ ok: false, error: 'The mailbox of lead is closed.' })
    expect(() => lead.receive()).toThrow('closed')
    expect(world().tree()).toEqual([])
  })

  test.each(['', 'Lead', '../lead', 'user_1', 'a/b'])('%j is no owner', (owner) => {
    expect(() => world().open('lead', { owner })).toThrow('no name of a mailbox')
  })
}
