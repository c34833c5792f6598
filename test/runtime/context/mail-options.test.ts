import { expect, test } from 'vitest'
import { durably } from '../../../src/runtime/context/mail-options.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'

const fact: Fact = { type: 'mail.handled', mail_id: '01J00000000000000000000001' }

test('once the disk has refused a sync nothing more is appended: the journal says more than its reader knows', () => {
  const appended: Fact[] = []
  let refuses = false
  const sync = (): void => {
    if (refuses) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
  }
  const append = durably((facts) => void appended.push(...facts), { sync })
  append([fact])
  refuses = true
  expect(() => append([fact])).toThrow('EIO')
  refuses = false
  expect(() => append([fact])).toThrow('EIO')
  expect(appended).toHaveLength(2)
})
