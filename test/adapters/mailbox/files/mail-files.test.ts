import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inOrder, mailFile, parseMailFile } from '../../../../src/adapters/mailbox/files/mail-files.ts'
import { namePattern } from '../../../../src/protocol/words/ids.ts'

const ulid = fc.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/)
const mailName = fc.record({ sender: fc.stringMatching(namePattern), seq: fc.integer({ min: 1, max: 1e12 }), id: ulid })

describe('the name of a mail file', () => {
  test('says what was put into it', () => {
    fc.assert(
      fc.property(mailName, (name) => {
        expect(parseMailFile(mailFile(name))).toEqual({ ...name, file: mailFile(name) })
      }),
    )
  })

  test('a sender whose name ends in a number keeps it, and so does a person', () => {
    expect(parseMailFile('scout-2-31-01J00000000000000000000001.json')).toMatchObject({ sender: 'scout-2', seq: 31 })
    const person = 'user-01J0000000000000000000000A'
    expect(parseMailFile(`${person}-1-01J00000000000000000000001.json`)).toMatchObject({ sender: person, seq: 1 })
  })

  test.each([
    '',
    'lead-1.json',
    'lead-01-01J00000000000000000000001.json',
    'lead-0-01J00000000000000000000001.json',
    'a/b',
  ])('%j is none', (file) => expect(parseMailFile(file)).toBeNull())
})

describe('the order of delivery', () => {
  const box = fc.uniqueArray(
    fc.record({ sender: fc.constantFrom('a', 'b', 'c'), seq: fc.integer({ min: 1, max: 30 }), id: ulid }),
    {
      selector: ({ sender, seq }) => `${sender} ${seq}`,
    },
  )
  test("keeps each sender's numbers rising, loses nothing, and does not depend on the listing", () => {
    fc.assert(
      fc.property(box, fc.infiniteStream(fc.nat()), (names, shuffle) => {
        const mail = names.map((name) => ({ ...name, file: mailFile(name) }))
        const ordered = inOrder(mail)
        for (const sender of ['a', 'b', 'c']) {
          const seqs = ordered.filter((name) => name.sender === sender).map(({ seq }) => seq)
          expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
        }
        expect(new Set(ordered)).toEqual(new Set(mail))
        const shuffled = mail
          .map((name) => ({ name, at: shuffle.next().value as number }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ name }) => name)
        expect(inOrder(shuffled)).toEqual(ordered)
      }),
    )
  })

  test('is by ULID when each sender wrote once', () => {
    fc.assert(
      fc.property(fc.array(ulid, { maxLength: 20 }), (ids) => {
        const unique = [...new Set(ids)]
        const mail = unique.map((id, n) => ({ sender: `s${n}`, seq: 1, id, file: id }))
        expect(inOrder(mail).map(({ id }) => id)).toEqual(unique.toSorted())
      }),
    )
  })
})
