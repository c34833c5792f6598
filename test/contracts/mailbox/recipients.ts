import { describe, expect, test } from 'vitest'
import { bodies, draft, type MailWorld } from '../mail-world.ts'

/** Who a mail may be addressed to, and who gets it. */
export function recipientsContract(world: () => MailWorld): void {
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
      const lead = world().open('lead')
      lead.send(draft('writer', 'makes the folders'))
      const before = world().tree()
      const facts = world().entries('lead').length
      const sent = lead.send(draft(to, 'lost?'))
      expect(sent.ok ? '' : sent.error).toContain('Members: lead, writer, historian.')
      expect(world().tree()).toEqual(before)
      expect(world().entries('lead')).toHaveLength(facts)
    })

    test('the error guesses what was meant', () => {
      const sent = world().open('lead').send(draft('writr', ''))
      expect(sent).toMatchObject({ ok: false, error: expect.stringContaining('Did you mean "writer"?') as string })
    })

    test('another team is another team', () => {
      const sent = world()
        .open('lead')
        .send({ ...draft('writer', 'x'), to: 'writer@other' })
      expect(sent).toMatchObject({ ok: false, error: expect.stringContaining('not in this team') as string })
      expect(world().tree()).toEqual([])
    })
  })

  test.each(['task', 'question', 'result'] as const)('a person, whom no mail asks or reaches, sends no %s', (kind) => {
    const person = world().open('user-01J00000000000000000000001')
    const sent = person.send({ ...draft('writer', 'Well?'), kind })
    expect(sent).toMatchObject({ ok: false, error: expect.stringContaining('Send it as a text.') as string })
    expect(world().tree()).toEqual([])
  })

  describe('several recipients', () => {
    test('everybody else gets a mail of its own, journaled together, sent once', () => {
      const lead = world().open('lead')
      const sent = lead.send(draft('all', 'stand up', 'k'))
      expect(sent.ok && sent.copies?.map(({ to, seq, key }) => [to, seq, key])).toEqual([
        ['writer@demo', 1, 'k:writer'],
        ['historian@demo', 2, 'k:historian'],
      ])
      expect(lead.send(draft('all', 'stand up', 'k'))).toEqual(sent)
      const later = world().open('lead')
      expect(later.send(draft('all', 'stand up', 'k'))).toEqual(sent)
      expect(bodies(world().open('writer'))).toEqual(['stand up'])
      expect(bodies(world().open('historian'))).toEqual(['stand up'])
      expect(world().entries('lead')).toHaveLength(2)
      expect(lead.receive()).toEqual([])
    })

    test('what only one can do goes to one', () => {
      const sent = world()
        .open('lead')
        .send({ ...draft('all', 'do it'), kind: 'task' })
      expect(sent).toEqual({ ok: false, error: 'A task goes to one member.' })
      expect(world().tree()).toEqual([])
    })

    test('what all of them have is not prepared once more', () => {
      const long = 'x'.repeat(300_000)
      const stored: string[] = []
      const store = (text: string) => {
        stored.push(text)
        return { sha256: 'a'.repeat(64), bytes: text.length, path: '/put/aside' }
      }
      const lead = world().open('lead', { store })
      const sent = lead.send(draft('all', long, 'k'))
      expect(lead.send(draft('all', `another ${long}`, 'k'))).toEqual(sent)
      expect(stored).toEqual([long])
    })

    test('one full box refuses the whole, and nothing appears', () => {
      const lead = world().open('lead', { maxUnread: 1 })
      lead.send(draft('historian', 'one'))
      const before = world().tree()
      expect(lead.send(draft('all', 'two'))).toMatchObject({
        ok: false,
        error: expect.stringContaining('historian has 1') as string,
      })
      expect(world().tree()).toEqual(before)
    })

    test('a kill between journal and files loses none of them, and doubles none', () => {
      const killed = world().open('lead', {
        step(name) {
          if (name === 'new.renamed') throw new Error('killed')
        },
      })
      expect(() => killed.send(draft('all', 'stand up', 'k'))).toThrow('killed')
      expect(
        world()
          .tree()
          .filter((path) => /new\/.*json/.test(path)),
      ).toHaveLength(1)
      const lead = world().open('lead')
      expect(lead.send(draft('writer', 'next')).ok).toBe(true)
      expect(bodies(world().open('writer'))).toEqual(['stand up', 'next'])
      expect(bodies(world().open('historian'))).toEqual(['stand up'])
    })

    test('an address can name a role, and one life of a member', () => {
      const life = '01J00000000000000000000001'
      const lead = world().open('lead', { roles: { lead: 'lead', writer: 'scribe', historian: 'historian' } })
      expect(lead.send(draft('scribe', 'to the role')).ok).toBe(true)
      expect(lead.send({ ...draft('writer', 'to a life'), to: `writer@demo#${life}` }).ok).toBe(true)
      expect(bodies(world().open('writer', { incarnation: '01J00000000000000000000002' }))).toEqual(['to the role'])
      expect(world().deaths('writer')).toMatchObject([
        { reason: expect.stringContaining(life) as string, kind: 'text' },
      ])
    })
  })

  describe('how the recipient stands', () => {
    const deliverability = (name: string) =>
      name === 'writer' ? { refuse: 'writer is lost.' } : { note: 'historian was stopped.' }
    test('decides whether mail is taken, and is told', () => {
      const lead = world().open('lead', { deliverability })
      expect(lead.send(draft('writer', 'one'))).toEqual({ ok: false, error: 'writer is lost.' })
      expect(world().tree()).toEqual([])
      expect(lead.send(draft('historian', 'two'))).toMatchObject({ ok: true, note: 'historian was stopped.' })
    })

    test('keeps mail to all from nobody else, and the sender is told who is left out', () => {
      const lead = world().open('lead', { deliverability })
      const sent = lead.send(draft('all', 'stand up', 'k'))
      expect(sent).toMatchObject({ ok: true, note: 'writer is lost. historian was stopped.' })
      expect(lead.send(draft('all', 'stand up', 'k'))).toMatchObject({ ok: true, envelope: { to: 'historian@demo' } })
      expect(bodies(world().open('historian'))).toEqual(['stand up'])
      expect(bodies(world().open('writer'))).toEqual([])
    })

    test('of everybody as lost refuses mail to all', () => {
      const lead = world().open('lead', { deliverability: (name) => ({ refuse: `${name} is lost.` }) })
      expect(lead.send(draft('all', 'stand up'))).toEqual({ ok: false, error: 'writer is lost. historian is lost.' })
      expect(world().tree()).toEqual([])
    })
  })
}
