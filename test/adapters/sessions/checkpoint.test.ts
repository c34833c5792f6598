import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { saveCheckpoint } from '../../../src/adapters/sessions/checkpoint.ts'
import { openJournal } from '../../../src/adapters/sessions/journal.ts'
import { readJournal } from '../../../src/adapters/sessions/read-journal.ts'
import { segmentsOf } from '../../../src/adapters/sessions/segments.ts'
import { checkpointSchema, type CheckpointHead } from '../../../src/protocol/facts/checkpoint.ts'
import type { Entry, EntryFold } from '../../../src/protocol/facts/entry.ts'
import { everyEntry } from '../../support/every-entry.ts'

const home = mkdtempSync(join(tmpdir(), 'troupe-checkpoints-'))
afterAll(() => rmSync(home, { recursive: true }))

let files = 0
const freshFile = () => join(home, `j${(files += 1)}`, 'lead.jsonl')
const open = (file: string, fold: EntryFold<Entry[]> = everyEntry, segmentBytes = 300) =>
  openJournal(file, { owner: 'lead', now: () => 7, fold, segmentBytes })

const folds = (file: string) =>
  readdirSync(dirname(file))
    .filter((name) => name.endsWith('.fold'))
    .map((name) => join(dirname(file), name))

/** Writes so many facts in one life. */
function live(file: string, facts: number): void {
  const { journal } = open(file)
  for (let n = 0; n < facts; n += 1) journal.append([{ type: 'member.woke' }])
  journal.close()
}

/** The only checkpoint of a journal with several segments. */
function longJournal(): { readonly file: string; readonly checkpoint: string } {
  const file = freshFile()
  live(file, 9)
  const [checkpoint = '', ...others] = folds(file)
  expect(others).toEqual([])
  return { file, checkpoint }
}

describe('a journal that goes on in segments', () => {
  test('keeps one checkpoint, private, that says what it stands for', () => {
    const { file, checkpoint } = longJournal()
    const [head = ''] = readFileSync(checkpoint, 'latin1').split('\n')
    const last = segmentsOf(file).at(-1)
    const before = segmentsOf(file).at(-2)
    expect(last?.number).toBeGreaterThan(2)
    expect(checkpointSchema.parse(JSON.parse(head))).toMatchObject({
      fold: 'every-entry',
      segment: last?.number,
      after: before?.end,
    })
    expect(statSync(checkpoint).mode & 0o777).toBe(0o600)
  })

  test('is opened from its last segment alone: no other is read', () => {
    const { file } = longJournal()
    const all = readJournal(file).entries
    const earlier = segmentsOf(file).slice(0, -1)
    for (const segment of earlier) writeFileSync(segment.file, 'no longer a journal\n')
    const { journal, state, problems } = open(file)
    journal.close()
    expect(state).toEqual(all)
    expect(problems).toEqual([])
  })

  test('of whose checkpoint nothing is left is read whole, once', () => {
    const { file, checkpoint } = longJournal()
    const all = readJournal(file).entries
    rmSync(checkpoint)
    const first = open(file)
    first.journal.close()
    expect(first.state).toEqual(all)
    for (const segment of segmentsOf(file).slice(0, -1)) writeFileSync(segment.file, 'no longer a journal\n')
    const second = open(file)
    second.journal.close()
    expect(second.state).toEqual(all)
  })

  test.each<readonly [string, (bytes: Buffer) => Buffer]>([
    ['is empty', () => Buffer.alloc(0)],
    ['has no whole first line', (bytes) => bytes.subarray(0, 20)],
    ['is torn', (bytes) => bytes.subarray(0, -3)],
    ['has one wrong byte', (bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([7])])],
    [
      'tells of another seq',
      (bytes) => Buffer.from(bytes.toString('latin1').replace(/"seq":\d+/, '"seq":3'), 'latin1'),
    ],
    [
      'tells of other bytes',
      (bytes) => Buffer.from(bytes.toString('latin1').replace(/"after":\d+/, '"after":9'), 'latin1'),
    ],
    [
      'is of another fold',
      (bytes) => Buffer.from(bytes.toString('latin1').replace('every-entry', 'other-entry'), 'latin1'),
    ],
  ])('passes over a checkpoint that %s', (_, spoil) => {
    const { file, checkpoint } = longJournal()
    const all = readJournal(file).entries
    writeFileSync(checkpoint, spoil(readFileSync(checkpoint)))
    const { journal, state } = open(file)
    expect(state).toEqual(all)
    expect(journal.append([{ type: 'member.idled' }])[0]?.seq).toBe((all.at(-1)?.seq ?? 0) + 1)
    journal.close()
  })

  test('passes over the checkpoint of a journal that was another one', () => {
    const [one, other] = [longJournal(), freshFile()]
    const { journal } = open(other)
    for (let n = 0; n < 9; n += 1) journal.append([{ type: 'member.idled' }])
    journal.close()
    const all = readJournal(other).entries
    for (const checkpoint of folds(other)) rmSync(checkpoint)
    writeFileSync(join(dirname(other), 'lead.2.fold'), readFileSync(one.checkpoint))
    expect(open(other).state).toEqual(all)
  })

  test('folds anew under new rules, and keeps what these made', () => {
    const { file } = longJournal()
    const types: EntryFold<Entry['type'][]> = {
      version: 'types',
      empty: () => [],
      apply: (said, { type }) => void said.push(type),
    }
    const all = readJournal(file).entries.map(({ type }) => type)
    const openTypes = () => openJournal(file, { owner: 'lead', now: () => 7, fold: types })
    expect(openTypes().state).toEqual(all)
    for (const segment of segmentsOf(file).slice(0, -1)) writeFileSync(segment.file, 'no longer a journal\n')
    expect(openTypes().state).toEqual(all)
  })

  test('goes on where no checkpoint can be written', () => {
    const file = freshFile()
    mkdirSync(join(dirname(file), 'lead.2.fold'), { recursive: true })
    live(file, 9)
    const all = readJournal(file).entries
    expect(all.filter(({ type }) => type === 'member.woke')).toHaveLength(9)
    const { journal, state } = open(file)
    journal.close()
    expect(state).toEqual(all)
  })
})

