import { describe, expect, test } from 'vitest'
import { mayBeWritten, takenBy } from '../../../../src/rules/shell/options/known-options.ts'

describe('what an option takes of the word behind it', () => {
  test.each([
    ['sort', '-u', 'free'],
    ['sort', '-nru', 'free'],
    ['sort', '-k', 'value'],
    ['sort', '-nk', 'value'],
    ['sort', '-k2', 'free'],
    ['sort', '--key', 'value'],
    ['sort', '--key=2', 'free'],
    ['sort', '--ke', 'unknown'],
    ['sort', '-nT', 'unknown'],
    ['wget', '-nc', 'free'],
    ['xxd', '-cols', 'value'],
    ['go', '-run', 'value'],
    ['go', '-run=X', 'free'],
    ['go', '-outputdir', 'unknown'],
    ['go', '-s -w', 'free'],
    ['pytest', '--debug', 'unknown'],
    ['pytest', '--tb=short', 'free'],
    ['pip', '--root', 'unknown'],
    ['gradle', '-x', 'value'],
  ])('%s %s: %s', (program, option, next) => expect(takenBy(program, option)?.next).toBe(next))

  test.each([
    ['sort', 'a.txt'],
    ['sort', '-'],
    ['sort', '--'],
    ['frobnicate', '-k'],
  ])('%s %s is no known option', (program, text) => expect(takenBy(program, text)).toBeNull())
})

describe('a word that may be written', () => {
  test.each([
    ['zip', 'x', '-lf'],
    ['sort', '--future=x', 'a'],
    ['sort', '-Tx', 'a'],
    ['docker', 'x', '--iidfile'],
    ['docker', '--iidfile=x', 'build'],
    ['eslint', 'x', '-o'],
  ])('%s … %s behind %s', (program, text, before) => expect(mayBeWritten(program, text, before)).toBe(true))

  test.each([
    ['zip', 'x', '-r'],
    ['sort', '--key=x', 'a'],
    ['sort', '-k2', 'a'],
    ['sort', 'x', '--'],
    ['grep', 'x', '-o'],
    ['grep', '--future=x', 'a'],
    ['docker', 'x', '--env-file'],
    ['git', 'x', '-o'],
  ])('%s … %s behind %s is not', (program, text, before) => expect(mayBeWritten(program, text, before)).toBe(false))
})
