import { expect, test } from 'vitest'
import { joinedNames, namesInPlaces, saysHome } from '../../../../src/rules/shell/code/placed-names.ts'

test.each([
  ['join(home, ".ssh", "id_rsa")', ['.ssh/id_rsa']],
  [`Path("a") / "b" / 'c'`, ['a/b', 'a/b/c', 'b/c']],
  ['print("a"); print("b")', []],
])('%s joins %j', (text, names) => expect(joinedNames(text)).toEqual(names))

test.each(['os.homedir()', 'Path.home()', 'cd && cat x', 'process.chdir();'])('%s says the home', (text) =>
  expect(saysHome(text)).toBe(true),
)

test('names lie in the places that a text goes to', () => {
  expect(namesInPlaces(`chdir('docs'); open('x')`, ['x'])).toEqual(['docs/x'])
  expect(namesInPlaces('read(homedir() + ".ssh/x")', ['.ssh/x', '~/y'])).toEqual(['~/.ssh/x'])
  expect(namesInPlaces('read("x")', ['x'])).toEqual([])
})
