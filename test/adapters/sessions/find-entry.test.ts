import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findEntry } from '../../../src/adapters/sessions/find-entry.ts'
import { openJournal } from '../../../src/adapters/sessions/journal.ts'
import { segmentsOf } from '../../../src/adapters/sessions/segments.ts'
import { everyEntry } from '../../support/every-entry.ts'

function journalOf(codes: readonly string[]): string {
  const home = mkdtempSync(join(tmpdir(), 'troupe-find-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const file = join(home, 'lead.jsonl')
  const { journal } = openJournal(file, { owner: 'lead', now: () => 1, fold: everyEntry, segmentBytes: 300 })
  for (const code of codes) journal.append([{ type: 'warning.raised', code, message: 'm' }])
  journal.close()
  return file
}

const seqOf = (file: string, text: string) =>
  findEntry(file, text, (entry) => (entry.type === 'warning.raised' && entry.code === text ? entry.seq : undefined))

test('the latest entry that is meant is found, in whichever segment', () => {
  const file = journalOf(['a', 'b', 'a', 'c', 'd', 'e', 'f'])
  expect(segmentsOf(file).length).toBeGreaterThan(2)
  expect(findEntry(file, '"code":"a"', (entry) => entry)).toMatchObject({ code: 'a' })
  expect([seqOf(file, 'b'), seqOf(file, 'nobody')]).toEqual([2, undefined])
  expect(seqOf(file, 'a')).toBeGreaterThan(2)
})

test('a journal that is not there, or is none, has nothing', () => {
  const file = journalOf(['a'])
  writeFileSync(file, 'no "a" journal\n')
  expect([seqOf(file, 'a'), seqOf(`${file}-gone`, 'a')]).toEqual([undefined, undefined])
})
