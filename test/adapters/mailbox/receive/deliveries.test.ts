import { expect, test } from 'vitest'
import { deliveries, maxAttempts } from '../../../../src/adapters/mailbox/receive/inbox.ts'
import type { MailReading } from '../../../../src/adapters/mailbox/files/read-mail.ts'

const file = (sender: string, seq: number) => `${sender}-${seq}-01J0000000000000000000000${seq}.json`
const good: MailReading = { reason: 'stands for whatever was read' }

test('a file the disk will not give waits with its sender, others go on, and the fifth failure is the last', () => {
  const bad = new Set([file('ann', 1)])
  const deliver = deliveries((name) => {
    if (bad.has(name)) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
    return good
  })
  const claimed = [file('ann', 1), file('ben', 1), file('ann', 2)]
  for (let n = 1; n < maxAttempts; n += 1) {
    expect(deliver(claimed)).toEqual({
      read: [{ file: file('ben', 1), reading: good }],
      postponed: [file('ann', 1), file('ann', 2)],
    })
  }
  expect(deliver(claimed)).toEqual({
    read: [
      {
        file: file('ann', 1),
        reading: {
          reason: '5 deliveries failed, the last with: EIO: i/o error',
          attempts: 5,
          id: '01J00000000000000000000001',
        },
      },
      { file: file('ben', 1), reading: good },
      { file: file('ann', 2), reading: good },
    ],
    postponed: [],
  })
})

test('a success in between starts the count again, and a mistake of ours is no failure of the disk', () => {
  let failing = true
  const deliver = deliveries(() => {
    if (failing) throw Object.assign(new Error('EIO'), { code: 'EIO' })
    return good
  })
  for (let n = 1; n < maxAttempts; n += 1) deliver([file('ann', 1)])
  failing = false
  expect(deliver([file('ann', 1)]).read).toHaveLength(1)
  failing = true
  expect(deliver([file('ann', 1)]).postponed).toHaveLength(1)
  const broken = deliveries(() => {
    throw new TypeError('a bug')
  })
  expect(() => broken([file('ann', 1)])).toThrow('a bug')
})
