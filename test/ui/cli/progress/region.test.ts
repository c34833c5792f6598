import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { openRegion } from '../../../../src/ui/cli/progress/region.ts'
import { Screen } from '../fake-host.ts'
import { screenOf } from '../screen-of.ts'

const terminal = () => new Screen({ columns: 40, rows: 10 })
const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ') }).map((text) => `|${text}`)
const step = fc.oneof(
  fc.record({ show: fc.array(line, { maxLength: 5 }) }),
  fc.record({ above: line }),
  fc.constant({ resize: true as const }),
)

describe('the region', () => {
  property.prop([fc.array(step, { maxLength: 20 })])('shows the latest lines below all notes', (steps) => {
    const stream = terminal()
    const region = openRegion(stream)
    const notes: string[] = []
    let shown: readonly string[] = []
    for (const each of steps) {
      if ('show' in each) region.show((shown = each.show))
      else if ('above' in each) {
        region.above(each.above)
        notes.push(each.above)
      } else region.resized()
    }
    const rows = screenOf(stream.text).map((row) => row.trimEnd())
    expect(rows).toEqual([...notes, ...shown, ''].map((row) => row.trimEnd()))
  })

  test('writes changed lines only', () => {
    const stream = terminal()
    const region = openRegion(stream)
    region.show(['one', 'two', 'three'])
    stream.text = ''
    region.show(['one', 'TWO', 'three'])
    expect(stream.text).toContain('TWO')
    expect(stream.text).not.toMatch(/one|three/)
    stream.text = ''
    region.show(['one', 'TWO', 'three'])
    expect(stream.text).toBe('')
  })

  test('after the terminal became narrower it takes back the rows that lines were wrapped to', () => {
    const stream = terminal()
    const region = openRegion(stream)
    region.show(['x'.repeat(30)])
    stream.columns = 10
    region.resized()
    stream.text = ''
    region.show(['x'.repeat(9)])
    expect(stream.text).toContain('\u001b[3A')
  })

  test('hides the cursor once and gives it back', () => {
    const stream = terminal()
    const region = openRegion(stream)
    region.show(['a'])
    region.show(['b'])
    region.close()
    region.close()
    expect(stream.text.split('\u001b[?25l')).toHaveLength(2)
    expect(stream.text.split('\u001b[?25h')).toHaveLength(2)
    expect(region.release).toContain('\u001b[?25h')
  })

  test('wraps automatically whenever it is not painting', () => {
    const stream = terminal()
    const region = openRegion(stream)
    region.show(['a', 'b'])
    region.show(['a', 'c'])
    region.above('note')
    expect(stream.text.lastIndexOf('\u001b[?7h')).toBeGreaterThan(stream.text.lastIndexOf('\u001b[?7l'))
    expect(stream.text.split('\u001b[?7l')).toHaveLength(stream.text.split('\u001b[?7h').length)
  })
})
