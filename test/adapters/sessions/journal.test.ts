import { appendFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { memoryJournal, openJournal } from '../../../src/adapters/sessions/journal.ts'
import { readJournal } from '../../../src/adapters/sessions/read-journal.ts'
import { frameSchema } from '../../../src/protocol/facts/entry.ts'
import { factSchema } from '../../../src/protocol/facts/fact.ts'
import { journalContract } from '../../contracts/journal.ts'
import { execFileSync } from 'node:child_process'

const home = mkdtempSync(join(tmpdir(), 'troupe-journal-'))
afterAll(() => rmSync(home, { recursive: true }))

let files = 0
const freshFile = () => join(home, `j${(files += 1)}`, 'lead.jsonl')
const now = () => 7

journalContract('in a file', (owner, clock) => openJournal(freshFile(), owner, clock).journal)
journalContract('in memory', memoryJournal)

function written(count: number): string {
  const file = freshFile()
  const { journal } = openJournal(file, 'lead', now)
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
    const { journal, entries, problems } = openJournal(file, 'lead', now)
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
      const { journal, problems } = openJournal(file, 'lead', now)
      journal.close()
      expect(problems).toMatchObject([{ code: 'torn', line: 3 }])
      expect(problems[0]?.message).toContain('.torn-')
    }
    expect(readFileSync(`${file}.torn-1`, 'utf8')).toBe('{"v":1,"seq":3')
    expect(readFileSync(`${file}.torn-2`, 'utf8')).toBe('{"v":1,"se')
    const { journal } = openJournal(file, 'lead', now)
    expect(journal.append([{ type: 'member.woke' }])[0]?.seq).toBe(3)
    journal.close()
    expect(readJournal(file)).toMatchObject({ problems: [], entries: [{}, {}, {}] })
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
    expect(readJournal(file).problems).toEqual([{ line: 2, code: 'out_of_order', message: 'has number 3 after 1' }])
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
        openJournal(file, 'lead', now).journal.close()
        writeFileSync(file, whole.subarray(0, length))
        const before = readJournal(file)
        expect(before.entries.length).toBe(whole.subarray(0, length).toString('latin1').split('\n').length - 1)
        expect(before.problems.length).toBeLessThanOrEqual(1)
        const { journal } = openJournal(file, 'lead', now)
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
        openJournal(file, 'lead', now).journal.close()
        writeFileSync(file, bytes)
        expect(readJournal(file).entries).toEqual([])
      }),
    )
  })
})

/** A file size limit makes the kernel write a part and then refuse: the same as a disk that fills up. */
test('a batch that does not fit leaves nothing behind, and the next one that fits is written', () => {
  const home = mkdtempSync(join(tmpdir(), 'troupe-append-'))
  const file = join(home, 'lead.jsonl')
  const module = join(import.meta.dirname, '../../../src/adapters/sessions/journal.ts')
  const script = `
    import { openJournal } from ${JSON.stringify(module)}
    process.on('SIGXFSZ', () => {})
    const { journal } = openJournal(${JSON.stringify(file)}, 'lead', () => 1)
    const warn = (text) => journal.append([{ type: 'warning.raised', code: 'x', message: text }])
    warn('fits')
    try { warn('y'.repeat(4000)); console.log('written') } catch (error) { console.log(error.code) }
    warn('fits too')`
  // What Node keeps of compiled code would not fit either, and end it.
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' }
  // ulimit -f counts blocks of 1,024 bytes in bash.
  const limited = ['-c', 'ulimit -f 2; exec "$0" --input-type=module -e "$1"', process.execPath, script]
  const said = execFileSync('bash', limited, { encoding: 'utf8', env })
  const messages = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { seq: number; message: string })
  rmSync(home, { recursive: true })
  expect(said.trim()).toBe('EFBIG')
  expect(messages.map(({ seq, message }) => [seq, message])).toEqual([
    [1, 'fits'],
    [2, 'fits too'],
  ])
})
