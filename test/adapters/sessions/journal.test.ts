import { appendFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { memoryJournal, openJournal } from '../../../src/adapters/sessions/journal.ts'
import { errorCode } from '../../../src/adapters/fs/error-code.ts'
import { journalCursor } from '../../../src/adapters/sessions/journal-cursor.ts'
import { readJournal } from '../../../src/adapters/sessions/read-journal.ts'
import { segmentsOf } from '../../../src/adapters/sessions/segments.ts'
import { frameSchema, type Entry } from '../../../src/protocol/facts/entry.ts'
import { factSchema } from '../../../src/protocol/facts/fact.ts'
import { journalContract } from '../../contracts/journal.ts'
import { everyEntry } from '../../support/every-entry.ts'

const home = mkdtempSync(join(tmpdir(), 'troupe-journal-'))
afterAll(() => rmSync(home, { recursive: true }))

let files = 0
const freshFile = () => join(home, `j${(files += 1)}`, 'lead.jsonl')
const now = () => 7

journalContract('in a file', (of) => openJournal(freshFile(), { ...of, fold: everyEntry }))
journalContract('in memory', (of) => memoryJournal({ ...of, fold: everyEntry }))

const types = (entries: readonly Entry[]) => entries.map(({ type }) => type)

/** A life that is over may fail to write, or write where nobody reads. */
function attempt(act: () => unknown): void {
  try {
    act()
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

function written(count: number): string {
  const file = freshFile()
  const { journal } = openJournal(file, { owner: 'lead', now, fold: everyEntry })
  for (let n = 0; n < count; n += 1) journal.append([{ type: 'warning.raised', code: `c${n}`, message: 'größer' }])
  journal.close()
  return file
}

describe('a journal in a file', () => {
  test('is private and holds one line per entry', () => {
    const file = written(2)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const lines = readFileSync(file, 'utf8').split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toBe(
      '{"v":1,"seq":1,"id":"lead-1","parent":null,"at":7,"type":"warning.raised","code":"c0","message":"größer"}',
    )
  })

  test('is continued: numbers and parents go on, and the earlier entries are handed back', () => {
    const file = written(3)
    const { journal, state: entries, problems } = openJournal(file, { owner: 'lead', now, fold: everyEntry })
    expect(problems).toEqual([])
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3])
    expect(journal.append([{ type: 'member.woke' }])[0]).toMatchObject({ seq: 4, id: 'lead-4', parent: 'lead-3' })
    journal.close()
    expect(readJournal(file)).toMatchObject({ problems: [], entries: [{}, {}, {}, { seq: 4 }] })
  })

  test('a torn last line is cut aside, reported, and its number is used again', () => {
    const file = written(2)
    for (const torn of ['{"v":1,"seq":3', '{"v":1,"se']) {
      appendFileSync(file, torn)
      const { journal, problems } = openJournal(file, { owner: 'lead', now, fold: everyEntry })
      journal.close()
      expect(problems).toMatchObject([{ code: 'torn', line: 3 }])
      expect(problems[0]?.message).toContain('.torn-')
    }
    expect(readFileSync(`${file}.torn-1`, 'utf8')).toBe('{"v":1,"seq":3')
    expect(readFileSync(`${file}.torn-2`, 'utf8')).toBe('{"v":1,"se')
    const { journal } = openJournal(file, { owner: 'lead', now, fold: everyEntry })
    expect(journal.append([{ type: 'member.woke' }])[0]?.seq).toBe(3)
    journal.close()
    expect(readJournal(file)).toMatchObject({ problems: [], entries: [{}, {}, {}] })
  })

  test('a life that was frozen while its successor began changes nothing any more', () => {
    const file = freshFile()
    const frozen = openJournal(file, { owner: 'lead', now, fold: everyEntry }).journal
    frozen.append([{ type: 'agent.started' }])
    const cursor = journalCursor(file)
    expect(types(cursor.read().entries)).toEqual(['agent.started'])
    const next = openJournal(file, { owner: 'lead', now, fold: everyEntry }).journal
    next.append([{ type: 'member.woke' }])
    frozen.append([{ type: 'member.gone', reason: 'drained' }])
    next.append([{ type: 'member.idled' }])
    const all = ['agent.started', 'member.woke', 'member.idled']
    expect(types(readJournal(file).entries)).toEqual(all)
    expect(readJournal(file).problems).toEqual([])
    expect(cursor.read()).toMatchObject({
      problems: [],
      entries: [{ type: 'member.woke' }, { type: 'member.idled' }],
    })
    expect(types(openJournal(file, { owner: 'lead', now, fold: everyEntry }).state)).toEqual(all)
  })

  test('a segment with a broken first line is read, and continued', () => {
    const file = written(1)
    writeFileSync(file.replace('.jsonl', '.2.jsonl'), 'broken\n')
    const { journal, problems } = openJournal(file, { owner: 'lead', now, fold: everyEntry })
    journal.append([{ type: 'member.woke' }])
    journal.close()
    expect(problems).toMatchObject([
      { file: expect.stringContaining('lead.2.jsonl') as string, line: 1, code: 'not_json' },
    ])
    expect(types(readJournal(file).entries)).toEqual(['warning.raised', 'member.woke'])
  })

  test('goes on in a new segment when one is long enough', () => {
    const file = freshFile()
    const { journal } = openJournal(file, { owner: 'lead', now, fold: everyEntry, segmentBytes: 200 })
    const cursor = journalCursor(file)
    const seen = []
    for (let n = 0; n < 9; n += 1) {
      journal.append([{ type: 'member.woke' }, { type: 'member.idled' }])
      seen.push(...cursor.read().entries)
    }
    journal.close()
    expect(readdirSync(dirname(file)).length).toBeGreaterThan(3)
    for (const { file: segment } of segmentsOf(file)) expect(statSync(segment).size).toBeLessThan(600)
    const { entries, problems } = readJournal(file)
    expect(problems).toEqual([])
    expect(entries.filter(({ type }) => type === 'member.woke')).toHaveLength(9)
    expect(seen).toEqual(entries)
  })

  test('whatever lives come, are killed and come too late, readers see what each life had read and then wrote', () => {
    const life = fc.record({ facts: fc.integer({ min: 1, max: 3 }), torn: fc.nat({ max: 30 }), late: fc.boolean() })
    fc.assert(
      fc.property(fc.array(life, { maxLength: 6 }), fc.integer({ min: 1, max: 400 }), (lives, segmentBytes) => {
        const file = freshFile()
        const cursor = journalCursor(file)
        const [expected, seen]: [string[], string[]] = [[], []]
        const late: (() => void)[] = []
        for (const { facts, torn, late: comesLate } of lives) {
          const { journal, state: entries } = openJournal(file, { owner: 'lead', now, fold: everyEntry, segmentBytes })
          expect(entries.map(({ id }) => id)).toEqual(expected)
          for (let n = 0; n < facts; n += 1) journal.append([{ type: 'member.woke' }])
          for (const write of late.splice(0)) write()
          expected.splice(0, Infinity, ...readJournal(file).entries.map(({ id }) => id))
          seen.push(...cursor.read().entries.map(({ id }) => id))
          if (comesLate) late.push(() => attempt(() => journal.append([{ type: 'agent.started' }])))
          const last = segmentsOf(file).at(-1)
          if (last && !comesLate) appendFileSync(last.file, '{"v":1,"seq":'.repeat(3).slice(0, torn))
          if (!comesLate) journal.close()
        }
        expect(seen).toEqual(expected)
        expect(readJournal(file).entries.map(({ type }) => type)).not.toContain('agent.started')
      }),
    )
  })

  test('a line without its newline never counts, even when it is whole JSON', () => {
    const file = written(1)
    appendFileSync(file, '{"v":1,"seq":2,"id":"lead-2","parent":"lead-1","at":7,"type":"member.woke"}')
    expect(readJournal(file)).toMatchObject({ entries: [{ seq: 1 }], problems: [{ code: 'torn', line: 2 }] })
    expect(readdirSync(join(file, '..'))).toEqual(['lead.jsonl'])
  })

  test('no fact has a field that the frame needs', () => {
    const frame = Object.keys(frameSchema.shape).filter((key) => key !== 'type')
    for (const option of factSchema.options) {
      expect(Object.keys(option.shape).filter((key) => frame.includes(key))).toEqual([])
    }
  })
})

describe('reading a journal', () => {
  test('keeps the good lines and reports each bad one with its line', () => {
    const file = written(1)
    appendFileSync(
      file,
      Buffer.concat([
        Buffer.from('not json\n'),
        Buffer.from([0xff, 0xfe, 0x0a]),
        Buffer.from('null\n"text"\n\n'),
        Buffer.from('{"v":2,"seq":7,"id":"lead-7","parent":null,"at":1,"type":"member.woke"}\n'),
        Buffer.from('{"v":1,"seq":8,"id":"lead-8","parent":null,"at":1,"type":"moon.rose"}\n'),
        Buffer.from('{"v":1,"seq":9,"id":"lead-9","parent":null,"at":1,"type":"member.gone"}\n'),
        Buffer.from('{"v":1,"seq":10,"id":"lead-10","parent":null,"at":1,"type":"member.woke"}\n'),
        Buffer.from('{"v":1,"seq":10,"id":"lead-10","parent":null,"at":1,"type":"member.idled"}\n'),
      ]),
    )
    const { entries, problems } = readJournal(file)
    expect(entries.map(({ type }) => type)).toEqual(['warning.raised', 'member.woke', 'member.idled'])
    expect(problems.map(({ line, code }) => [line, code])).toEqual([
      [2, 'not_json'],
      [3, 'not_json'],
      [4, 'bad_frame'],
      [5, 'bad_frame'],
      [6, 'not_json'],
      [7, 'bad_frame'],
      [8, 'unknown_fact'],
      [9, 'bad_fact'],
      [11, 'out_of_order'],
    ])
    expect(problems[6]?.message).toContain('moon.rose')
    expect(problems[7]?.message).toContain('reason')
  })

  test('a gap in the numbers is reported', () => {
    const file = written(3)
    const lines = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, [lines[0], lines[2], ''].join('\n'))
    expect(readJournal(file).problems).toEqual([
      { file, line: 2, code: 'out_of_order', message: 'has number 3 after 1' },
    ])
  })

  test('a missing file and a folder are problems, not errors', () => {
    expect(readJournal(join(home, 'nowhere.jsonl'))).toMatchObject({
      entries: [],
      problems: [{ line: 0, code: 'unreadable' }],
    })
    expect(readJournal(home)).toMatchObject({ entries: [], problems: [{ line: 0, code: 'unreadable' }] })
  })

  const whole = readFileSync(written(4))
  const all = 4
  test('whatever prefix a kill leaves is read, and continued', () => {
    fc.assert(
      fc.property(fc.nat({ max: whole.length }), (length) => {
        const file = freshFile()
        openJournal(file, { owner: 'lead', now, fold: everyEntry }).journal.close()
        writeFileSync(file, whole.subarray(0, length))
        const before = readJournal(file)
        expect(before.entries.length).toBe(whole.subarray(0, length).toString('latin1').split('\n').length - 1)
        expect(before.problems.length).toBeLessThanOrEqual(1)
        const { journal } = openJournal(file, { owner: 'lead', now, fold: everyEntry })
        journal.append([{ type: 'member.woke' }])
        journal.close()
        const after = readJournal(file)
        expect(after.problems).toEqual([])
        expect(after.entries.map(({ seq }) => seq)).toEqual(
          [...Array(before.entries.length + 1).keys()].map((n) => n + 1),
        )
        expect(after.entries.length).toBeLessThanOrEqual(all + 1)
      }),
    )
  })

  test('no content makes it throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const file = freshFile()
        openJournal(file, { owner: 'lead', now, fold: everyEntry }).journal.close()
        writeFileSync(file, bytes)
        expect(readJournal(file).entries).toEqual([])
      }),
    )
  })
})
