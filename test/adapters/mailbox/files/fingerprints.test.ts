import { expect, test } from 'vitest'
import { addFingerprint, hasFingerprint, noFingerprints } from '../../../../src/adapters/mailbox/files/fingerprints.ts'

test('every text that was added is known, and no other', () => {
  const set = noFingerprints()
  const texts = Array.from({ length: 5_000 }, (_, n) => `mail ${n}`)
  for (const text of texts) {
    expect(hasFingerprint(set, text)).toBe(false)
    addFingerprint(set, text)
  }
  expect(texts.every((text) => hasFingerprint(set, text))).toBe(true)
  expect(hasFingerprint(set, 'mail 5000')).toBe(false)
  expect(hasFingerprint(set, '')).toBe(false)
})

test('a text counts once, and a text costs a few bytes', () => {
  const set = noFingerprints()
  for (let n = 0; n < 10_000; n += 1) addFingerprint(set, `${n % 100}`)
  expect(set.count).toBe(100)
  expect(set.table.byteLength).toBeLessThan(100 * 24)
})
