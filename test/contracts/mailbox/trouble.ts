import { mkdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { maxBodyBytes } from '../../../src/adapters/mailbox/send/write-envelope.ts'
import { bodies, draft, emptyLog, type MailWorld } from '../mail-world.ts'

/** What happens when the disk refuses. */
export function troubleContract(world: () => MailWorld): void {
  describe('when the journal refuses', () => {
    const full = () => {
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    }
    test('a send says so and leaves no trace; later it works', () => {
      const stuck = world().open('lead', { log: { ...emptyLog, append: full } })
      expect(stuck.send(draft('writer', 'one'))).toEqual({
        ok: false,
        error: 'The mail was not sent: no space left.',
      })
      expect(world().tree()).toEqual([])
      expect(world().open('lead').send(draft('writer', 'one')).ok).toBe(true)
    })

    test('a text that cannot be put aside, or a box that cannot be listed, is a refusal too', () => {
      const lead = world().open('lead', { store: full, deliverability: (name) => (name === 'writer' ? null : full()) })
      const failed = { ok: false, error: 'The mail was not sent: no space left.' }
      expect(lead.send(draft('writer', 'x'.repeat(maxBodyBytes + 1), 'long'))).toEqual(failed)
      expect(lead.send(draft('historian', 'one'))).toEqual(failed)
      expect(world().tree()).toEqual([])
      expect(lead.send(draft('writer', 'one')).ok).toBe(true)
    })

    test('a receive throws and the mail stays unread, in order', () => {
      const lead = world().open('lead')
      for (const text of ['one', 'two', 'three']) lead.send(draft('writer', text))
      let refuse = false
      const box = world().open('writer', { log: { ...emptyLog, append: () => (refuse ? full() : undefined) } })
      expect(bodies(box, 1)).toEqual(['one'])
      refuse = true
      expect(() => box.receive(1)).toThrow('no space left')
      expect(box.unread()).toBe(2)
      expect(world().files('writer', 'new')).toHaveLength(2)
      refuse = false
      expect(bodies(box, 1)).toEqual(['two'])
      expect(bodies(box)).toEqual(['three'])
    })
  })

  describe('when a folder is in the way', () => {
    const obstacle = (path: string) => {
      mkdirSync(join(world().dir, 'writer'), { recursive: true })
      writeFileSync(join(world().dir, 'writer', path), 'no folder')
      return () => unlinkSync(join(world().dir, 'writer', path))
    }

    test.each(['tmp', 'new'])('%s: the send says so, and the mail goes out first once the way is free', (folder) => {
      const lead = world().open('lead')
      const remove = obstacle(folder)
      const failed = lead.send(draft('writer', 'one'))
      expect(failed.ok ? '' : failed.error).toContain('recorded but could not be written')
      const blocked = lead.send(draft('writer', 'two'))
      expect(blocked.ok ? '' : blocked.error).toContain('Earlier mail could not be written yet')
      remove()
      expect(lead.send(draft('writer', 'two')).ok).toBe(true)
      expect(lead.send(draft('writer', 'one')).ok).toBe(true)
      expect(bodies(world().open('writer'))).toEqual(['one', 'two'])
      expect(world().files('writer', 'tmp')).toEqual([])
    })

    test.each(['tmp', 'new'])('%s: who got a copy of it all the same is told at once', async (folder) => {
      const remove = obstacle(folder)
      const rang = new Promise<void>((resolve) =>
        world()
          .open('historian')
          .watch(() => resolve()),
      )
      const sent = world()
        .open('lead', { roster: ['lead', 'historian', 'writer'] })
        .send(draft('all', 'stand up'))
      expect(sent.ok).toBe(false)
      await rang
      expect(bodies(world().open('historian'))).toEqual(['stand up'])
      remove()
    })

    test('done: the mail arrives once, and its file follows later', () => {
      const [lead, writer] = [world().open('lead'), world().open('writer')]
      const remove = obstacle('done')
      lead.send(draft('writer', 'one'))
      expect(bodies(writer)).toEqual(['one'])
      expect(writer.unread()).toBe(0)
      expect(writer.receive()).toEqual([])
      remove()
      expect(writer.receive()).toEqual([])
      expect(writer.unread()).toBe(0)
      expect(world().files('writer', 'done')).toHaveLength(1)
      expect(world().received('writer')).toEqual(['one'])
    })
  })
}
