import { describe, expect, test } from 'vitest'
import type { ToolResult, ToolUseBlock } from '../../../src/protocol/conversation/message.ts'
import { isStuck, signatureOf } from '../../../src/rules/conversation/stuck-loop.ts'

const call = (name: string, input: unknown, id = 'c1'): ToolUseBlock => ({ type: 'tool_use', id, name, input })
const result = (text: string, is_error = false): ToolResult => ({
  call_id: 'c1',
  tool: 'Bash',
  content: [{ type: 'text', text }],
  is_error,
})

describe('signatureOf', () => {
  test('does not depend on key order or ids, at any depth', () => {
    const one = signatureOf([call('Read', { a: 1, b: { c: [1, { x: 1, y: null }], d: 'z' } }, 'c1')])
    const two = signatureOf([call('Read', { b: { d: 'z', c: [1, { y: null, x: 1 }] }, a: 1 }, 'c2')])
    expect(one).toBe(two)
  })

  test.each([
    ['name', [call('Write', { a: 1 })]],
    ['input', [call('Read', { a: 2 })]],
    ['number of calls', [call('Read', { a: 1 }), call('Read', { a: 1 })]],
    ['key', [call('Read', { b: 1 })]],
    ['list order', [call('Read', [2, 1])]],
  ])('tells another %s apart', (_, calls) => {
    const plain = signatureOf([call('Read', { a: 1 })])
    expect(signatureOf(calls)).not.toBe(plain)
    expect(signatureOf([call('Read', [1, 2])])).not.toBe(signatureOf([call('Read', [2, 1])]))
  })

  test('the same call with another outcome is another turn', () => {
    const calls = [call('Bash', { command: 'npm test' })]
    expect(signatureOf(calls, [result('1 failed')])).toBe(
      signatureOf(calls, [{ ...result('1 failed'), call_id: 'c9' }]),
    )
    expect(signatureOf(calls, [result('1 failed')])).not.toBe(signatureOf(calls, [result('2 failed')]))
    expect(signatureOf(calls, [result('x')])).not.toBe(signatureOf(calls, [result('x', true)]))
    expect(signatureOf(calls)).toBe(signatureOf(calls, []))
  })
})

describe('isStuck', () => {
  test.each([
    ['', false],
    ['a', false],
    ['aaaa', false],
    ['aaaaa', true],
    ['abaaaa', true],
    ['aaaab', false],
    ['abcdeabcde', false],
    ['ababababa', true],
    ['abababab', false],
    ['xaxayazaba', true],
    ['aaaabcdefghia', false],
  ])('%s: %s', (turns, stuck) => {
    expect(isStuck(turns.split(''))).toBe(stuck)
  })

  test('only the window counts', () => {
    expect(isStuck('aabcda'.split(''), { window: 6, repeats: 3 })).toBe(true)
    expect(isStuck('aabcda'.split(''), { window: 5, repeats: 3 })).toBe(false)
  })

  test('two turns that alternate through the whole window are stuck however often they repeat', () => {
    expect(isStuck('ababab'.split(''), { window: 6, repeats: 6 })).toBe(true)
    expect(isStuck('xbabab'.split(''), { window: 6, repeats: 6 })).toBe(false)
    expect(isStuck('abab'.split(''), { window: 6, repeats: 6 })).toBe(false)
    expect(isStuck('abab'.split(''), { window: 4, repeats: 9 })).toBe(true)
    expect(isStuck('aba'.split(''), { window: 3, repeats: 9 })).toBe(false)
  })
})
