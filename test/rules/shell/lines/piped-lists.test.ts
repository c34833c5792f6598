import { describe, expect, test } from 'vitest'
import { bashCommands } from '../../../../src/rules/shell/walk/bash-commands.ts'

/** The places of the list that the last command of a line gets. */
function placesOf(line: string): readonly string[] | undefined {
  return bashCommands(line).commands.findLast(({ words }) => words[0]?.value === 'xargs')?.listed?.paths
}

describe('the list of a command in front gets to xargs', () => {
  test.each([
    'find src | xargs wc',
    'find src 2>/dev/null | sort -r | xargs -0 -n 1 wc 2>&1',
    'rg -l x src | grep -v y | head -n 3 | xargs -I{} wc {}',
    'git ls-files src | xargs wc > count.txt',
  ])('%s', (line) => expect(placesOf(line)).toContain('src'))
})

describe('where other texts may stand among the names, there is no list', () => {
  test.each([
    'find src -ls | xargs wc',
    'find src |& xargs wc',
    'find src | grep -o y | xargs wc',
    'find src | sort < names.txt | xargs wc',
    'find src | xargs wc < names.txt',
    'find src | xargs -d y wc',
    'A=1 find src | xargs wc',
  ])('%s', (line) => expect(placesOf(line)).toBeUndefined())
})
