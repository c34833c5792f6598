import { fc, test as check } from '@fast-check/vitest'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'vitest'
import { dialogTerminal } from './dialog-terminal.ts'

const asker = fc.constantFrom('q1', 'q2', 'q3', 'q4')
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ key: fc.constantFrom('o', 'x', '2', '\r') }) },
  { weight: 2, arbitrary: fc.record({ asks: asker }) },
  { weight: 1, arbitrary: fc.record({ withdraws: asker }) },
  { weight: 3, arbitrary: fc.record({ waits: fc.constant(true) }) },
)

check.prop([fc.array(step, { minLength: 20, maxLength: 80 })], { numRuns: 200 })(
  'an answer is made of keys that were typed while its question took keys, however questions come and go',
  async (steps) => {
    const { approver, input, foot, prompted } = dialogTerminal()
    const open = new Map<string, AbortController>()
    const given: string[] = []
    const expected: string[] = []
    let front: string | null = null
    let line = ''
    const look = (): string | null => {
      const lines = foot()
      return lines !== null && lines.length > 1 ? (/(q\d) asks/.exec(lines[0] ?? '')?.[1] ?? null) : null
    }
    for (const each of steps) {
      if ('asks' in each && !open.has(each.asks)) {
        const [member, stop] = [each.asks, new AbortController()]
        open.set(member, stop)
        void approver.ask?.({ member, question: 'Which?', options: [] }, stop.signal).then(
          (words) => void (open.delete(member), given.push(`${member} ${words}`)),
          () => undefined,
        )
      } else if ('withdraws' in each) {
        open.get(each.withdraws)?.abort(new Error('withdrawn'))
        open.delete(each.withdraws)
      } else if ('waits' in each) {
        for (let n = 0; n < 4; n += 1) await turn()
        if (foot() !== null) await prompted()
      }
      const seen = look()
      if (seen !== front) [front, line] = [seen, '']
      if (!('key' in each)) continue
      input.write(each.key)
      await turn()
      if (seen === null) continue
      if (each.key !== '\r') line += each.key
      else if (line !== '') {
        expected.push(`${seen} ${line}`)
        front = null
      } else line = ''
    }
    for (let n = 0; n < 8; n += 1) await turn()
    expect(given).toEqual(expected)
    for (const stop of open.values()) stop.abort(new Error('over'))
    input.end()
  },
)
