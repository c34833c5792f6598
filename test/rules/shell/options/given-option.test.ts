import { describe, expect, test } from 'vitest'
import { givenOption, gives, valueGiven, type Option } from '../../../../src/rules/shell/options/given-option.ts'

const wordsOf = (line: string) => line.split(' ').map((text) => ({ text, value: text, glob: false }))

/** The values that an option gets on a line, with the places of their words. */
function valuesOn(line: string, option: Option) {
  const words = wordsOf(line)
  return words.flatMap((_word, at) => givenOption(words, at, option) ?? [])
}

describe('the value of an option', () => {
  test.each<[line: string, option: Option, at: number, text: string]>([
    ['tar -xvfz.tar', { letters: 'f' }, 1, 'z.tar'],
    ['tar -xvf z.tar', { letters: 'f' }, 2, 'z.tar'],
    ['sort --output=x a', { names: ['output'] }, 1, 'x'],
    ['sort --o x a', { names: ['output'] }, 2, 'x'],
    ['sort --out=x a', { names: ['output'] }, 1, 'x'],
    ['npm -script-sh sh', { names: ['script-shell'], oneDash: true }, 2, 'sh'],
    ['npm ---script-shell=sh', { names: ['script-shell'], oneDash: true }, 1, 'sh'],
    ['ssh -4oX=y host', { letters: 'o', behind: '46' }, 1, 'X=y'],
    ['gcc -specs=x', { written: /^-specs=/ }, 1, 'x'],
    ['gcc -wrapper x', { written: /^-wrapper/ }, 2, 'x'],
    ['sort -o', { letters: 'o' }, 2, ''],
  ])('%s', (line, option, at, text) => expect(valuesOn(line, option)).toEqual([{ at, text }]))

  test.each<[line: string, option: Option]>([
    ['sort --outputs x', { names: ['output'] }],
    ['sort out x', { names: ['output'] }],
    ['sort -output x', { names: ['output'] }],
    ['npm -s x', { names: ['script-shell'], oneDash: true }],
    ['npm -- x', { names: ['script-shell'] }],
    ['ssh -poX host', { letters: 'o', behind: '46' }],
    ['sort --no x', { letters: 'o' }],
  ])('%s gives none', (line, option) => expect(valuesOn(line, option)).toEqual([]))
})

test('an option is given by any word but the first', () => {
  expect(gives(wordsOf('install -m 755 -d x'), { letters: 'd' })).toBe(true)
  expect(gives(wordsOf('-d x'), { letters: 'd' })).toBe(false)
})

test('a value that only a running shell knows is null', () => {
  const unknown = { text: '$X', value: null, glob: false }
  expect(valueGiven([...wordsOf('cp -t'), unknown], { letters: 't' })).toBeNull()
  expect(valueGiven(wordsOf('cp -t x'), { letters: 't' })).toBe('x')
  expect(valueGiven(wordsOf('cp x'), { letters: 't' })).toBeUndefined()
})
