import { copyFileSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bodies, draft, emptyLog, type MailWorld } from '../mail-world.ts'

/** What is delivered again, and what is not, after a process ended in the middle. */
export function restartContract(world: () => MailWorld): void {
  describe('repeats', () => {
    test('a mail that comes again is acked and dropped, also after a restart', () => {
      const [lead, writer] = [world().open('lead'), world().open('writer')]
      for (const text of ['one', 'two']) lead.send(draft('writer', text))
      writer.receive()
      const again = () => {
        for (const file of world().files('writer', 'done')) {
          copyFileSync(join(world().dir, 'writer/done', file), join(world().dir, 'writer/new', file))
        }
      }
      again()
      expect(writer.receive()).toEqual([])
      again()
      expect(world().open('writer').receive()).toEqual([])
      expect(world().received('writer')).toEqual(['one', 'two'])
      expect(world().files('writer', 'new')).toEqual([])
      expect(world().deaths('writer')).toEqual([])
    })

    test('another mail under a number that was used dies loudly instead of vanishing', () => {
      world().open('lead').send(draft('writer', 'one'))
      const writer = world().open('writer')
      writer.receive()
      const forgetful = world().open('lead', { log: { ...emptyLog, append: () => undefined } })
      forgetful.send(draft('writer', 'not one'))
      expect(writer.receive()).toEqual([])
      expect(world().deaths('writer')).toMatchObject([{ reason: 'its number 1 is not above 1, the last from lead' }])
    })
  })

  describe('a restart in the middle', () => {
    const gone = '999999999.1'
    const claimAll = (claim: string) => {
      mkdirSync(join(world().dir, 'writer/cur', claim), { recursive: true })
      for (const file of world().files('writer', 'new')) {
        renameSync(join(world().dir, 'writer/new', file), join(world().dir, 'writer/cur', claim, file))
      }
    }

    test('what was claimed by a dead process and not journaled is delivered, in order', () => {
      const lead = world().open('lead')
      const sent = lead.send(draft('writer', 'one'))
      claimAll(gone)
      expect(sent.ok && lead.state('writer', sent.envelope.id)).toBe('claimed')
      lead.send(draft('writer', 'two'))
      const writer = world().open('writer')
      expect(writer.unread()).toBe(2)
      expect(bodies(writer)).toEqual(['one', 'two'])
      expect(
        world()
          .tree()
          .filter((path) => path.startsWith('writer/cur/')),
      ).toHaveLength(1)
    })

    test('what was journaled and not posted goes out when its sender opens its box again, before it sends anything', () => {
      const killed = world().open('lead', {
        step(name) {
          if (name === 'sent.journaled') throw new Error('killed')
        },
      })
      expect(() => killed.send(draft('writer', 'one'))).toThrow('killed')
      const writer = world().open('writer')
      expect(bodies(writer)).toEqual([])
      world().open('lead')
      expect(bodies(writer)).toEqual(['one'])
    })

    test('what was claimed and journaled is acked, not delivered again', () => {
      world().open('lead').send(draft('writer', 'one'))
      world().open('writer').receive()
      const [file = ''] = world().files('writer', 'done')
      mkdirSync(join(world().dir, 'writer/cur', gone), { recursive: true })
      renameSync(join(world().dir, 'writer/done', file), join(world().dir, 'writer/cur', gone, file))
      const writer = world().open('writer')
      expect(writer.receive()).toEqual([])
      expect(world().files('writer', 'done')).toEqual([file])
      expect(world().received('writer')).toEqual(['one'])
    })

    test('what another living process claimed is left to it', () => {
      world().open('lead').send(draft('writer', 'one'))
      claimAll(`${process.ppid}.0`)
      const writer = world().open('writer')
      expect(writer.receive()).toEqual([])
      expect(writer.unread()).toBe(0)
      expect(world().files('writer', `cur/${process.ppid}.0`)).toHaveLength(1)
    })

    test('what was given up before the restart is set aside, not reported again', () => {
      mkdirSync(join(world().dir, 'writer/new'), { recursive: true })
      writeFileSync(join(world().dir, 'writer/new/notes.txt'), 'x')
      world().open('writer').receive()
      mkdirSync(join(world().dir, 'writer/cur', gone), { recursive: true })
      renameSync(join(world().dir, 'writer/dead/notes.txt'), join(world().dir, 'writer/cur', gone, 'notes.txt'))
      expect(world().open('writer').receive()).toEqual([])
      expect(world().files('writer', 'dead')).toEqual(['notes.txt'])
      expect(world().deaths('writer')).toHaveLength(1)
    })

    test('a file that lies in cur/ itself is judged like any other', () => {
      mkdirSync(join(world().dir, 'writer/cur'), { recursive: true })
      writeFileSync(join(world().dir, 'writer/cur/stray'), 'x')
      expect(world().open('writer').receive()).toEqual([])
      expect(world().deaths('writer')).toMatchObject([{ file: 'stray' }])
    })

    test('a link in cur/ is no claim: what it leads to stays where it is', () => {
      mkdirSync(join(world().dir, 'writer/cur'), { recursive: true })
      mkdirSync(join(world().home, 'elsewhere'))
      writeFileSync(join(world().home, 'elsewhere/precious'), 'x')
      symlinkSync(join(world().home, 'elsewhere'), join(world().dir, 'writer/cur/link'))
      expect(world().open('writer').receive()).toEqual([])
      expect(readdirSync(join(world().home, 'elsewhere'))).toEqual(['precious'])
      expect(world().deaths('writer')).toMatchObject([{ file: 'link' }])
    })
  })
}
