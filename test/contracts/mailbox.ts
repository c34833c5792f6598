import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Mailbox } from '../../src/adapters/mailbox/mailbox.ts'
import { maxBodyBytes } from '../../src/adapters/mailbox/write-envelope.ts'
import { storeArtifact } from '../../src/adapters/sessions/artifacts.ts'
import { sealOf } from '../../src/adapters/mailbox/seal.ts'
import { draft, type MailWorld } from './mail-world.ts'

const bodies = (box: Mailbox, limit?: number) => box.receive(limit).map(({ body }) => body)

/** What every mailbox does, whatever keeps its owner's journal. */
export function mailboxContract(name: string, makeWorld: () => MailWorld): void {
  let world: MailWorld
  beforeEach(() => {
    world = makeWorld()
  })
  afterEach(() => world.remove())

  describe(`mailbox contract: ${name}`, () => {
    describe('a mail on its way', () => {
      test('is written, then acked; both journals know it, and it carries who, whose and when', () => {
        const [lead, writer] = [world.open('lead', { now: () => 42 }), world.open('writer')]
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
        expect(world.tree().filter((path) => path.endsWith('.json'))).toEqual([
          `writer/new/lead-1-${sent.envelope.id}.json`,
        ])
        expect(writer.unread()).toBe(1)
        expect(writer.receive()).toEqual([sent.envelope])
        expect(writer.unread()).toBe(0)
        expect(writer.receive()).toEqual([])
        expect(lead.state('writer', sent.envelope.id)).toBe('acked')
        expect(world.entries('lead')).toMatchObject([{ type: 'mail.sent', envelope: sent.envelope }])
        expect(world.entries('writer')).toMatchObject([{ type: 'mail.received', envelope: sent.envelope }])
      })

      test('is from who sent it, whatever else a draft without types says', () => {
        const alien = { from: 'historian@demo', sender: 'historian', seq: 9, id: '0'.repeat(26), sent_at: 7 }
        const sent = world.open('lead').send({ ...draft('writer', 'hello'), ...alien })
        expect(sent).toMatchObject({
          ok: true,
          envelope: { from: 'lead@demo', sender: 'lead', seq: 1, sent_at: 1 },
        })
        expect(bodies(world.open('writer'))).toEqual(['hello'])
      })

      test('a mail nobody sent is unknown, and asking makes nothing', () => {
        const lead = world.open('lead')
        expect(lead.state('writer', '01J00000000000000000000000')).toBe('unknown')
        expect(lead.state('../writer', '01J00000000000000000000000')).toBe('unknown')
        expect(lead.unread()).toBe(0)
        expect(lead.receive()).toEqual([])
        expect(world.tree()).toEqual([])
      })

      test('a person outside the team can write too', () => {
        const person = world.open('user-01J0000000000000000000000A')
        expect(person.send(draft('lead', 'please hurry')).ok).toBe(true)
        expect(world.open('lead').receive()).toMatchObject([
          { from: 'user', sender: 'user-01J0000000000000000000000A' },
        ])
      })
    })

    describe('order', () => {
      test("is each sender's own, also beyond nine, and whatever the limit", () => {
        const [lead, writer] = [world.open('lead'), world.open('writer')]
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
        const lead = world.open('lead', { mint: () => late.shift() ?? '' })
        const historian = world.open('historian', { mint: () => '01J00000000000000000000005' })
        lead.send(draft('writer', 'lead 1'))
        lead.send(draft('writer', 'lead 2'))
        historian.send(draft('writer', 'historian 1'))
        expect(bodies(world.open('writer'))).toEqual(['historian 1', 'lead 1', 'lead 2'])
      })

      test('goes on across a restart of the sender', () => {
        world.open('lead').send(draft('writer', 'one'))
        const again = world.open('lead').send(draft('writer', 'two'))
        expect(again.ok && again.envelope.seq).toBe(2)
        expect(bodies(world.open('writer'))).toEqual(['one', 'two'])
      })
    })

    describe('the same key', () => {
      test('is the same mail: same id and number, one file', () => {
        const lead = world.open('lead')
        const first = lead.send(draft('writer', 'once', 'key'))
        expect(lead.send(draft('writer', 'once', 'key'))).toEqual(first)
        expect(world.open('lead').send(draft('writer', 'once', 'key'))).toEqual(first)
        expect(world.files('writer', 'new')).toHaveLength(1)
        expect(world.entries('lead')).toHaveLength(1)
      })

      test('sends nothing again once the mail was read', () => {
        const [lead, writer] = [world.open('lead'), world.open('writer')]
        const first = lead.send(draft('writer', 'once', 'key'))
        writer.receive()
        expect(lead.send(draft('writer', 'once', 'key'))).toEqual(first)
        expect(world.open('lead').send(draft('writer', 'once', 'key'))).toEqual(first)
        expect(writer.unread()).toBe(0)
      })

      test('finishes a send that was journaled and never written, before anything newer', () => {
        const before = world.open('lead')
        before.send(draft('writer', 'one'))
        renameSync(join(world.dir, 'writer/new'), join(world.home, 'lost'))
        const after = world.open('lead')
        after.send(draft('writer', 'two'))
        expect(bodies(world.open('writer'))).toEqual(['one', 'two'])
        expect(world.entries('lead')).toHaveLength(2)
      })
    })

    describe('who is unknown', () => {
      const wrong = [
        'writr',
        '',
        ' writer',
        'WRITER',
        'Writer',
        '../lead',
        'lead.json',
        '*',
        '.',
        '..',
        'a/b',
        'lead\0',
        'lead\n',
      ]
      test.each(wrong)('%j gets nothing, and nothing appears', (to) => {
        const lead = world.open('lead')
        lead.send(draft('writer', 'makes the folders'))
        const before = world.tree()
        const facts = world.entries('lead').length
        const sent = lead.send(draft(to, 'lost?'))
        expect(sent.ok ? '' : sent.error).toContain('Members: lead, writer, historian.')
        expect(world.tree()).toEqual(before)
        expect(world.entries('lead')).toHaveLength(facts)
      })

      test('the error guesses what was meant', () => {
        const sent = world.open('lead').send(draft('writr', ''))
        expect(sent).toMatchObject({ ok: false, error: expect.stringContaining('Did you mean "writer"?') as string })
      })

      test('another team is another team', () => {
        const sent = world.open('lead').send({ ...draft('writer', 'x'), to: 'writer@other' })
        expect(sent).toMatchObject({ ok: false, error: expect.stringContaining('not in this team') as string })
        expect(world.tree()).toEqual([])
      })
    })

    describe('several recipients', () => {
      test('everybody else gets a mail of its own, journaled together, sent once', () => {
        const lead = world.open('lead')
        const sent = lead.send(draft('all', 'stand up', 'k'))
        expect(sent.ok && sent.copies?.map(({ to, seq, key }) => [to, seq, key])).toEqual([
          ['writer@demo', 1, 'k:writer'],
          ['historian@demo', 2, 'k:historian'],
        ])
        expect(lead.send(draft('all', 'stand up', 'k'))).toEqual(sent)
        expect(world.open('lead').send(draft('all', 'stand up', 'k'))).toEqual(sent)
        expect(bodies(world.open('writer'))).toEqual(['stand up'])
        expect(bodies(world.open('historian'))).toEqual(['stand up'])
        expect(world.entries('lead')).toHaveLength(2)
        expect(lead.receive()).toEqual([])
      })

      test('what only one can do goes to one', () => {
        const sent = world.open('lead').send({ ...draft('all', 'do it'), kind: 'task' })
        expect(sent).toEqual({ ok: false, error: 'A task goes to one member.' })
        expect(world.tree()).toEqual([])
      })

      test('one full box refuses the whole, and nothing appears', () => {
        const lead = world.open('lead', { maxUnread: 1 })
        lead.send(draft('historian', 'one'))
        const before = world.tree()
        expect(lead.send(draft('all', 'two'))).toMatchObject({
          ok: false,
          error: expect.stringContaining('historian has 1') as string,
        })
        expect(world.tree()).toEqual(before)
      })

      test('a kill between journal and files loses none of them, and doubles none', () => {
        const killed = world.open('lead', {
          step(name) {
            if (name === 'new.linked') throw new Error('killed')
          },
        })
        expect(() => killed.send(draft('all', 'stand up', 'k'))).toThrow('killed')
        expect(world.tree().filter((path) => /new\/.*json/.test(path))).toHaveLength(1)
        const lead = world.open('lead')
        expect(lead.send(draft('writer', 'next')).ok).toBe(true)
        expect(bodies(world.open('writer'))).toEqual(['stand up', 'next'])
        expect(bodies(world.open('historian'))).toEqual(['stand up'])
      })

      test('an address can name a role, and one life of a member', () => {
        const life = '01J00000000000000000000001'
        const lead = world.open('lead', { roles: { lead: 'lead', writer: 'scribe', historian: 'historian' } })
        expect(lead.send(draft('scribe', 'to the role')).ok).toBe(true)
        expect(lead.send({ ...draft('writer', 'to a life'), to: `writer@demo#${life}` }).ok).toBe(true)
        expect(bodies(world.open('writer', { incarnation: '01J00000000000000000000002' }))).toEqual(['to the role'])
        expect(world.deaths('writer')).toMatchObject([
          { reason: expect.stringContaining(life) as string, kind: 'text' },
        ])
      })
    })

    describe('how the recipient stands', () => {
      const standing = (name: string) =>
        name === 'writer' ? { refuse: 'writer is lost.' } : { note: 'historian was stopped.' }
      test('decides whether mail is taken, and is told', () => {
        const lead = world.open('lead', { standing })
        expect(lead.send(draft('writer', 'one'))).toEqual({ ok: false, error: 'writer is lost.' })
        expect(world.tree()).toEqual([])
        expect(lead.send(draft('historian', 'two'))).toMatchObject({ ok: true, note: 'historian was stopped.' })
      })
    })

    describe('power', () => {
      test('is the same to everybody else, and leaves nothing in tmp', () => {
        const lead = world.open('lead', { durability: 'power' })
        lead.send(draft('writer', 'one'))
        lead.send(draft('all', 'two'))
        expect(bodies(world.open('writer', { durability: 'power' }))).toEqual(['one', 'two'])
        expect(world.files('writer', 'tmp')).toEqual([])
        expect(world.files('writer', 'done')).toHaveLength(2)
      })
    })

    describe('the archive', () => {
      test('keeps the newest, drops the rest in batches, and a dropped mail stays received', () => {
        const lead = world.open('lead')
        const writer = world.open('writer', { keep: { count: 10, ms: Number.MAX_SAFE_INTEGER } })
        for (let n = 1; n <= 300; n += 1) lead.send(draft('writer', `m${n}`))
        expect(bodies(writer, 20)).toHaveLength(20)
        expect(world.files('writer', 'done')).toHaveLength(10)
        while (bodies(writer, 20).length > 0);
        expect(world.files('writer', 'done').length).toBeLessThan(10 + 256)
        expect(world.received('writer')).toHaveLength(300)
        expect(world.open('lead').send(draft('writer', 'm300'))).toMatchObject({ ok: true })
        expect(bodies(world.open('writer'))).toEqual([])
      })

      test('takes only the beginning of a rush: what is acked beyond it, second by second, is in the journal alone', () => {
        const lead = world.open('lead')
        let now = 1_000
        const writer = world.open('writer', { keep: { count: 1_000, ms: Number.MAX_SAFE_INTEGER }, now: () => now })
        for (let n = 1; n <= 1_100; n += 1) lead.send(draft('writer', `m${n}`))
        while (bodies(writer).length > 0);
        const isEarly = (file: string) => Number(file.split('-')[1]) <= 1_000
        expect(world.files('writer', 'done').filter(isEarly)).toHaveLength(1_000)
        expect(world.files('writer', 'done')).toHaveLength(1_000)
        expect(world.received('writer')).toHaveLength(1_100)
        expect(writer.unread()).toBe(0)
        now += 1_000
        const late = lead.send(draft('writer', 'late'))
        expect(bodies(writer)).toEqual(['late'])
        expect(late.ok && lead.state('writer', late.envelope.id)).toBe('acked')
      })

      test('takes all of a rush that it has room for', () => {
        const lead = world.open('lead')
        const writer = world.open('writer', { keep: { count: 1_200, ms: Number.MAX_SAFE_INTEGER }, now: () => 1_000 })
        for (let n = 1; n <= 1_100; n += 1) lead.send(draft('writer', `m${n}`))
        while (bodies(writer).length > 0);
        expect(world.files('writer', 'done')).toHaveLength(1_100)
      })

      test('drops what is too old', () => {
        const lead = world.open('lead')
        lead.send(draft('writer', 'old'))
        const writer = world.open('writer', { keep: { count: 10, ms: 1_000 }, now: () => Date.UTC(2100, 1) })
        expect(bodies(writer)).toEqual(['old'])
        expect(world.files('writer', 'done')).toEqual([])
      })
    })

    describe('bounds', () => {
      test('a longer text is put aside whole; its beginning and its place are sent', () => {
        const text = `${'x'.repeat(8 * 1024 - 1)}🎭${'y'.repeat(maxBodyBytes)}`
        const lead = world.open('lead', { store: (whole) => storeArtifact(join(world.home, 'artifacts'), whole) })
        const sent = lead.send(draft('writer', text, 'long'))
        const [mail] = world.open('writer').receive()
        if (!sent.ok || !mail?.artifact) throw new Error('not sent')
        const path = join(world.home, 'artifacts', mail.artifact.sha256)
        expect(readFileSync(path, 'utf8')).toBe(text)
        expect(mail.artifact.bytes).toBe(Buffer.byteLength(text))
        expect(mail.body.startsWith(`${'x'.repeat(8 * 1024 - 1)}\n\n[The beginning of`)).toBe(true)
        expect(mail.body).toContain(path)
      })

      test('a body of the largest size arrives, one byte more is refused with the remedy and without a trace', () => {
        const lead = world.open('lead')
        const most = '\u0001'.repeat(maxBodyBytes)
        expect(lead.send(draft('writer', most, 'fits')).ok).toBe(true)
        expect(bodies(world.open('writer'))).toEqual([most])
        const sent = lead.send(draft('writer', `${'x'.repeat(maxBodyBytes - 1)}ü`, 'too large'))
        expect(sent).toMatchObject({ ok: false, error: expect.stringContaining('send the path') as string })
        expect(world.entries('lead')).toHaveLength(1)
        expect(world.files('writer', 'new')).toEqual([])
      })

      test('a full box refuses its senders until it is read, and nobody else', () => {
        const lead = world.open('lead', { maxUnread: 3 })
        for (const text of ['a', 'b', 'c']) expect(lead.send(draft('writer', text)).ok).toBe(true)
        expect(lead.send(draft('writer', 'd'))).toMatchObject({
          ok: false,
          error: expect.stringContaining('3 unread') as string,
        })
        expect(lead.send(draft('historian', 'd', 'other')).ok).toBe(true)
        const writer = world.open('writer')
        expect(bodies(writer, 1)).toEqual(['a'])
        expect(lead.send(draft('writer', 'd')).ok).toBe(true)
        expect(bodies(writer)).toEqual(['b', 'c', 'd'])
      })
    })

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
        const [historian, writer] = [world.open('historian'), world.open('writer')]
        historian.send(draft('writer', 'before'))
        const inbox = join(world.dir, 'writer/new')
        for (const [file, content] of bad) writeFileSync(join(inbox, file), content)
        mkdirSync(join(inbox, 'a-folder'))
        symlinkSync('/etc/passwd', join(inbox, `lead-8-${id(8)}.json`))
        historian.send(draft('writer', 'after'))

        expect(bodies(writer)).toEqual(['before', 'after'])
        expect(writer.receive()).toEqual([])
        const files = [...bad.map(([file]) => file), 'a-folder', `lead-8-${id(8)}.json`].toSorted()
        expect(world.files('writer', 'dead')).toEqual(files)
        expect(
          world
            .deaths('writer')
            .map(({ file }) => file)
            .toSorted(),
        ).toEqual(files)
        expect(world.deaths('writer').every(({ reason }) => reason.length > 5)).toBe(true)
        expect(world.deaths('writer').find(({ file }) => file === `lead-3-${id(3)}.json`)?.mail_id).toBe(id(3))
        expect(writer.state('writer', id(3))).toBe('dead')
        expect(world.open('writer').receive()).toEqual([])
        expect(world.deaths('writer')).toHaveLength(files.length)
      })

      test('a link that leads nowhere does not stay unread', () => {
        mkdirSync(join(world.dir, 'writer/new'), { recursive: true })
        symlinkSync(join(world.home, 'nowhere'), join(world.dir, `writer/new/lead-1-${id(1)}.json`))
        const writer = world.open('writer')
        expect(writer.receive()).toEqual([])
        expect(writer.unread()).toBe(0)
        expect(world.files('writer', 'dead')).toEqual([`lead-1-${id(1)}.json`])
      })

      test('a folder is set aside as often as it appears, and what lay there before is kept', () => {
        for (const content of ['first', 'second']) {
          mkdirSync(join(world.dir, 'writer/new/a-folder'), { recursive: true })
          writeFileSync(join(world.dir, 'writer/new/a-folder/file'), content)
          world.open('historian').send(draft('writer', content))
          expect(bodies(world.open('writer'))).toEqual([content])
        }
        const kept = world.files('writer', 'dead')
        expect(kept).toEqual(['a-folder', 'a-folder.1'])
        expect(kept.map((name) => readFileSync(join(world.dir, 'writer/dead', name, 'file'), 'utf8'))).toEqual([
          'second',
          'first',
        ])
        expect(world.open('writer').unread()).toBe(0)
      })

      test('a mail in the wrong box, and one under a wrong name, die', () => {
        const lead = world.open('lead')
        const [first, second] = [lead.send(draft('writer', 'one')), lead.send(draft('writer', 'two'))]
        if (!first.ok || !second.ok) throw new Error('not sent')
        const [one, two] = world.files('writer', 'new').map((file) => join(world.dir, 'writer/new', file))
        mkdirSync(join(world.dir, 'historian/new'), { recursive: true })
        renameSync(one ?? '', join(world.dir, `historian/new/lead-1-${first.envelope.id}.json`))
        renameSync(two ?? '', join(world.dir, `writer/new/lead-9-${second.envelope.id}.json`))
        expect(world.open('historian').receive()).toEqual([])
        expect(world.open('writer').receive()).toEqual([])
        expect(world.deaths('historian')).toMatchObject([{ reason: 'it is addressed to writer@demo' }])
        expect(world.deaths('writer')).toMatchObject([{ reason: 'its name and its envelope disagree' }])
      })
    })

    describe('a sealed box', () => {
      const seal = sealOf(Buffer.alloc(32, 7))
      const sealed = (owner: string) => world.open(owner, { seal })
      const alter = (change: (mail: Record<string, unknown>) => void) => {
        const [file = ''] = world.files('writer', 'new')
        const path = join(world.dir, 'writer/new', file)
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
        const [death] = world.deaths('writer')
        expect(death?.reason).toMatch(value === undefined ? 'it is not signed' : 'signature is not of this run')
        expect(world.files('writer', 'dead')).toHaveLength(1)
      })

      test('takes what was mended and put back, late as it is, once', () => {
        const lead = sealed('lead')
        lead.send(draft('writer', 'one'))
        const file = world.files('writer', 'new')[0] ?? ''
        const path = join(world.dir, 'writer/new', file)
        const genuine = readFileSync(path, 'utf8')
        writeFileSync(path, genuine.replace('one', 'won'))
        lead.send(draft('writer', 'two'))
        const writer = sealed('writer')
        expect(bodies(writer)).toEqual(['two'])
        writeFileSync(path, genuine)
        expect(bodies(writer)).toEqual(['one'])
        writeFileSync(path, genuine)
        expect(bodies(sealed('writer'))).toEqual([])
        expect(world.received('writer')).toEqual(['two', 'one'])
      })

      test('gives up what another key signed, and what speaks for somebody else', () => {
        world.open('lead', { seal: sealOf(Buffer.alloc(32, 8)) }).send(draft('writer', 'one'))
        world.open('historian', { seal, from: 'lead@demo' }).send(draft('writer', 'two'))
        world.open('historian', { seal, from: 'user' }).send(draft('writer', 'three'))
        expect(sealed('writer').receive()).toEqual([])
        expect(world.deaths('writer').map(({ reason }) => reason)).toEqual([
          expect.stringContaining('signature'),
          'it says it is from lead@demo, and historian wrote it',
          'it says it is from user, and historian wrote it',
        ])
      })
    })

    describe('a fence', () => {
      test('lets mail through to the life it is meant for, and to nobody after it', () => {
        const lead = world.open('lead')
        lead.send({ ...draft('writer', 'stop'), kind: 'control', incarnation: 'first' })
        expect(bodies(world.open('writer', { incarnation: 'first' }))).toEqual(['stop'])
        lead.send({ ...draft('writer', 'stop again'), kind: 'control', incarnation: 'first' })
        lead.send(draft('writer', 'to whoever it is'))
        expect(bodies(world.open('writer', { incarnation: 'second' }))).toEqual(['to whoever it is'])
        const reason = 'it is meant for the life first of writer@demo, and this is second'
        expect(world.deaths('writer')).toMatchObject([{ reason }])
      })
    })

    describe('repeats', () => {
      test('a mail that comes again is acked and dropped, also after a restart', () => {
        const [lead, writer] = [world.open('lead'), world.open('writer')]
        for (const text of ['one', 'two']) lead.send(draft('writer', text))
        writer.receive()
        const again = () => {
          for (const file of world.files('writer', 'done')) {
            copyFileSync(join(world.dir, 'writer/done', file), join(world.dir, 'writer/new', file))
          }
        }
        again()
        expect(writer.receive()).toEqual([])
        again()
        expect(world.open('writer').receive()).toEqual([])
        expect(world.received('writer')).toEqual(['one', 'two'])
        expect(world.files('writer', 'new')).toEqual([])
        expect(world.deaths('writer')).toEqual([])
      })

      test('another mail under a number that was used dies loudly instead of vanishing', () => {
        world.open('lead').send(draft('writer', 'one'))
        const writer = world.open('writer')
        writer.receive()
        const forgetful = world.open('lead', { log: { ...emptyLog, append: () => undefined } })
        forgetful.send(draft('writer', 'not one'))
        expect(writer.receive()).toEqual([])
        expect(world.deaths('writer')).toMatchObject([{ reason: 'its number 1 is not above 1, the last from lead' }])
      })
    })

    describe('a restart in the middle', () => {
      const gone = '999999999.1'
      const claimAll = (claim: string) => {
        mkdirSync(join(world.dir, 'writer/cur', claim), { recursive: true })
        for (const file of world.files('writer', 'new')) {
          renameSync(join(world.dir, 'writer/new', file), join(world.dir, 'writer/cur', claim, file))
        }
      }

      test('what was claimed by a dead process and not journaled is delivered, in order', () => {
        const lead = world.open('lead')
        const sent = lead.send(draft('writer', 'one'))
        claimAll(gone)
        expect(sent.ok && lead.state('writer', sent.envelope.id)).toBe('claimed')
        lead.send(draft('writer', 'two'))
        const writer = world.open('writer')
        expect(writer.unread()).toBe(2)
        expect(bodies(writer)).toEqual(['one', 'two'])
        expect(world.tree().filter((path) => path.startsWith('writer/cur/'))).toHaveLength(1)
      })

      test('what was claimed and journaled is acked, not delivered again', () => {
        world.open('lead').send(draft('writer', 'one'))
        world.open('writer').receive()
        const [file = ''] = world.files('writer', 'done')
        mkdirSync(join(world.dir, 'writer/cur', gone), { recursive: true })
        renameSync(join(world.dir, 'writer/done', file), join(world.dir, 'writer/cur', gone, file))
        const writer = world.open('writer')
        expect(writer.receive()).toEqual([])
        expect(world.files('writer', 'done')).toEqual([file])
        expect(world.received('writer')).toEqual(['one'])
      })

      test('what another living process claimed is left to it', () => {
        world.open('lead').send(draft('writer', 'one'))
        claimAll(`${process.ppid}.0`)
        const writer = world.open('writer')
        expect(writer.receive()).toEqual([])
        expect(writer.unread()).toBe(1)
      })

      test('what was given up before the restart is set aside, not reported again', () => {
        mkdirSync(join(world.dir, 'writer/new'), { recursive: true })
        writeFileSync(join(world.dir, 'writer/new/notes.txt'), 'x')
        world.open('writer').receive()
        mkdirSync(join(world.dir, 'writer/cur', gone), { recursive: true })
        renameSync(join(world.dir, 'writer/dead/notes.txt'), join(world.dir, 'writer/cur', gone, 'notes.txt'))
        expect(world.open('writer').receive()).toEqual([])
        expect(world.files('writer', 'dead')).toEqual(['notes.txt'])
        expect(world.deaths('writer')).toHaveLength(1)
      })

      test('a file that lies in cur/ itself is judged like any other', () => {
        mkdirSync(join(world.dir, 'writer/cur'), { recursive: true })
        writeFileSync(join(world.dir, 'writer/cur/stray'), 'x')
        expect(world.open('writer').receive()).toEqual([])
        expect(world.deaths('writer')).toMatchObject([{ file: 'stray' }])
      })

      test('a link in cur/ is no claim: what it leads to stays where it is', () => {
        mkdirSync(join(world.dir, 'writer/cur'), { recursive: true })
        mkdirSync(join(world.home, 'elsewhere'))
        writeFileSync(join(world.home, 'elsewhere/precious'), 'x')
        symlinkSync(join(world.home, 'elsewhere'), join(world.dir, 'writer/cur/link'))
        expect(world.open('writer').receive()).toEqual([])
        expect(readdirSync(join(world.home, 'elsewhere'))).toEqual(['precious'])
        expect(world.deaths('writer')).toMatchObject([{ file: 'link' }])
      })
    })

    describe('when the journal refuses', () => {
      const full = () => {
        throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
      }
      test('a send says so and leaves no trace; later it works', () => {
        const stuck = world.open('lead', { log: { ...emptyLog, append: full } })
        expect(stuck.send(draft('writer', 'one'))).toEqual({
          ok: false,
          error: 'The mail was not sent: no space left.',
        })
        expect(world.tree()).toEqual([])
        expect(world.open('lead').send(draft('writer', 'one')).ok).toBe(true)
      })

      test('a text that cannot be put aside, or a box that cannot be listed, is a refusal too', () => {
        const lead = world.open('lead', { store: full, standing: (name) => (name === 'writer' ? null : full()) })
        const failed = { ok: false, error: 'The mail was not sent: no space left.' }
        expect(lead.send(draft('writer', 'x'.repeat(maxBodyBytes + 1)))).toEqual(failed)
        expect(lead.send(draft('historian', 'one'))).toEqual(failed)
        expect(world.tree()).toEqual([])
        expect(lead.send(draft('writer', 'one')).ok).toBe(true)
      })

      test('a receive throws and the mail stays unread, in order', () => {
        const lead = world.open('lead')
        for (const text of ['one', 'two', 'three']) lead.send(draft('writer', text))
        let refuse = false
        const box = world.open('writer', { log: { ...emptyLog, append: () => (refuse ? full() : undefined) } })
        expect(bodies(box, 1)).toEqual(['one'])
        refuse = true
        expect(() => box.receive(1)).toThrow('no space left')
        expect(box.unread()).toBe(2)
        expect(world.files('writer', 'new')).toHaveLength(2)
        refuse = false
        expect(bodies(box, 1)).toEqual(['two'])
        expect(bodies(box)).toEqual(['three'])
      })
    })

    describe('when a folder is in the way', () => {
      const obstacle = (path: string) => {
        mkdirSync(join(world.dir, 'writer'), { recursive: true })
        writeFileSync(join(world.dir, 'writer', path), 'no folder')
        return () => unlinkSync(join(world.dir, 'writer', path))
      }

      test.each(['tmp', 'new'])('%s: the send says so, and the mail goes out first once the way is free', (folder) => {
        const lead = world.open('lead')
        const remove = obstacle(folder)
        const failed = lead.send(draft('writer', 'one'))
        expect(failed.ok ? '' : failed.error).toContain('recorded but could not be written')
        const blocked = lead.send(draft('writer', 'two'))
        expect(blocked.ok ? '' : blocked.error).toContain('Earlier mail could not be written yet')
        remove()
        expect(lead.send(draft('writer', 'two')).ok).toBe(true)
        expect(lead.send(draft('writer', 'one')).ok).toBe(true)
        expect(bodies(world.open('writer'))).toEqual(['one', 'two'])
        expect(world.files('writer', 'tmp')).toEqual([])
      })

      test('done: the mail arrives once, and its file follows later', () => {
        const [lead, writer] = [world.open('lead'), world.open('writer')]
        const remove = obstacle('done')
        lead.send(draft('writer', 'one'))
        expect(bodies(writer)).toEqual(['one'])
        expect(writer.unread()).toBe(1)
        expect(writer.receive()).toEqual([])
        remove()
        expect(writer.receive()).toEqual([])
        expect(writer.unread()).toBe(0)
        expect(world.files('writer', 'done')).toHaveLength(1)
        expect(world.received('writer')).toEqual(['one'])
      })
    })

    test('a closed mailbox neither sends nor receives', () => {
      const lead = world.open('lead')
      lead.close()
      expect(lead.send(draft('writer', 'x'))).toEqual({ ok: false, error: 'The mailbox of lead is closed.' })
      expect(() => lead.receive()).toThrow('closed')
      expect(world.tree()).toEqual([])
    })

    test.each(['', 'Lead', '../lead', 'user_1', 'a/b'])('%j is no owner', (owner) => {
      expect(() => world.open('lead', { owner })).toThrow('no name of a mailbox')
    })
  })
}

const emptyLog = {
  sent: () => undefined,
  lastSent: () => [],
  lastSeq: () => 0,
  highWater: () => 0,
  received: () => false,
  died: () => false,
}
