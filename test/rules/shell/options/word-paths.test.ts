import { expect, test } from 'vitest'
import { defaultsIn, piecesIn, wordPaths } from '../../../../src/rules/shell/options/word-paths.ts'

test.each([
  ['a.ts', ['a.ts']],
  ['--file=a.ts', ['a.ts']],
  ['-fa', ['a']],
  ['-rfa', ['fa', 'a']],
  ['-1f.env', ['f.env', '.env']],
  ['-f.env', ['.env']],
  ['@a.ts', ['a.ts']],
  ['HEAD:a.ts', ['HEAD:a.ts', 'a.ts']],
  ['file:///a%20b', ['/a b']],
  ['https://host.test/a', []],
  ['-', []],
  ['--', []],
])('%s may name %j', (word, paths) => expect(wordPaths(word)).toEqual(paths))

test.each([
  ['f=<.env;type=x', ['f', '.env', 'type', 'x']],
  ['./.env:/x:ro', ['./.env', '/x', 'ro']],
  ['https://host.test/a=b', []],
])('%s is made of %j', (word, pieces) => expect(piecesIn(word)).toEqual(pieces))

test.each([
  ['${X:-a.ts}', ['a.ts']],
  ['"${X:-src}/a.ts"', ['src/a.ts']],
  ['${X}/a.ts', []],
])('%s may come to %j', (text, paths) => expect(defaultsIn({ text, value: null })).toEqual(paths))
