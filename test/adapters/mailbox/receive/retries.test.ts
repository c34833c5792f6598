import { expect, test } from 'vitest'
import { readAll } from '../../../../src/adapters/mailbox/receive/batch.ts'
import { openRetries } from '../../../../src/adapters/mailbox/receive/retries.ts'
import type { MailReading } from '../../../../src/adapters/mailbox/files/read-mail.ts'

const file = (sender: string, seq: number) => `${sender}-${seq}-01J0000000000000000000000${seq}.json`
const good: MailReading = { reason: 'stands for whatever was read' }
const broken = Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })

function world() {
  const at = { now: 1_000 }
  const retries = openRetries(() => at.now)
  const bad = new Set([file('ann', 1)])
  const read = (name: string) => {
    if (bad.has(name)) throw broken
    return good
  }
  return { at, retries, bad, deliver: (files: readonly string[]) => readAll(files, read, retries) }
}

test('a file the disk will not give waits with its sender, others go on, and the fifth failure is the last', () => {
  const { at, retries, deliver } = world()
  const claimed = [file('ann', 1), file('ben', 1), file('ann', 2)]
  for (const ms of [100, 1_000, 5_000, 30_000]) {
    expect(deliver(claimed)).toEqual({
      readable: [{ file: file('ben', 1), reading: good }],
      postponed: [file('ann', 1), file('ann', 2)],
    })
    expect(retries.nextIn()).toBe(ms)
    at.now += ms - 1
    expect(claimed.map((name) => retries.waits(name))).toEqual([true, false, true])
    at.now += 1
    expect(claimed.map((name) => retries.waits(name))).toEqual([false, false, false])
  }
  expect(deliver(claimed).readable).toEqual([
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
  ])
  expect(retries.nextIn()).toBeNull()
})

test('a success in between starts the count again, and a mistake of ours is no failure of the disk', () => {
  const { retries, bad, deliver } = world()
  for (let n = 1; n < 5; n += 1) deliver([file('ann', 1)])
  bad.clear()
  expect(deliver([file('ann', 1)]).readable).toHaveLength(1)
  bad.add(file('ann', 1))
  expect(deliver([file('ann', 1)]).postponed).toHaveLength(1)
  const throws = () => {
    throw new TypeError('a bug')
  }
  expect(() => readAll([file('ann', 1)], throws, retries)).toThrow('a bug')
})

test('a clock that is set back makes no wait longer', () => {
  const { at, retries, deliver } = world()
  deliver([file('ann', 1)])
  at.now = 0
  expect([retries.waits(file('ann', 1)), retries.nextIn()]).toEqual([false, 0])
})

test('mail that came before the file that waits goes on', () => {
  const { retries, bad, deliver } = world()
  bad.add(file('ann', 2))
  deliver([file('ann', 2)])
  expect([file('ann', 1), file('ann', 2), file('ann', 3)].map((name) => retries.waits(name))).toEqual([
    false,
    true,
    true,
  ])
})
