import { expect, test } from 'vitest'
import { listMail } from '../../../../src/adapters/mailbox/files/mail-files.ts'

const lead = (seq: number) => `lead-${seq}-01J0000000000000000000000${seq}.json`
const writer = (seq: number) => `writer-${seq}-01J0000000000000000000000${seq}.json`

/** What a folder says to one listing after the other. */
function listings(...answers: readonly (readonly string[])[]): () => readonly string[] {
  const left = [...answers]
  return () => {
    const next = left.shift()
    if (!next) throw new Error('listed once too often')
    return next
  }
}

test('a mail that a listing missed comes before the later one of its sender that it saw', () => {
  expect(listMail(listings([lead(5)], [lead(5), lead(4)]))).toEqual([lead(4), lead(5)])
})

test('what came after the first listing waits for the next one', () => {
  expect(listMail(listings([lead(5)], [lead(5), lead(6), writer(1)]))).toEqual([lead(5)])
})

test('an empty folder is listed once', () => {
  expect(listMail(listings([]))).toEqual([])
})

test('what is no mail comes last', () => {
  expect(listMail(listings([lead(1), 'notes.txt'], [lead(1), 'notes.txt']))).toEqual([lead(1), 'notes.txt'])
})
