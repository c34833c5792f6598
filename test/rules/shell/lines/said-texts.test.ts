import { expect, test } from 'vitest'
import { saidBy } from '../../../../src/rules/shell/lines/said-texts.ts'
import { bashCommands } from '../../../../src/rules/shell/walk/bash-commands.ts'

const said = (line: string) => saidBy(bashCommands(line).commands)

test('texts of echo and printf are as these put them together', () => {
  expect(said('echo -n a "b $x"')).toEqual({ texts: ['a b $x'], changed: false })
  expect(said("printf '%s-%d\\n' a 1 b 2")).toEqual({ texts: ['a-1\nb-2\n'], changed: false })
  expect(said("printf '%5q' a")).toEqual({ texts: ['%5q a'], changed: false })
  expect(said('printf -v x a')).toBeUndefined()
})

test('a text that comes in goes on, and is another one behind a program that changes texts', () => {
  expect(said('cat <<< a')).toEqual({ texts: ['a'], changed: false })
  expect(said('cat b - <<< a')).toEqual({ texts: ['a', ''], changed: false })
  expect(said('rev <<< a')).toEqual({ texts: [], changed: true })
  expect(saidBy(bashCommands('cat').commands, { texts: [], changed: true })).toEqual({ texts: [], changed: true })
  expect(said('curl x.test')).toBeUndefined()
})

test('beside another program nobody knows the whole text', () => {
  expect(said('echo a; curl x.test')).toEqual({ texts: ['a', ''], changed: false })
  expect(said('cd src; echo a')).toEqual({ texts: ['a'], changed: false })
})
