import { describe, expect, test } from 'vitest'
import { readHead } from '../../../src/rules/skills/skill-head.ts'

const good = { name: 'pdf', description: 'Reads.' }
const place = { folderName: 'pdf', kind: 'skill', foreign: false } as const
const codes = (value: unknown, at: object = {}): readonly string[] =>
  readHead(value, { ...place, ...at }).mistakes.map(({ code, key, severity }) => `${severity} ${key} ${code}`)

describe('the head of a skill', () => {
  test.for<[string, object, string[], boolean]>([
    ['nothing', {}, ['error name missing_key', 'error description missing_key'], false],
    ['capitals', { ...good, name: 'PDF' }, ['error name invalid_name'], false],
    ['a blank', { ...good, name: 'p df' }, ['error name invalid_name'], false],
    ['an underscore', { ...good, name: 'p_df' }, ['error name invalid_name'], false],
    ['a hyphen at the end', { ...good, name: 'pdf-' }, ['error name invalid_name'], false],
    ['a name that is a list', { ...good, name: ['pdf'] }, ['error name wrong_type'], false],
    ['another name', { ...good, name: 'doc' }, ['error name name_mismatch'], true],
    ['a name of 300 signs', { ...good, name: 'a'.repeat(300) }, ['error name too_long'], false],
    ['a description that is a map', { ...good, description: { a: 'b' } }, ['error description wrong_type'], false],
    ['blanks for a description', { ...good, description: ' \n' }, ['error description missing_key'], false],
    ['a key with a slip', { ...good, licence: 'MIT' }, ['error licence unknown_key'], true],
    ['a key of Claude Code', { ...good, context: 'fork' }, ['warning context not_honoured'], true],
    ['metadata that is text', { ...good, metadata: 'x' }, ['error metadata wrong_type'], true],
    ['tools that are a map', { ...good, 'allowed-tools': { a: 'b' } }, ['error allowed-tools wrong_type'], true],
    ['a rule that is none', { ...good, 'allowed-tools': 'Read Bash()' }, ['warning allowed-tools bad_rule'], true],
  ])('%s', ([, value, expected, loads]) => {
    expect(codes(value)).toEqual(expected)
    expect(readHead(value, place).head !== null).toBe(loads)
  })

  test('in a folder of Claude Code the folder gives the name', () => {
    const read = readHead({ description: 'Reads.' }, { ...place, foreign: true })
    expect(read.head?.name).toBe('pdf')
    expect(readHead({ ...good, name: 'My PDF' }, { ...place, foreign: true }).head?.name).toBe('pdf')
    expect(readHead({ description: 'Reads.' }, { ...place, folderName: 'My PDF', foreign: true }).head).toBeNull()
  })

  test('in a folder of Claude Code the first line describes a skill that does not describe itself', () => {
    const read = readHead({ name: 'pdf' }, { ...place, foreign: true, firstLine: 'Reads.' })
    expect(read).toMatchObject({ head: { description: 'Reads.' }, mistakes: [{ code: 'missing_key' }] })
    expect(readHead({ name: 'pdf' }, { ...place, firstLine: 'Reads.' }).head).toBeNull()
    expect(readHead({ name: 'pdf' }, { ...place, foreign: true, firstLine: '' }).head).toBeNull()
  })

  test('names are compared in one form of Unicode', () => {
    expect(codes({ ...good, name: 'café' }, { folderName: 'cafe\u0301' })).toEqual([])
  })

  test('rules are parted at blanks and commas outside of parentheses', () => {
    const rules = (said: unknown) => readHead({ ...good, 'allowed-tools': said }, place).head?.allow
    expect(rules('Read, Bash(git add *) Grep')).toEqual(['Read', 'Bash(git add *)', 'Grep'])
    expect(rules(['Bash(git log, git show)'])).toEqual(['Bash(git log, git show)'])
    expect(rules('*')).toEqual([])
    expect(rules('Read Bash(git add')).toEqual(['Read'])
    expect(rules(`Read${','.repeat(500_000)}${'a,'.repeat(100_000)}`)).toHaveLength(100_001)
  })

  test('what is no map is no head', () => expect(codes(['name'])).toEqual(['error null wrong_type']))
})