describe('a checkpoint that is whole', () => {
  const wrong = ['a state of other lines'] as unknown as Entry[]

  test.each<readonly [string, Partial<CheckpointHead>, boolean]>([
    ['and right in all is believed', {}, true],
    ['and of other bytes is not', { after: 5 }, false],
    ['and of another last entry is not', { id: 'lead-1' }, false],
  ])('%s', (_, more, isBelieved) => {
    const { file, checkpoint } = longJournal()
    const all = readJournal(file).entries
    const [head = ''] = readFileSync(checkpoint, 'latin1').split('\n')
    const { segment, after, seq, id } = { ...checkpointSchema.parse(JSON.parse(head)), ...more }
    saveCheckpoint(file, 'every-entry', { state: wrong, seam: { segment, seq, id }, after })
    const { journal, state } = open(file)
    journal.close()
    expect(state[0]).toEqual(isBelieved ? wrong[0] : all[0])
  })

  test('and under the name of another segment is not', () => {
    const { file, checkpoint } = longJournal()
    const all = readJournal(file).entries
    const [head = ''] = readFileSync(checkpoint, 'latin1').split('\n')
    const { segment, after, seq, id } = checkpointSchema.parse(JSON.parse(head))
    saveCheckpoint(file, 'every-entry', { state: wrong, seam: { segment: segment + 7, seq, id }, after })
    renameSync(join(dirname(file), `lead.${segment + 7}.fold`), checkpoint)
    const { journal, state } = open(file)
    journal.close()
    expect(state).toEqual(all)
  })

  test('but for a byte in its middle is not', () => {
    const { file, checkpoint } = longJournal()
    const all = readJournal(file).entries
    const bytes = readFileSync(checkpoint)
    bytes.write('member.WOKE', bytes.lastIndexOf('member.woke'))
    writeFileSync(checkpoint, bytes)
    const { journal, state } = open(file)
    journal.close()
    expect(state).toEqual(all)
  })
})

/** What happens to a journal's folder between two lives. */
type Mishap = (file: string, n: number) => void

const mishaps: Readonly<Record<string, Mishap>> = {
  nothing: () => undefined,
  'lost checkpoints'(file) {
    for (const checkpoint of folds(file)) rmSync(checkpoint)
  },
  'torn checkpoint'(file, n) {
    for (const checkpoint of folds(file)) writeFileSync(checkpoint, readFileSync(checkpoint).subarray(0, n))
  },
  'killed between checkpoint and segment'(file) {
    const last = segmentsOf(file).at(-1)
    if (last && last.number > 1) rmSync(last.file)
  },
  'killed in the middle of a line'(file) {
    const last = segmentsOf(file).at(-1)
    if (last) writeFileSync(last.file, readFileSync(last.file).subarray(0, -4))
  },
  'earlier checkpoint left'(file, n) {
    const [checkpoint] = folds(file)
    if (checkpoint) writeFileSync(join(dirname(file), `lead.${(n % 4) + 2}.fold`), readFileSync(checkpoint))
  },
}

test('whatever happens between lives, the state is the fold of the lines that count', () => {
  const life = fc.record({
    facts: fc.integer({ min: 0, max: 9 }),
    mishap: fc.constantFrom(...Object.keys(mishaps)),
    n: fc.nat({ max: 400 }),
  })
  fc.assert(
    fc.property(fc.array(life, { maxLength: 6 }), fc.integer({ min: 1, max: 500 }), (lives, segmentBytes) => {
      const file = freshFile()
      for (const { facts, mishap, n } of lives) {
        const { journal, state } = open(file, everyEntry, segmentBytes)
        expect(state).toEqual(readJournal(file).entries)
        for (let fact = 0; fact < facts; fact += 1) journal.append([{ type: 'member.woke' }, { type: 'member.idled' }])
        expect(state).toEqual(readJournal(file).entries)
        journal.close()
        mishaps[mishap]?.(file, n)
      }
      expect(open(file, everyEntry, segmentBytes).state).toEqual(readJournal(file).entries)
    }),
  )
})
