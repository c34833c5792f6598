import { mkdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fc, test as prop } from '@fast-check/vitest'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bodies, draft, mailWorld, type MailWorld } from '../../contracts/mail-world.ts'

/** A box takes as many unread mails as its bound says: none less and none more. */
let world: MailWorld
beforeEach(() => {
  world = mailWorld('memory')
})
afterEach(() => world.remove())

const texts = (count: number) => Array.from({ length: count }, (_, n) => `m${n + 1}`)

describe.for([1, 3, 100])('a bound of %i', (maxUnread) => {
  test('refuses exactly the mail beyond it, says so, and leaves no trace of it', () => {
    const lead = world.open('lead', { maxUnread })
    const sent = texts(maxUnread + 1).map((text) => lead.send(draft('writer', text)))
    expect(sent.map(({ ok }) => ok)).toEqual([...texts(maxUnread).map(() => true), false])
    expect(sent.at(-1)).toMatchObject({ error: expect.stringContaining(`writer has ${maxUnread} unread`) as string })
    expect(world.files('writer', 'new')).toHaveLength(maxUnread)
    expect(world.entries('lead')).toHaveLength(maxUnread)
    expect(bodies(world.open('writer'), maxUnread + 1)).toEqual(texts(maxUnread))
  })

  test('takes one more for each that was read', () => {
    const lead = world.open('lead', { maxUnread })
    const writer = world.open('writer')
    for (const text of texts(maxUnread)) lead.send(draft('writer', text))
    for (const text of ['a', 'b', 'c']) {
      expect(lead.send(draft('writer', `${text} too early`))).toMatchObject({ ok: false })
      expect(bodies(writer, 1)).toHaveLength(1)
      expect(lead.send(draft('writer', text))).toMatchObject({ ok: true })
    }
    expect(world.files('writer', 'new')).toHaveLength(maxUnread)
  })

  test('holds for a sender that was started anew', () => {
    for (const text of texts(maxUnread)) world.open('lead', { maxUnread }).send(draft('writer', text))
    expect(world.open('lead', { maxUnread }).send(draft('writer', 'one more'))).toMatchObject({ ok: false })
  })

  test('counts what others sent', () => {
    const [lead, historian] = [world.open('lead', { maxUnread }), world.open('historian', { maxUnread })]
    const sent = texts(maxUnread + 1).map((text, n) => (n % 2 === 0 ? lead : historian).send(draft('writer', text)))
    expect(sent.map(({ ok }) => ok)).toEqual([...texts(maxUnread).map(() => true), false])
  })
})

test('a sender that counted an empty box does not fill one that others have filled since', () => {
  const [lead, historian] = [world.open('lead', { maxUnread: 100 }), world.open('historian', { maxUnread: 100 })]
  const send = (from: typeof lead, name: string, count: number) =>
    texts(count).filter((text) => from.send(draft('writer', `${name} ${text}`)).ok).length
  expect([send(lead, 'first', 1), send(historian, 'then', 99), send(lead, 'last', 5)]).toEqual([1, 99, 0])
  expect(world.files('writer', 'new')).toHaveLength(100)
})

/** Whose turn it is, for how many mails, and how many the writer reads after it. */
const turns = fc.array(
  fc.record({
    who: fc.constantFrom('lead', 'historian', 'writer'),
    sends: fc.integer({ min: 1, max: 60 }),
    reads: fc.constantFrom(0, 0, 0, 30),
  }),
  { minLength: 5, maxLength: 8 },
)

prop.prop([turns], { numRuns: 3 })('a large bound is never passed, however senders take turns', (taken) => {
  const maxUnread = 2_000
  const own = mailWorld('memory')
  const inbox = join(own.dir, 'writer/new')
  mkdirSync(inbox, { recursive: true })
  for (let n = 1; n <= 1_900; n += 1) writeFileSync(join(inbox, `early-${n}-01J0000000000000000000000A.json`), '')
  const boxes = { lead: own.open('lead', { maxUnread }), historian: own.open('historian', { maxUnread }) }
  const reader = own.open('writer', { maxUnread })
  let n = 0
  for (const { who, sends, reads } of taken) {
    const from = { ...boxes, writer: reader }[who] ?? reader
    const sent = texts(sends).map(() => from.send(draft('writer', `m${(n += 1)}`)))
    const unread = own.files('writer', 'new').length
    expect(unread).toBeLessThanOrEqual(maxUnread)
    if (sent.some(({ ok }) => !ok)) expect(unread).toBeGreaterThanOrEqual(maxUnread * 0.99)
    if (reads > 0) for (const file of own.files('writer', 'new').slice(0, reads)) unlinkSync(join(inbox, file))
  }
  own.remove()
})

test('whoever counted before others filled the box keeps to the places that were left free', () => {
  const maxUnread = 2_000
  const [lead, historian] = [world.open('lead', { maxUnread }), world.open('historian', { maxUnread })]
  lead.send(draft('writer', 'early'))
  const inbox = join(world.dir, 'writer/new')
  for (let n = 1; n <= 1_970; n += 1) writeFileSync(join(inbox, `other-${n}-01J0000000000000000000000A.json`), '')
  const all = [historian, lead].flatMap((from, who) =>
    texts(40).map((text) => from.send(draft('writer', `${who} ${text}`))),
  )
  expect(all.some(({ ok }) => !ok)).toBe(true)
  const unread = world.files('writer', 'new').length
  expect(unread).toBeGreaterThanOrEqual(1_980)
  expect(unread).toBeLessThanOrEqual(maxUnread)
})
