import { fc } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { cutMiddle, limitOutput, limitsFor } from '../../../src/adapters/process/output-limiter.ts'

const notice = /^\[… ([\d,]+) characters cut …\]$/

describe('limitOutput', () => {
  test('keeps everything that fits, up to the last character', () => {
    const limiter = limitOutput({ head: 3, tail: 3 })
    for (const piece of ['ab', '', 'cd', 'ef']) limiter.push(piece)
    expect(limiter.text()).toBe('abcdef')
  })

  test('cuts the middle and says how much', () => {
    const limiter = limitOutput({ head: 2, tail: 3 })
    limiter.push('abcdefghij')
    expect(limiter.text()).toBe('ab\n[… 5 characters cut …]\nhij')
  })

  test('can be read in between and goes on', () => {
    const limiter = limitOutput({ head: 1, tail: 1 })
    limiter.push('abc')
    expect(limiter.text()).toBe('a\n[… 1 characters cut …]\nc')
    limiter.push('d')
    expect(limiter.text()).toBe('a\n[… 2 characters cut …]\nd')
  })

  test('gives the same for any division of the text, splits no code point and accounts for every character', () => {
    const pieces = fc.array(fc.string({ unit: 'binary', maxLength: 30 }))
    fc.assert(
      fc.property(pieces, fc.nat(20), fc.integer({ min: 1, max: 20 }), (parts, head, tail) => {
        const limiter = limitOutput({ head, tail })
        for (const part of parts) limiter.push(part)
        const once = limitOutput({ head, tail })
        once.push(parts.join(''))
        const text = limiter.text()
        const [notice = '', cut = '0'] = /\n\[… ([\d,]+) characters cut …\]\n/.exec(text) ?? []
        const length = text.length - notice.length + Number(cut.replaceAll(',', ''))
        expect([text, text.isWellFormed(), length]).toEqual([once.text(), true, parts.join('').length])
        expect(notice === '').toBe(length <= head + tail)
      }),
    )
  })
})

describe('cutMiddle', () => {
  test('leaves a text alone that is exactly as long as allowed', () => {
    expect(cutMiddle('x'.repeat(100), 100)).toBe('x'.repeat(100))
  })

  test('stays within the bound, notice included, and keeps more of the end', () => {
    const text = Array.from({ length: 50_000 }, (_, index) => `${index}`).join('\n')
    const cut = cutMiddle(text, 1_000)
    expect(cut.length).toBeLessThanOrEqual(1_000)
    expect(cut.startsWith('0\n1\n')).toBe(true)
    expect(cut.endsWith('\n49999')).toBe(true)
    const [before, after] = cut.split(/\[… .* …\]/)
    expect((after ?? '').length).toBeGreaterThan((before ?? '').length)
    expect(cut.split('\n').some((line) => notice.test(line))).toBe(true)
  })

  test('shares its room: head and tail with the notice fill the bound', () => {
    expect(limitsFor(1_060)).toEqual({ head: 200, tail: 800 })
  })
})
