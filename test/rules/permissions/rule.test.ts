import { fc, test as prop } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { coversTool, matchesText, parseRule } from '../../../src/rules/permissions/rule.ts'

describe('parseRule', () => {
  test.each([
    ['Bash', 'Bash', 'tool', ''],
    ['Bash(*)', 'Bash', 'tool', ''],
    [' Read ', 'Read', 'tool', ''],
    ['*', '*', 'tool', ''],
    ['Bash(git push:*)', 'Bash', 'command', 'git push:*'],
    ['Bash(echo "(a)")', 'Bash', 'command', 'echo "(a)"'],
    ['Read(./x/**)', 'Read', 'path', './x/**'],
    ['Edit(/src/**)', 'Edit', 'path', '/src/**'],
    ['Write( docs/** )', 'Write', 'path', 'docs/**'],
    ['Glob(a)', 'Glob', 'path', 'a'],
    ['NotebookEdit(a)', 'NotebookEdit', 'path', 'a'],
    ['WebFetch(domain:Example.COM)', 'WebFetch', 'domain', 'example.com'],
    ['WebFetch(example.com)', 'WebFetch', 'value', 'example.com'],
    ['mcp__github', 'mcp__github', 'tool', ''],
    ['mcp__my-server__get_*', 'mcp__my-server__get_*', 'tool', ''],
    ['Agent(Explore)', 'Agent', 'value', 'Explore'],
  ])('%s', (text, tool, kind, specifier) => {
    expect(parseRule(text)).toEqual({ text, tool, kind, specifier })
  })

  test.each([
    ['', '"" is not a rule: write Tool or Tool(what it covers)'],
    ['Bash(git push', '"Bash(git push" is not a rule: write Tool or Tool(what it covers)'],
    ['Bash)', '"Bash)" is not a rule: write Tool or Tool(what it covers)'],
    ['not a rule', '"not a rule" is not a rule: write Tool or Tool(what it covers)'],
    ['9x', '"9x" is not a rule: write Tool or Tool(what it covers)'],
    ['Bash()', '"Bash()": there is nothing between the parentheses'],
    ['Ba*', '"Ba*": only MCP tool names may hold a "*"'],
    ['Read(!a)', '"Read(!a)": a path cannot be negated'],
  ])('%s is refused', (text, error) => {
    expect(parseRule(text)).toEqual({ error })
  })
})

describe('coversTool', () => {
  const covers = (rule: string, tool: string) => {
    const parsed = parseRule(rule)
    return 'error' in parsed ? null : coversTool(parsed, tool)
  }

  test.each([
    ['Read', 'Read', true],
    ['Read', 'Grep', true],
    ['Read', 'Glob', true],
    ['Read', 'LS', true],
    ['Read', 'Write', false],
    ['Edit', 'Write', true],
    ['Edit', 'MultiEdit', true],
    ['Edit', 'Read', false],
    ['Write', 'Edit', false],
    ['Bash', 'Bash', true],
    ['Bash', 'BashOutput', false],
    ['*', 'anything', true],
    ['mcp__a', 'mcp__a__x', true],
    ['mcp__a', 'mcp__a__x__y', true],
    ['mcp__a', 'mcp__ab__x', false],
    ['mcp__a', 'mcp__a', true],
    ['mcp__a__x', 'mcp__a__x', true],
    ['mcp__a__x', 'mcp__a__x__y', false],
    ['mcp__a__*', 'mcp__a__x', true],
    ['mcp__a__get_*', 'mcp__a__delete', false],
    ['constructor(x)', 'Bash', false],
    ['toString', 'toString', true],
  ])('%s, %s: %s', (rule, tool, covered) => {
    expect(covers(rule, tool)).toBe(covered)
  })
})

describe('matchesText', () => {
  test.each([
    ['abc', 'abc', true],
    ['abc', 'abcd', false],
    ['*', '', true],
    ['a*', 'a', true],
    ['a*', 'ba', false],
    ['*a', 'ba', true],
    ['*a', 'ab', false],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['a*b*c', 'aXbYc', true],
    ['a*b*c', 'aXcYb', false],
    ['a*bc*c', 'abc', false],
    ['a.b*', 'axb', false],
    ['a*', 'a\nb', true],
  ])('%s, %j: %s', (pattern, text, matches) => {
    expect(matchesText(pattern, text)).toBe(matches)
  })

  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 })
  const plain = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 })
  prop.prop([letters, plain], { numRuns: 500 })('agrees with a regular expression', (pattern, text) => {
    const expected = new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(text)
    expect(matchesText(pattern, text)).toBe(expected)
  })
})
