import { appendFileSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createDoorbell } from '../../../src/adapters/mailbox/watch/doorbell.ts'
import { bodies, draft, type MailWorld } from '../mail-world.ts'

/** What lies in a box and is no mail. */
export function unreadableMailContract(world: () => MailWorld): void {
  describe('what is no mail', () => {
    const id = (n: number) => `01J0000000000000000000000${n}`
    const bad: readonly (readonly [string, string | Buffer])[] = [
      [`lead-1-${id(1)}.json`, '{"v":1,"id":"01J'],
      [`lead-2-${id(2)}.json`, '"just a text"'],
      [`lead-3-${id(3)}.json`, 'null'],
      [`lead-4-${id(4)}.json`, ''],
      [`lead-5-${id(5)}.json`, Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
      [`lead-6-${id(6)}.json`, '{"v":1,"kind":"gossip"}'],
      [`lead-7-${id(7)}.json`, 'x'.repeat(3 * 1024 * 1024)],
      ['notes.txt', 'hello'],
      ['lead-0-x.json', '{}'],
    ]
    test('goes to dead/ once, is reported once with its reason, and good mail arrives all the same', () => {
      const [historian, writer] = [world().open('historian'), world().open('writer')]
      historian.send(draft('writer', 'before'))
      const inbox = join(world().dir, 'writer/new')
      for (const [file, content] of bad) writeFileSync(join(inbox, file), content)
      mkdirSync(join(inbox, 'a-folder'))
      symlinkSync('/etc/passwd', join(inbox, `lead-8-${id(8)}.json`))
      historian.send(draft('writer', 'after'))

      expect(bodies(writer)).toEqual(['before', 'after'])
      expect(writer.receive()).toEqual([])
      const files = [...bad.map(([file]) => file), 'a-folder', `lead-8-${id(8)}.json`].toSorted()
      expect(world().files('writer', 'dead')).toEqual(files)
      expect(
        world()
          .deaths('writer')
          .map(({ file }) => file)
          .toSorted(),
      ).toEqual(files)
      expect(
        world()
          .deaths('writer')
          .every(({ reason }) => reason.length > 5),
      ).toBe(true)
      expect(
        world()
          .deaths('writer')
          .find(({ file }) => file === `lead-3-${id(3)}.json`)?.mail_id,
      ).toBe(id(3))
      expect(writer.state('writer', id(3))).toBe('dead')
      expect(world().open('writer').receive()).toEqual([])
      expect(world().deaths('writer')).toHaveLength(files.length)
    })

    test('good mail in a file that is too large is not read', () => {
      world().open('lead').send(draft('writer', 'one'))
      const [file = ''] = world().files('writer', 'new')
      appendFileSync(join(world().dir, 'writer/new', file), ' '.repeat(2 * 1024 * 1024))
      expect(world().open('writer').receive()).toEqual([])
      expect(world().deaths('writer')).toMatchObject([
        { reason: expect.stringMatching(/^it has \d+ bytes$/) as string },
      ])
    })

    test('a box with thousands of them is gone through in parts, and the watch rings for the rest', () => {
      const inbox = join(world().dir, 'writer/new')
      mkdirSync(inbox, { recursive: true })
      for (let n = 0; n < 2_500; n += 1) writeFileSync(join(inbox, `junk-${n}`), '')
      const planned: number[] = []
      const timers = { set: (_: () => void, ms: number) => planned.push(ms), clear: () => undefined }
      const writer = world().open('writer', { timers, doorbell: createDoorbell() })
      writer.watch(() => undefined)
      expect(writer.receive()).toEqual([])
      expect(world().files('writer', 'new').length).toBeGreaterThan(0)
      expect(planned).toEqual([0])
      expect(writer.receive()).toEqual([])
      expect([world().files('writer', 'new'), writer.unread(), planned]).toEqual([[], 0, [0]])
    })

    test('a link that leads nowhere does not stay unread', () => {
      mkdirSync(join(world().dir, 'writer/new'), { recursive: true })
      symlinkSync(join(world().home, 'nowhere'), join(world().dir, `writer/new/lead-1-${id(1)}.json`))
      const writer = world().open('writer')
      expect(writer.receive()).toEqual([])
      expect(writer.unread()).toBe(0)
      expect(world().files('writer', 'dead')).toEqual([`lead-1-${id(1)}.json`])
    })

    test('a folder is set aside as often as it appears, and what lay there before is kept', () => {
      for (const content of ['first', 'second']) {
        mkdirSync(join(world().dir, 'writer/new/a-folder'), { recursive: true })
        writeFileSync(join(world().dir, 'writer/new/a-folder/file'), content)
        world().open('historian').send(draft('writer', content))
        expect(bodies(world().open('writer'))).toEqual([content])
      }
      const kept = world().files('writer', 'dead')
      expect(kept).toEqual(['a-folder', 'a-folder.1'])
      expect(kept.map((name) => readFileSync(join(world().dir, 'writer/dead', name, 'file'), 'utf8'))).toEqual([
        'second',
        'first',
      ])
      expect(world().open('writer').unread()).toBe(0)
    })

    test('a mail in the wrong box, and one under a wrong name, die', () => {
      const lead = world().open('lead')
      const [first, second] = [lead.send(draft('writer', 'one')), lead.send(draft('writer', 'two'))]
      if (!first.ok || !second.ok) throw new Error('not sent')
      const [one, two] = world()
        .files('writer', 'new')
        .map((file) => join(world().dir, 'writer/new', file))
      mkdirSync(join(world().dir, 'historian/new'), { recursive: true })
      renameSync(one ?? '', join(world().dir, `historian/new/lead-1-${first.envelope.id}.json`))
      renameSync(two ?? '', join(world().dir, `writer/new/lead-9-${second.envelope.id}.json`))
      expect(world().open('historian').receive()).toEqual([])
      expect(world().open('writer').receive()).toEqual([])
      expect(world().deaths('historian')).toMatchObject([{ reason: 'it is addressed to writer@demo' }])
      expect(world().deaths('writer')).toMatchObject([{ reason: 'its name and its envelope disagree' }])
    })
  })
}
