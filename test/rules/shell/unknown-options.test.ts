import { describe, expect, test } from 'vitest'
import { unwrapped } from '../../../src/rules/shell/bash-wrappers.ts'
import { farthestForms, mayRunByOption, mayWriteByOption } from '../../../src/rules/shell/unknown-options.ts'
import { bashCommands } from '../../../src/rules/shell/walk/bash-commands.ts'

/** The words of the first command of a line. */
const wordsOf = (line: string) => unwrapped(bashCommands(line).commands[0]?.words ?? [])
const formsOf = (line: string) => farthestForms(wordsOf(line)).map((form) => form.map(({ text }) => text).join(' '))

describe('an unknown word may be an option', () => {
  test.each(['sort $(cat x) a', 'git log "$(cat x)"', 'find . $(cat x)', 'wget "$1" a'])('%s may write', (line) =>
    expect(mayWriteByOption(wordsOf(line))).toBe(true),
  )
  test.each(['sort -k "$(cat x)" a', 'git log -- "$(cat x)"', 'sort "a$(cat x)"', 'sort -k 1 a'])(
    '%s writes nothing',
    (line) => expect(mayWriteByOption(wordsOf(line))).toBe(false),
  )
  test('make $(cat x) may run a command', () => expect(mayRunByOption(wordsOf('make $(cat x)'))).toBe(true))
})

describe('forms that go farthest', () => {
  test.each([
    ['grep $(cat x) KEY .', 'grep -r KEY .'],
    ['git sta"$1" show', 'git stash show'],
    ['sed "$(cat x)" s/a/b/ a', 'sed -i s/a/b/ a'],
  ])('%s may be %s', (line, form) => expect(formsOf(line)).toContain(form))

  test('a line without unknown words has none', () => expect(formsOf('grep -r KEY .')).toEqual([]))
})
