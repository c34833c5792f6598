import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { localTime, momentText } from '../../../src/protocol/words/local-time.ts'

const file = join(import.meta.dirname, '../../../src/protocol/words/local-time.ts')

/** The function as a process in another zone runs it. */
function inZone(zone: string, at: number): string {
  const script = `import(${JSON.stringify(file)}).then(({ momentText }) => console.log(momentText(${at})))`
  return execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', env: { TZ: zone } }).trim()
}

test.each([
  ['UTC', '2026-07-01 23:30:05 UTC'],
  ['Europe/Berlin', '2026-07-02 01:30:05 +02:00'],
  ['Asia/Kathmandu', '2026-07-02 05:15:05 +05:45'],
  ['America/St_Johns', '2026-07-01 21:00:05 -02:30'],
])('a moment in %s is %s', (zone, text) => {
  expect(inZone(zone, Date.UTC(2026, 6, 1, 23, 30, 5))).toBe(text)
})

test('the offset is that of the moment, not of today: summer and winter differ', () => {
  expect(inZone('Europe/Berlin', Date.UTC(2026, 0, 1))).toBe('2026-01-01 01:00:00 +01:00')
})

test('the parts of a moment say day, clock and zone', () => {
  expect(localTime(Date.UTC(2026, 2, 1, 23, 5), 60)).toEqual({ day: '2026-03-02', clock: '00:05:00', zone: '+01:00' })
})

test.each([Number.NaN, Infinity, 9e15])('%s is no moment and throws nothing', (at) => {
  expect(momentText(at)).toBe('? ? ?')
})
