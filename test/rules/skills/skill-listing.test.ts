import { expect, test } from 'vitest'
import { skillListing } from '../../../src/rules/skills/skill-listing.ts'

const skill = (name: string, description: string, more: object = {}) => ({
  name,
  description,
  argumentNames: [],
  allow: [],
  deny: [],
  unlisted: false,
  uncallable: false,
  ...more,
})

test('a line each, whatever a description holds', () => {
  const text = skillListing([
    skill('a', 'First.\n- b: Not this.', { whenToUse: 'Always.', argumentHint: '[file]' }),
    skill('c', 'Hidden.', { unlisted: true }),
  ])
  expect(text.split('\n').slice(1)).toEqual(['- a [file]: First. - b: Not this. Always.'])
  expect(skillListing([])).toBe('')
  expect(skillListing([skill('c', 'Hidden.', { unlisted: true })])).toBe('')
})

test('long descriptions are cut first, and many skills stay within bounds', () => {
  const many = Array.from({ length: 200 }, (_, n) => skill(`skill-${n}`, n === 0 ? 'Short.' : 'Long. '.repeat(100)))
  const text = skillListing(many)
  expect(text.length).toBeLessThan(17_000)
  expect(text).toContain('- skill-0: Short.\n')
  expect(text).toContain('- skill-199: Long.')
  const crowd = Array.from({ length: 3_000 }, (_, n) => skill(`skill-${n}`, 'x'))
  expect(skillListing(crowd)).toMatch(/- and \d+ more, which are too many to be listed$/)
  expect(skillListing(crowd).length).toBeLessThan(18_000)
})
