import { expect, test } from 'vitest'
import { rgPlaces } from '../../../../src/rules/shell/tools/rg-places.ts'

const words = (line: string) => line.split(' ').map((value) => ({ value, glob: value.includes('*') }))

test.each([
  ['rg foo', []],
  ['rg foo src docs', ['src', 'docs']],
  ['rg -t ts foo src', ['src']],
  ['rg -tts foo src', ['src']],
  ['rg -nA 3 foo src', ['src']],
  ['rg -e foo src', ['src']],
  ['rg --files src', ['src']],
  ['rg --max-count 1 foo src', ['src']],
  ['rg -- -foo src', ['src']],
])('%s looks in %j', (line, places) => expect(rgPlaces(words(line))).toEqual(places))

test('a pattern of files, and a word that nobody knows, are no place', () => {
  expect(rgPlaces(words('rg foo s*'))).toBeNull()
  expect(rgPlaces([...words('rg foo'), { value: null, glob: false }])).toBeNull()
})
