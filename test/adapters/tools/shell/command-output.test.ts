import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fc, test as property } from '@fast-check/vitest'
import { afterAll, describe, expect, test } from 'vitest'
import { textStore } from '../../../../src/adapters/sessions/text-store.ts'
import { commandOutput } from '../../../../src/adapters/tools/shell/command-output.ts'
import type { TextStore } from '../../../../src/protocol/tools/text-store.ts'

const home = mkdtempSync(join(tmpdir(), 'troupe-output-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const pathIn = (text: string): string => /are in (\S+): page/.exec(text)?.[1] ?? ''
/** Pieces of a long text: some characters, repeated. */
const pieces = fc.array(
  fc.tuple(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 9 }), fc.integer({ min: 1, max: 3_000 })),
  { minLength: 1, maxLength: 12 },
)

describe('what a command prints', () => {
  property.prop([pieces])(
    'is shown whole when it is short, else both its ends, and all of it is on the disk',
    (parts) => {
      const folder = mkdtempSync(join(home, 'run-'))
      const output = commandOutput(textStore(folder))
      for (const [text, times] of parts) output.push(text.repeat(times))
      const whole = parts.map(([text, times]) => text.repeat(times)).join('')
      const { text, stored } = output.end()
      expect(text.isWellFormed()).toBe(true)
      if (whole.length <= 29_640) {
        expect({ text, stored, files: readdirSync(folder) }).toEqual({ text: whole, stored: undefined, files: [] })
        return
      }
      expect(text.length).toBeLessThan(8_500)
      expect(stored?.chars).toBe(whole.length)
      expect(readFileSync(pathIn(text), 'utf8')).toBe(whole)
      expect(pathIn(text)).toBe(join(folder, stored?.sha256 ?? ''))
      const [head = '', tail = ''] = text.replace(/\n\[This is[^\n]*$/, '').split(/\n\[… [\d,]+ characters cut …\]\n/)
      expect([whole.startsWith(head), whole.endsWith(tail), tail.length > 3 * head.length]).toEqual([true, true, true])
    },
  )

  test('is cut in its middle where nothing is kept', () => {
    const output = commandOutput(undefined)
    output.push(`begin ${'x'.repeat(100_000)} end`)
    const { text, stored } = output.end()
    expect(text).toMatch(/^begin x+\n\[… [\d,]+ characters cut …\]\nx+ end$/)
    expect([text.length > 29_000, text.length <= 29_700, stored]).toEqual([true, true, undefined])
  })

  test.each(['opening', 'writing', 'ending'] as const)('is cut in its middle when %s it fails', (when) => {
    const real = textStore(join(home, when))
    const fails = (now: string): void => {
      if (now === when) throw new Error('ENOSPC')
    }
    const full: TextStore = {
      ...real,
      open() {
        fails('opening')
        const writer = real.open()
        return {
          ...writer,
          push(text) {
            fails('writing')
            writer.push(text)
          },
          end() {
            fails('ending')
            return writer.end()
          },
        }
      },
    }
    const output = commandOutput(full)
    for (let i = 0; i < 10; i += 1) output.push('x'.repeat(9_000))
    expect(output.end().text).toMatch(/^x+\n\[… [\d,]+ characters cut …\]\nx+$/)
    const folder = join(home, when)
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
  })

  test('that nobody asks for leaves nothing behind', () => {
    const folder = join(home, 'forgotten')
    const output = commandOutput(textStore(folder))
    output.push('x'.repeat(100_000))
    expect(readdirSync(folder).length).toBe(1)
    output.discard()
    expect(readdirSync(folder)).toEqual([])
  })
})
